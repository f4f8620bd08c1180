import { parseChallenge } from '../../checks/check-record.ts';
import type { Label } from '../../labels/label.ts';
import { compareTexts } from '../../lib/text.ts';
import type { RuleSet } from '../../rules/compile.ts';
import { MemoizedDecider } from '../../rules/memoized-decider.ts';
import type { TriedCheck } from '../../storage/ports.ts';
import { ChallengerTally } from './challenger-tally.ts';
import type { PromotionCriteria } from './promotion.ts';
import type { ShadowReport } from './report.ts';
import { RuleTally } from './rule-tally.ts';
import { TriedCheckReader } from './tried-check.ts';

export interface ShadowInputs {
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
export interface Unjudged {
  /** In another form than the one that stands now. */
  readonly otherForm: ReadonlyMap<string, number>;
  /** They are no shadow rules now. */
  readonly gone: ReadonlyMap<string, number>;
}

export type ShadowFindings = Pick<ShadowReport, 'challenger' | 'other_challengers' | 'rules'> & {
  readonly unjudged: Unjudged;
};

/** Reads the records once, in constant memory. What fired is taken from their ledgers; what it would turn is replayed. */
export async function runShadow(inputs: ShadowInputs): Promise<ShadowFindings> {
  const { pages, ruleSet, criteria, examples, onProgress } = inputs;
  const reader = new TriedCheckReader(ruleSet);
  const without = new MemoizedDecider(ruleSet);
  const rules = new Map(
    ruleSet.shadows.map((rule) => [rule.id, new RuleTally(rule, ruleSet, without, examples)]),
  );
  const challengers = new Map<string, ChallengerTally>();
  const unjudged = { otherForm: new Map<string, number>(), gone: new Map<string, number>() };

  const addRules = async (check: TriedCheck, label: Label | null) => {
    const fired = reader.firedIn(check);
    const facts = fired.size > 0 ? reader.factsOf(check) : null;
    for (const [id, hash] of reader.rulesOf(check)) {
      const tally = rules.get(id);
      if (tally && ruleSet.shadowHashes[id] === hash)
        await tally.add(check, label, fired.has(id) ? facts : null);
      else countOne(tally ? unjudged.otherForm : unjudged.gone, id);
    }
  };
  const addChallenge = (check: TriedCheck, json: string, label: Label | null) => {
    const challenge = parseChallenge(json);
    let tally = challengers.get(challenge.ruleset);
    if (!tally) {
      tally = new ChallengerTally(challenge.ruleset, examples);
      challengers.set(challenge.ruleset, tally);
    }
    tally.add(check, challenge, label);
  };

  for await (const page of pages) {
    for (const check of page) {
      const label = check.label;
      if (check.challenger !== null) addChallenge(check, check.challenger, label);
      await addRules(check, label);
    }
    onProgress?.(page.length);
  }
  const latestFirst = [...challengers.values()].reverse().toSorted(byLastSeen);
  const chosen = inputs.challenger === null ? latestFirst[0] : challengers.get(inputs.challenger);
  return {
    challenger: chosen?.report(criteria) ?? null,
    other_challengers: latestFirst.filter((tally) => tally !== chosen).map(({ seen }) => seen),
    rules: [...rules.values()].map((tally) => tally.report(criteria)),
    unjudged,
  };
}

function byLastSeen({ seen: a }: ChallengerTally, { seen: b }: ChallengerTally): number {
  return compareTexts(b.last ?? '', a.last ?? '');
}

function countOne(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}
