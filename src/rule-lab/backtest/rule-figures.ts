import { roundTo4, shareOf } from '../../lib/statistics.ts';
import type { RuleSet } from '../../rules/compile.ts';
import type { Outcome } from './judge.ts';
import type { BySide, RuleFigures, RuleSideFigures, Side } from './report.ts';
import { type Cell, type Counts, countWhere, totalOf } from './tally.ts';

/** How each rule of either set did, by id. */
export function figureRules(
  cells: readonly Cell[],
  all: Counts,
  ruleSets: BySide<RuleSet>,
): readonly RuleFigures[] {
  const base = figureSide(cells, all, ruleSets, 'base');
  const candidate = figureSide(cells, all, ruleSets, 'candidate');
  const ids = [...new Set([...base.keys(), ...candidate.keys()])].sort();
  return ids.map((id) => ({
    id,
    kind: isForce(id, ruleSets.base) || isForce(id, ruleSets.candidate) ? 'force' : 'points',
    base: base.get(id) ?? null,
    candidate: candidate.get(id) ?? null,
  }));
}

function isForce(id: string, { forces }: RuleSet): boolean {
  return forces.some((force) => force.id === id);
}

function figureSide(
  cells: readonly Cell[],
  all: Counts,
  ruleSets: BySide<RuleSet>,
  side: Side,
): ReadonlyMap<string, RuleSideFigures> {
  const { forces, points, shadows } = ruleSets[side];
  const withPoints = new Set(points.map(({ id }) => id));
  const figure = (id: string, mode: 'live' | 'shadow', worth: number | null): [string, RuleSideFigures] => {
    const fires = (outcome: Outcome) => (mode === 'live' ? outcome.fired : outcome.shadows).includes(id);
    const isAlone = ({ fired }: Outcome) => fired.every((other) => other === id || !withPoints.has(other));
    const where = (isMeant: (outcome: Outcome) => boolean) =>
      countWhere(cells, (cell) => isMeant(cell[side]));
    const hits = where(fires);
    return [
      id,
      {
        mode,
        points: worth,
        fires: shareOf(totalOf(hits), totalOf(all)),
        by_label: hits,
        precision: shareOf(hits.bad, hits.bad + hits.good),
        s_o: shownSpamOverOverall(hits, all),
        decisive: where(({ decisive }) => decisive.includes(id)),
        last_fired: lastOf(cells.filter((cell) => fires(cell[side]))),
        unique: where((outcome) => fires(outcome) && isAlone(outcome)),
        stood_aside: totalOf(where(({ stoodAside }) => stoodAside.includes(id))),
      },
    ];
  };
  return new Map([
    ...forces.map(({ id }) => figure(id, 'live', null)),
    ...points.map(({ id, points: worth }) => figure(id, 'live', worth)),
    ...shadows.map(({ id, points: worth }) => figure(id, 'shadow', worth)),
  ]);
}

/** Of instants that are written alike the greatest text is the latest. */
function lastOf(cells: readonly Cell[]): string | null {
  return cells.reduce<string | null>(
    (latest, { last }) => (last !== null && (latest === null || last > latest) ? last : latest),
    null,
  );
}

/** S/O as it is shown: four decimals. */
export function shownSpamOverOverall(hits: Counts, all: Counts): number | null {
  const value = spamOverOverall(hits, all);
  return value === null ? null : roundTo4(value);
}

/** See `RuleSideFigures.s_o`; not rounded. */
export function spamOverOverall(hits: Counts, all: Counts): number | null {
  if (all.good === 0 || all.bad === 0) return null;
  const [bad, good] = [hits.bad / all.bad, hits.good / all.good];
  return bad + good === 0 ? null : bad / (bad + good);
}
