import { formatCounted } from '../../../format/numbers.ts';
import type { NamedRule } from '../language/names.ts';
import type { Replay } from '../queries.ts';
import { totalOf } from './counts.ts';

type Replayed = Replay['rules'][number];

interface Row {
  readonly named: Pick<NamedRule, 'mode' | 'percent'> | null;
  readonly base: Pick<NonNullable<Replayed['base']>, 'mode' | 'rollout'> | null;
  readonly candidate: Pick<NonNullable<Replayed['candidate']>, 'rollout'> | null;
}

export type DescribedRollout = NonNullable<ReturnType<typeof describeRollout>>;

/** The share of a rule's rollout (`10 %`), what it did and what it means; null for a rule that counts for everyone, and did, or is gone. */
export function describeRollout({ named, base, candidate }: Row) {
  if (named === null) return null;
  const { percent, mode } = named;
  const before = base?.mode === 'live' ? (base.rollout?.percent ?? null) : undefined;
  const was = before === undefined || before === percent ? [] : [`was ${before ?? 100} %`];
  if (percent === null) {
    if (before === undefined || before === null) return null;
    return { share: '100 %', told: ['of people', ...was].join(', '), means: 'It counts for everyone.' };
  }
  const outside = totalOf((candidate ?? base)?.rollout?.outside ?? NONE);
  const fired = outside === 0 ? [] : [`fired outside in ${formatCounted(outside, 'check')}`];
  const isLive = mode === 'live';
  return {
    share: `${percent} %`,
    told: [isLive ? 'of people' : 'of people once it is live', ...was, ...fired].join(', '),
    means: isLive
      ? `It counts for ${percent} % of people, the same ones each time. For the others it stands in the ledger and changes nothing.`
      : 'Its rollout does nothing until it is live.',
  };
}

const NONE = { good: 0, bad: 0, unlabelled: 0 };
