import type { RuleSet } from '../../rules/compile.ts';
import type { Facts, LedgerEntry } from '../../rules/decision.ts';
import { RISK_SCORE, THRESHOLD_PREFIX } from '../../rules/definitions.ts';
import { readFacts } from '../../storage/kept-facts.ts';
import type { TriedCheck } from '../../storage/ports.ts';

/** The shadow rules that were tried beside a check, each with the hash of its form then. */
export type TriedRules = ReadonlyMap<string, string>;

/** Reads the JSON of recorded checks. Throws an Error that names the check whose text is none. */
export class TriedCheckReader {
  readonly #wanted: readonly string[];
  /** One text stands in thousands of checks. */
  readonly #rules = new Map<string, TriedRules>();

  /** Facts that these rules read and a record does not have are unknown. */
  constructor({ points, forces, shadows, levels, actions }: RuleSet) {
    const read = [...points, ...forces, ...shadows, ...levels, ...actions].flatMap(({ reads }) => reads);
    this.#wanted = [...new Set(read)].filter((id) => id !== RISK_SCORE && !id.startsWith(THRESHOLD_PREFIX));
  }

  rulesOf(check: TriedCheck): TriedRules {
    const { shadow_rules: text } = check;
    if (text === null) return new Map();
    let rules = this.#rules.get(text);
    if (!rules) {
      rules = new Map(Object.entries(parse<Record<string, string>>(check, text)));
      this.#rules.set(text, rules);
    }
    return rules;
  }

  /** Ids of the shadow rules that fired. */
  firedIn(check: TriedCheck): ReadonlySet<string> {
    if (check.ledger === null) return new Set();
    const entries = parse<readonly LedgerEntry[]>(check, check.ledger);
    return new Set(entries.flatMap((entry) => (entry.kind === 'shadow' ? [entry.id] : [])));
  }

  factsOf({ id, facts: kept, factNames }: TriedCheck): Facts {
    const facts = kept === null ? {} : readFacts({ id, facts: kept, factNames });
    for (const fact of this.#wanted) facts[fact] ??= null;
    return facts;
  }
}

function parse<Value>({ id }: TriedCheck, text: string): Value {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the record of ${id} cannot be read: ${String(error)}`);
  }
}
