import type { Label } from '../../labels/label.ts';
import { NOT_STORED } from '../../privacy/address-privacy.ts';
import type { Facts, Outcome } from '../../rules/decision.ts';
import { bucketOf, ROLLOUT_BUCKET } from '../../rules/rollout.ts';
import { domainFacts } from '../../signals/domain-facts.ts';
import { fits } from '../../signals/read-answer.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import type { RecordedCheck } from '../../storage/ports.ts';

/** A signup that two rule sets are judged by. */
export interface Case {
  /** `chk_…`, or the line of a file: `signups.csv:12`. */
  readonly id: string;
  /** ISO 8601, UTC; null where it is not known. */
  readonly createdAt: string | null;
  /** Null where records keep none. */
  readonly domain: string | null;
  /** The hash that records hold of the canonical address; null where they hold none, and for a row of a file. */
  readonly addressHmac: string | null;
  readonly label: Label | null;
  /** What the rules in force decide on. A missing fact was not found out, or not stored: rules that need it cannot be judged. */
  readonly facts: Facts;
  /** What the candidate decides on: the same object, unless its files (signals.yaml, lists) make other facts of the same address. */
  readonly candidateFacts: Facts;
  /** What was answered then; null for a row of a file. */
  readonly recorded: Outcome | null;
}

/** Makes cases of recorded checks, one by one: both sides decide on what was recorded. */
export async function* recordedCases(
  pages: AsyncIterable<readonly RecordedCheck[]>,
  catalogue: Pick<FactCatalogue, 'facts'>,
): AsyncGenerator<Case> {
  const read = factsReader(catalogue);
  for await (const page of pages) for (const check of page) yield caseOf(check, read(check, check.facts));
}

/** Facts of providers that are switched off now, each null: unknown to rules in every check, also where a record has a value. */
export function unknownOfDisabled({ facts }: Pick<FactCatalogue, 'facts'>): Facts {
  const disabled = [...facts.values()].filter((fact) => fact.disabled);
  return Object.fromEntries(disabled.map(({ id }) => [id, null]));
}

/**
 * Returns a reader of a record's column `facts`: the facts that rules are judged by. A rule that needs a missing fact cannot be judged.
 * Removed are facts that were known but not stored, since the rules saw more than null, and values of another version of the provider that
 * the fact cannot have now, since every comparison would misread them. The facts of the domain and the rollout bucket are added from the
 * domain and the hash beside the facts.
 */
export function factsReader(catalogue: Pick<FactCatalogue, 'facts'>) {
  const blank = unknownOfDisabled(catalogue);
  const hasDisabled = Object.keys(blank).length > 0;
  return (check: Pick<RecordedCheck, 'id' | 'withheld' | 'domain' | 'address_hmac'>, json: string): Facts => {
    const facts = parseColumn<Record<string, Facts[string]>>(check, json, 'facts of the check');
    if (check.withheld !== null) {
      const reasons = parseColumn<Readonly<Record<string, string>>>(check, check.withheld);
      for (const [id, reason] of Object.entries(reasons)) if (reason === NOT_STORED) delete facts[id];
    }
    for (const id in facts) {
      const fact = facts[id] === null ? undefined : catalogue.facts.get(id);
      if (fact && !fits(facts[id], fact)) delete facts[id];
    }
    if (facts['address.domain'] === undefined) Object.assign(facts, domainFacts(check.domain, catalogue));
    const bucket = bucketOf(check.address_hmac);
    if (bucket !== null) facts[ROLLOUT_BUCKET] = bucket;
    return hasDisabled ? { ...facts, ...blank } : facts;
  };
}

/** A JSON column of a recorded check. Throws an Error that names the check whose text is no JSON. */
export function parseColumn<Value>({ id }: { readonly id: string }, text: string, what = 'record of'): Value {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the ${what} ${id} cannot be read: ${String(error)}`);
  }
}

function caseOf(check: RecordedCheck, facts: Facts): Case {
  return {
    id: check.id,
    createdAt: check.created_at,
    domain: check.domain,
    addressHmac: check.address_hmac,
    label: check.label,
    facts,
    candidateFacts: facts,
    recorded: {
      // The table takes only what was decided.
      action: check.action as 'ALLOW' | 'BLOCK',
      score: check.risk_score,
      level: check.risk_level as 'low' | 'medium' | 'high',
      ruleset: check.ruleset,
    },
  };
}

/** Sides of a backtest: the rules in force, and those that may take their place. */
export type Side = 'base' | 'candidate';

export type BySide<Value> = Readonly<Record<Side, Value>>;
