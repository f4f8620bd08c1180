import { signed } from '../../lib/statistics.ts';
import type { LedgerEntry } from '../../rules/decision.ts';
import type { BacktestReport, BySide, FlipGroup, Flips } from './report.ts';
import { addCounts, type Counts, noCounts, totalOf } from './tally.ts';

/** Groups of flips that the same change of the rules brought about. */
export interface Reason {
  /** What changed, one part each: `+new_rule`, `tld_high_risk +30 → +45`, `BLOCK from 55, not 70`. */
  readonly parts: readonly string[];
  readonly counts: Counts;
  readonly groups: readonly FlipGroup[];
}

type Direction = keyof BacktestReport['flips'];

/** The reason of most cases first. */
export function reasonsOf(report: BacktestReport, direction: Direction): readonly Reason[] {
  const flips: Flips = report.flips[direction];
  const reasons = new Map<string, { parts: readonly string[]; counts: Counts; groups: FlipGroup[] }>();
  for (const group of flips.groups) {
    const parts = partsOf(report, direction, group);
    const key = JSON.stringify(parts);
    const reason = reasons.get(key) ?? { parts, counts: noCounts(), groups: [] };
    reasons.set(key, reason);
    addCounts(reason.counts, group.counts);
    reason.groups.push(group);
  }
  return [...reasons.values()].toSorted((a, b) => totalOf(b.counts) - totalOf(a.counts));
}

function partsOf(report: BacktestReport, direction: Direction, group: FlipGroup): readonly string[] {
  const { only_base: gone, only_candidate: added } = group.fired;
  const ledgers = group.examples[0]?.ledger;
  const ofRules = [
    ...added.map((id) => `+${id}`),
    ...gone.map((id) => `−${id}`),
    ...(ledgers ? changedPoints(ledgers, 'rule') : []),
  ];
  // The sum that a cap or a composite takes off follows from the rules; it is a reason only where they are the same.
  const ofPoints =
    ofRules.length > 0 || !ledgers
      ? ofRules
      : [...changedPoints(ledgers, 'absorbed'), ...changedPoints(ledgers, 'cap')];
  const parts = [...ofPoints, ...movedThreshold(report, direction, group)];
  return parts.length > 0 ? parts : ['the same rules, with other points, caps or thresholds'];
}

function changedPoints(ledgers: BySide<readonly LedgerEntry[]>, kind: 'rule' | 'absorbed' | 'cap') {
  const before = pointsByName(ledgers.base, kind);
  const after = pointsByName(ledgers.candidate, kind);
  const names = kind === 'rule' ? [...before.keys()].filter((name) => after.has(name)) : union(before, after);
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name} ${signed(before.get(name) ?? 0)} → ${signed(after.get(name) ?? 0)}`);
}

function pointsByName(ledger: readonly LedgerEntry[], kind: LedgerEntry['kind']): Map<string, number> {
  return new Map(ledger.filter((entry) => entry.kind === kind).map((entry) => [nameOf(entry), entry.points]));
}

function nameOf(entry: LedgerEntry): string {
  switch (entry.kind) {
    case 'cap':
      return `cap of ${entry.group}`;
    case 'absorbed':
      return `${entry.id} absorbed by ${entry.by}`;
    default:
      return 'id' in entry ? String(entry.id) : entry.kind;
  }
}

function union<Key>(a: ReadonlyMap<Key, unknown>, b: ReadonlyMap<Key, unknown>): readonly Key[] {
  return [...new Set([...a.keys(), ...b.keys()])];
}

/** The score that BLOCK begins at is a reason where the old one, with the new points, would not have turned the action. */
function movedThreshold(
  { sweep }: BacktestReport,
  direction: Direction,
  { score }: FlipGroup,
): readonly string[] {
  const [before, after] = [sweep.base.threshold, sweep.candidate.threshold];
  if (before === null || after === null || before === after) return [];
  // A forced action asks for no score.
  const wasAbove = score.candidate >= before;
  const isAbove = score.candidate >= after;
  const isReason = direction === 'to_block' ? isAbove && !wasAbove : wasAbove && !isAbove;
  return isReason ? [`BLOCK from ${after}, not ${before}`] : [];
}
