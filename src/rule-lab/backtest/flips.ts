import { signed } from '../../lib/statistics.ts';
import type { Action, Facts, LedgerEntry } from '../../rules/decision.ts';
import type { BySide, Case, Side } from './case.ts';
import { describePeople, type RuleFigures } from './figures.ts';
import { addCounts, type Cell, countWhere, noCounts, totalOf } from './tally.ts';

export type LedgerOf = (side: Side, facts: Facts) => Promise<readonly LedgerEntry[]>;

type Flips = Awaited<ReturnType<typeof findFlips>>;
type FlipGroup = Flips['groups'][number];

/** The cases whose action becomes `action`, in groups with the same outcomes, the largest first, with the ledgers of some cases. */
export async function findFlips(cells: readonly Cell[], action: Action, ledgerOf: LedgerOf) {
  const flipped = cells.filter(
    ({ base, candidate }) => base.action !== action && candidate.action === action,
  );
  // A stable sort: groups of one size stay in the order in which they were met.
  const bySize = flipped.toSorted((a, b) => totalOf(b.counts) - totalOf(a.counts));
  const describeExample = async (example: Case) => ({
    id: example.id,
    created_at: example.createdAt,
    domain: example.domain,
    label: example.label,
    ledger: {
      base: await ledgerOf('base', example.facts),
      candidate: await ledgerOf('candidate', example.candidateFacts),
    },
  });
  const describeGroup = async ({ base, candidate, counts, examples }: Cell) => ({
    counts,
    score: { base: base.score, candidate: candidate.score },
    // Rules that fired on one side only; none on either means that points, caps or thresholds moved.
    fired: {
      only_base: base.fired.filter((id) => !candidate.fired.includes(id)),
      only_candidate: candidate.fired.filter((id) => !base.fired.includes(id)),
    },
    examples: await Promise.all(examples.map(describeExample)),
  });
  return { counts: countWhere(flipped, () => true), groups: await Promise.all(bySize.map(describeGroup)) };
}

/** Groups of flips that the same change of the rules brought about. */
export type Reason = ReturnType<typeof reasonsOf>[number];

interface Flipped {
  readonly flips: { readonly to_block: Flips; readonly to_allow: Flips };
  readonly sweep: BySide<{ readonly threshold: number | null }>;
  readonly rules: readonly Pick<RuleFigures, 'id' | 'base' | 'candidate'>[];
}

type Direction = keyof Flipped['flips'];

/** The reasons of the flips in one direction, the reason of most cases first. */
export function reasonsOf(report: Flipped, direction: Direction) {
  const { groups: flipped }: Flips = report.flips[direction];
  const byParts = Map.groupBy(flipped, (group) => JSON.stringify(partsOf(report, direction, group)));
  const reasons = [...byParts].map(([key, groups]) => {
    // What changed, one part each: `+new_rule`, `+tried (5 % → 25 %)`, `tld_high_risk +30 → +45`, `BLOCK from 55, not 70`.
    const parts: readonly string[] = JSON.parse(key);
    const counts = noCounts();
    for (const group of groups) addCounts(counts, group.counts);
    return { parts, counts, groups };
  });
  return reasons.toSorted((a, b) => totalOf(b.counts) - totalOf(a.counts));
}

function partsOf(report: Flipped, direction: Direction, group: FlipGroup): readonly string[] {
  const { only_base: gone, only_candidate: added } = group.fired;
  const ledgers = group.examples[0]?.ledger;
  const ofRules = [
    ...added.map((id) => `+${id}${peopleOf(report, id)}`),
    ...gone.map((id) => `−${id}${peopleOf(report, id)}`),
    ...(ledgers ? changedPoints(ledgers, 'rule') : []),
  ];
  // What a cap or a composite takes off follows from the rules that fired, so it is a reason only where those and their points are the same.
  const ofPoints =
    ofRules.length > 0 || !ledgers
      ? ofRules
      : [...changedPoints(ledgers, 'absorbed'), ...changedPoints(ledgers, 'cap')];
  const parts = [...ofPoints, ...movedThreshold(report, direction, group)];
  return parts.length > 0 ? parts : ['the same rules, with other points, caps or thresholds'];
}

/** The change of a rollout, to stand behind the rule's id: a rule that now counts for more people is not new. */
function peopleOf({ rules }: Flipped, id: string): string {
  const rule = rules.find((one) => one.id === id);
  const people = rule === undefined ? '' : describePeople(rule);
  return people && ` (${people})`;
}

/** An entry that points stand in by themselves. */
type PointsEntry = Extract<LedgerEntry, { kind: 'rule' | 'absorbed' | 'cap' }>;

function changedPoints(ledgers: BySide<readonly LedgerEntry[]>, kind: PointsEntry['kind']) {
  const before = pointsByName(ledgers.base, kind);
  const after = pointsByName(ledgers.candidate, kind);
  const either = [...new Set([...before.keys(), ...after.keys()])];
  const names = kind === 'rule' ? either.filter((name) => before.has(name) && after.has(name)) : either;
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name} ${signed(before.get(name) ?? 0)} → ${signed(after.get(name) ?? 0)}`);
}

function pointsByName(ledger: readonly LedgerEntry[], kind: PointsEntry['kind']): Map<string, number> {
  const entries = ledger.filter((entry): entry is PointsEntry => entry.kind === kind);
  return new Map(entries.map((entry) => [nameOf(entry), entry.points]));
}

function nameOf(entry: PointsEntry): string {
  if (entry.kind === 'cap') return `cap of ${entry.group}`;
  return entry.kind === 'rule' ? entry.id : `${entry.id} absorbed by ${entry.by}`;
}

/** A moved threshold of BLOCK is a reason only where the new score against the old threshold would not have changed the action. */
function movedThreshold({ sweep }: Flipped, direction: Direction, { score }: FlipGroup): readonly string[] {
  const [before, after] = [sweep.base.threshold, sweep.candidate.threshold];
  if (before === null || after === null || before === after) return [];
  // A forced action asks for no score.
  const wasAbove = score.candidate >= before;
  const isAbove = score.candidate >= after;
  const isReason = direction === 'to_block' ? isAbove && !wasAbove : wasAbove && !isAbove;
  return isReason ? [`BLOCK from ${after}, not ${before}`] : [];
}
