import { formatCount, formatCounted } from '../../../format/numbers.ts';
import type { ShadowReport } from '../queries.ts';

type Report = ShadowReport['rules'][number];

/** A shadow rule as the board shows it. */
export interface TriedRule {
  /** Its figures on live traffic, by which a promotion goes. */
  readonly live: Report;
  /** Its figures in a replay of the checks on record, also of those before it was tried; null without a replay. */
  readonly replayed: Report | null;
  /** `live` or `replayed`, whichever covers more checks: a rule that was added a minute ago has figures too. */
  readonly shown: Report;
  /** What `shown` covers, in words. */
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
  return formatCounted(total, 'check');
}
