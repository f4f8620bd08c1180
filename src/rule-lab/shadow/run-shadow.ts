import type { RecordedChallenge } from '../../checks/check-record.ts';
import { counted } from '../../lib/statistics.ts';
import { compareTexts } from '../../lib/text.ts';
import type { LedgerEntry } from '../../rules/decision.ts';
import { truthOf } from '../../rules/kleene.ts';
import { MemoizedDecider } from '../../rules/memoized-decider.ts';
import { isInside, triedRules } from '../../rules/rollout.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import type { RecordedCheck, TriedCheck } from '../../storage/ports.ts';
import { factsReader, parseColumn } from '../backtest/case.ts';
import type { PromotionCriteria } from './promotion.ts';
import { type ChallengerReport, ChallengerTally, RuleTally, type ShadowRuleReport } from './tallies.ts';

interface ShadowInputs {
  /** How many live checks there are, tried or not. */
  readonly checks: number;
  readonly pages: AsyncIterable<readonly TriedCheck[]>;
  /** The rules as they stand in the files now. */
  readonly ruleSet: RuleSet;
  readonly catalogue: Pick<FactCatalogue, 'facts'>;
  /** The hash of the challenger to report on; null for the one that was tried last. */
  readonly challenger: string | null;
  readonly criteria: PromotionCriteria;
  /** Flips shown whole, of each kind. */
  readonly examples: number;
  /** Called after each page with the number of checks in it. */
  readonly onProgress?: ((more: number) => void) | undefined;
}

/** What `rules shadow --json` prints. The same records and rules give the same octets: no clock is in it. */
export type ShadowReport = Awaited<ReturnType<typeof reportShadow>>;

/**
 * Reports on shadow rules and challengers, with caveats. Reads the records once, in constant memory. Shadow rules that fired are taken from
 * the recorded ledgers; the actions that they would turn are replayed.
 */
export async function reportShadow(inputs: ShadowInputs) {
  const { checks, pages, ruleSet, criteria, examples, onProgress } = inputs;
  const readFacts = factsReader(inputs.catalogue);
  const without = new MemoizedDecider(ruleSet);
  const rules = new Map(
    triedRules(ruleSet).map((rule) => [rule.id, new RuleTally(rule, ruleSet, without, examples)]),
  );
  const challengers = new Map<string, ChallengerTally>();
  // In how many checks, by id: rules that were tried in another form than the present one, and rules that are no shadow rules now.
  const unjudged = { otherForm: new Map<string, number>(), gone: new Map<string, number>() };

  const addRules = async (check: TriedCheck) => {
    const ledger = parseColumn<readonly LedgerEntry[]>(check, check.ledger ?? '[]');
    const fired = new Set(ledger.flatMap((entry) => (entry.kind === 'shadow' ? [entry.id] : [])));
    const facts = fired.size > 0 ? readFacts(check, check.facts ?? '{}') : null;
    const tried = parseColumn<Readonly<Record<string, string>>>(check, check.shadow_rules ?? '{}');
    for (const [id, hash] of Object.entries(tried)) {
      const tally = rules.get(id);
      if (tally && ruleSet.shadowHashes[id] === hash) await tally.add(check, fired.has(id) ? facts : null);
      else {
        const counts = tally ? unjudged.otherForm : unjudged.gone;
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
  };
  for await (const page of pages) {
    for (const check of page) {
      if (check.challenger !== null) {
        const challenge: RecordedChallenge = JSON.parse(check.challenger);
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
  const findings = {
    // Null where no check was answered beside a challenger.
    challenger: chosen?.report(criteria) ?? null,
    // The other challengers that were tried, the latest first.
    other_challengers: latestFirst.filter((tally) => tally !== chosen).map(({ seen }) => seen),
    rules: [...rules.values()].map((tally) => tally.report(criteria)),
  };
  return { ruleset: ruleSet.hash, checks, ...findings, caveats: caveatsOf(findings, unjudged) };
}

interface Findings {
  readonly challenger: ChallengerReport | null;
  readonly rules: readonly ShadowRuleReport[];
}

function caveatsOf(
  { challenger, rules }: Findings,
  unjudged: Readonly<Record<'otherForm' | 'gone', ReadonlyMap<string, number>>>,
): readonly string[] {
  const judged = [...rules.map(({ checks }) => checks), ...(challenger ? [challenger.checks] : [])];
  const hasLabels = judged.some(({ good, bad }) => good + bad > 0);
  const sets = challenger?.answered_by.length ?? 0;
  return [
    ...(judged.some(({ total }) => total > 0) && !hasLabels
      ? [
          'no check is labelled, so S/O and false positives cannot be told: postern labels import brings labels',
        ]
      : []),
    ...(sets > 1 ? [`the challenger stands beside what was answered then, by ${sets} rule sets`] : []),
    ...[...unjudged.otherForm].map(
      ([id, checks]) =>
        `${id} was another rule in ${counted(checks, 'check')}, which are left out: it was edited`,
    ),
    ...[...unjudged.gone].map(
      ([id, checks]) => `${id} was tried in ${counted(checks, 'check')}, and is no shadow rule now`,
    ),
  ];
}

interface ReplayInputs extends Pick<ShadowInputs, 'ruleSet' | 'catalogue' | 'criteria' | 'examples'> {
  readonly pages: AsyncIterable<readonly RecordedCheck[]>;
}

/**
 * Judges recorded checks by each shadow rule as it stands now, whether the rule was tried in them or not: a rule that was added a minute
 * ago has figures too. Reads the records once, in constant memory. Leaves out checks without a fact that the rule needs and, for a rule
 * that is rolled out, people who are or may be inside, for whom it counts already.
 */
export async function replayShadows({ pages, ruleSet, catalogue, criteria, examples }: ReplayInputs) {
  const readFacts = factsReader(catalogue);
  const without = new MemoizedDecider(ruleSet);
  const tallies = triedRules(ruleSet).map((rule) => ({
    rule,
    tally: new RuleTally(rule, ruleSet, without, examples),
  }));
  for await (const page of pages) {
    for (const check of page) {
      const stored = readFacts(check, check.facts);
      const facts = { ...stored, ...ruleSet.constants };
      for (const { rule, tally } of tallies) {
        if (rule.reads.some((id) => facts[id] === undefined)) continue;
        if (ruleSet.rollouts[rule.id] !== undefined && isInside(rule.id, ruleSet, stored) !== false) continue;
        await tally.add(check, truthOf(rule.condition, facts) ? stored : null);
      }
    }
  }
  return tallies.map(({ tally }) => tally.report(criteria));
}
