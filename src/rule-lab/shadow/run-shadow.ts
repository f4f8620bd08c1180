import { parseChallenge } from '../../checks/check-record.ts';
import { whole } from '../../lib/statistics.ts';
import { compareTexts } from '../../lib/text.ts';
import type { Facts, LedgerEntry } from '../../rules/decision.ts';
import { RISK_SCORE, THRESHOLD_PREFIX } from '../../rules/definitions.ts';
import { MemoizedDecider } from '../../rules/memoized-decider.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import type { TriedCheck } from '../../storage/ports.ts';
import { FACTS, parseColumn } from '../backtest/case.ts';
import type { PromotionCriteria } from './promotion.ts';
import type { ShadowReport } from './report.ts';
import { ChallengerTally, RuleTally } from './tallies.ts';

interface ShadowInputs {
  readonly pages: AsyncIterable<readonly TriedCheck[]>;
  /** The rules as they stand in the files now. */
  readonly ruleSet: RuleSet;
  /** The hash of the challenger to report on; null for the one that was tried last. */
  readonly challenger: string | null;
  readonly criteria: PromotionCriteria;
  /** Flips shown whole, of each kind. */
  readonly examples: number;
  /** Told after each page how many checks were in it. */
  readonly onProgress?: ((more: number) => void) | undefined;
}

/** Ids of shadow rules that were tried and cannot be judged, and in how many checks. */
interface Unjudged {
  /** In another form than the one that stands now. */
  readonly otherForm: ReadonlyMap<string, number>;
  /** They are no shadow rules now. */
  readonly gone: ReadonlyMap<string, number>;
}

type ShadowFindings = Pick<ShadowReport, 'challenger' | 'other_challengers' | 'rules'> & {
  readonly unjudged: Unjudged;
};

/** Reads the records once, in constant memory. What fired is taken from their ledgers; what it would turn is replayed. */
export async function runShadow(inputs: ShadowInputs): Promise<ShadowFindings> {
  const { pages, ruleSet, criteria, examples, onProgress } = inputs;
  const wanted = factsReadBy(ruleSet);
  const without = new MemoizedDecider(ruleSet);
  const rules = new Map(
    ruleSet.shadows.map((rule) => [rule.id, new RuleTally(rule, ruleSet, without, examples)]),
  );
  const challengers = new Map<string, ChallengerTally>();
  const unjudged = { otherForm: new Map<string, number>(), gone: new Map<string, number>() };

  const addRules = async (check: TriedCheck) => {
    const ledger = parseColumn<readonly LedgerEntry[]>(check, check.ledger ?? '[]');
    const fired = new Set(ledger.flatMap((entry) => (entry.kind === 'shadow' ? [entry.id] : [])));
    const facts =
      fired.size > 0 ? { ...wanted, ...parseColumn<Facts>(check, check.facts ?? '{}', FACTS) } : null;
    const tried = parseColumn<Readonly<Record<string, string>>>(check, check.shadow_rules ?? '{}');
    for (const [id, hash] of Object.entries(tried)) {
      const tally = rules.get(id);
      if (tally && ruleSet.shadowHashes[id] === hash) await tally.add(check, fired.has(id) ? facts : null);
      else countOne(tally ? unjudged.otherForm : unjudged.gone, id);
    }
  };
  for await (const page of pages) {
    for (const check of page) {
      if (check.challenger !== null) {
        const challenge = parseChallenge(check.challenger);
        const tally = challengers.get(challenge.ruleset) ?? new ChallengerTally(challenge.ruleset, examples);
        challengers.set(challenge.ruleset, tally);
        tally.add(check, challenge);
      }
      await addRules(check);
    }
    onProgress?.(page.length);
  }
  const latestFirst = [...challengers.values()]
    .reverse()
    .toSorted((a, b) => compareTexts(b.seen.last ?? '', a.seen.last ?? ''));
  const chosen = inputs.challenger === null ? latestFirst[0] : challengers.get(inputs.challenger);
  return {
    challenger: chosen?.report(criteria) ?? null,
    other_challengers: latestFirst.filter((tally) => tally !== chosen).map(({ seen }) => seen),
    rules: [...rules.values()].map((tally) => tally.report(criteria)),
    unjudged,
  };
}

/** The facts that a set reads, each unknown: so it is where a record does not have it. */
function factsReadBy({ points, forces, shadows, levels, actions }: RuleSet): Facts {
  const read = [...points, ...forces, ...shadows, ...levels, ...actions].flatMap(({ reads }) => reads);
  const wanted = read.filter((id) => id !== RISK_SCORE && !id.startsWith(THRESHOLD_PREFIX));
  return Object.fromEntries(wanted.map((id) => [id, null]));
}

function countOne(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

/** What came of shadow rules and challengers, and what keeps that from being the whole truth. `checks` is how many were looked for. */
export async function reportShadow({
  checks,
  ...inputs
}: ShadowInputs & { readonly checks: number }): Promise<ShadowReport> {
  const { unjudged, ...findings } = await runShadow(inputs);
  return { ruleset: inputs.ruleSet.hash, checks, ...findings, caveats: caveatsOf(findings, unjudged) };
}

function caveatsOf(
  { challenger, rules }: Pick<ShadowReport, 'challenger' | 'rules'>,
  { otherForm, gone }: Unjudged,
): readonly string[] {
  const judged = [...rules.map(({ checks }) => checks), ...(challenger ? [challenger.checks] : [])];
  const hasLabels = judged.some(({ good, bad }) => good + bad > 0);
  const sets = challenger?.answered_by.length ?? 0;
  return [
    ...(judged.some(({ total }) => total > 0) && !hasLabels
      ? [
          'no check is labelled, so nobody can tell S/O and false positives: postern labels import brings labels',
        ]
      : []),
    ...(sets > 1 ? [`the challenger stands beside what was answered then, by ${sets} rule sets`] : []),
    ...[...otherForm].map(
      ([id, checks]) => `${id} was another rule in ${checksOf(checks)}, which are left out: it was edited`,
    ),
    ...[...gone].map(([id, checks]) => `${id} was tried in ${checksOf(checks)}, and is no shadow rule now`),
  ];
}

/** `1 check`, `20,000 checks` */
export function checksOf(count: number): string {
  return count === 1 ? '1 check' : `${whole(count)} checks`;
}
