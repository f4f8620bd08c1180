import { formatCount } from '../../../format/numbers.ts';
import type { ShadowReport } from '../queries.ts';

type Report = ShadowReport['rules'][number];

/** A shadow rule as the board shows it. */
export interface TriedRule {
  /** What it came to on live traffic; a promotion goes by that. */
  readonly live: Report;
  /** What it makes of the checks on record, tried in them or not. */
  readonly replayed: Report | null;
  /** Of the two, the one of more checks: a rule that was added a minute ago has figures too. */
  readonly shown: Report;
  /** What the figures are of. */
  readonly basis: string;
}

export function triedRules({
  rules,
  replayed,
}: Pick<ShadowReport, 'rules' | 'replayed'>): readonly TriedRule[] {
  return rules.map((live) => {
    const replay = replayed.find(({ id }) => id === live.id) ?? null;
    const isReplayed = replay !== null && replay.checks.total > live.checks.total;
    return {
      live,
      replayed: replay,
      shown: isReplayed ? replay : live,
      basis: isReplayed
        ? `replay of ${checks(replay)}; tried live in ${formatCount(live.checks.total)}`
        : `tried live in ${checks(live)}`,
    };
  });
}

function checks({ checks: { total } }: Report): string {
  return total === 1 ? '1 check' : `${formatCount(total)} checks`;
}
