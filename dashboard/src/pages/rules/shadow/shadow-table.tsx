import { Button, Group, Stack } from '@mantine/core';
import { formatCount, formatPoints, formatShare } from '../../../format/numbers.ts';
import { TextLink } from '../../../ui/account-link.tsx';
import { Sparkline } from '../../../ui/charts/sparkline.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { totalOf } from '../effect/counts.ts';
import { PromotionBadge } from './promotion.tsx';
import type { TriedRule } from './tried-rules.ts';

interface Props {
  readonly rules: readonly TriedRule[];
  readonly onOpen: (id: string) => void;
  readonly onPromote: (id: string) => void;
}

/** Every rule that is tried, one a row. */
export function ShadowTable({ rules, onOpen, onPromote }: Props) {
  return (
    <DataTable
      caption="Rules that are tried"
      columns={[...COLUMNS, actions(onOpen, onPromote)]}
      rows={rules}
      rowKey={({ live }) => live.id}
      empty={null}
    />
  );
}

const COLUMNS: readonly Column<TriedRule>[] = [
  {
    key: 'rule',
    header: 'Rule',
    isRowHeader: true,
    render: ({ live: { id, group, points, rollout }, basis }) => (
      <>
        <TextLink href={`/rules?rule=${encodeURIComponent(id)}`}>{id}</TextLink>
        <Small>
          {group}, {formatPoints(points)} points
        </Small>
        {rollout !== null && (
          <Small>{`counts for ${rollout.percent} % of people, here are the others`}</Small>
        )}
        <Small>{basis}</Small>
      </>
    ),
  },
  {
    key: 'fires',
    header: 'Fires',
    render: ({ shown: { fires, days } }) => (
      <Stack gap={2}>
        <span>
          {formatShare(fires.share)} <Interval {...fires} />
        </span>
        {days.length > 1 && <Sparkline label={describeCourse(days)} values={courseOf(days)} />}
      </Stack>
    ),
  },
  {
    key: 'precision',
    header: 'Precision',
    render: ({ shown: { precision } }) => (
      <>
        {formatShare(precision.share)} <Interval {...precision} />
      </>
    ),
  },
  { key: 's_o', header: 'S/O', render: ({ shown: { s_o } }) => (s_o === null ? '–' : s_o.toFixed(3)) },
  {
    key: 'flips',
    header: 'Would change',
    render: ({ shown: { flips } }) => describeFlips(flips),
  },
  {
    key: 'standing',
    header: 'Promotion',
    render: ({ live }) => <PromotionBadge promotion={live.promotion} />,
  },
];

function actions(onOpen: Props['onOpen'], onPromote: Props['onPromote']): Column<TriedRule> {
  return {
    key: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    render: ({ live: { id, rollout } }) => (
      <Group gap={4}>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Details of ${id}`}
          onClick={() => onOpen(id)}
        >
          Details
        </Button>
        <Button
          size="compact-xs"
          aria-label={rollout === null ? `Promote ${id}` : `Roll out ${id} further`}
          onClick={() => onPromote(id)}
        >
          {rollout === null ? 'Promote…' : 'Roll out…'}
        </Button>
      </Group>
    ),
  };
}

type Days = TriedRule['shown']['days'];

const shareOfDay = ({ checks, hits }: Days[number]) => (checks === 0 ? 0 : hits / checks);

/** The shares by day, scaled to the highest day, so that they can be told apart. */
function courseOf(days: Days): readonly number[] {
  const shares = days.map(shareOfDay);
  const most = Math.max(...shares);
  return most === 0 ? shares : shares.map((share) => share / most);
}

function describeFlips({ to_block, to_allow }: TriedRule['shown']['flips']): string {
  const ways = [
    [totalOf(to_block.counts), 'to BLOCK'],
    [totalOf(to_allow.counts), 'to ALLOW'],
  ] as const;
  const some = ways.filter(([count]) => count > 0);
  return some.map(([count, way]) => `${formatCount(count)} ${way}`).join(', ') || 'nothing';
}

function describeCourse(days: Days): string {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return 'Fires by day';
  return `Fires by day, from ${formatShare(shareOfDay(first))} on ${first.day} to ${formatShare(shareOfDay(last))} on ${last.day}`;
}

/** The interval of a share, wide where there are few checks. Nothing where there is no share. */
function Interval({ share, low, high }: { share: number | null; low: number; high: number }) {
  if (share === null) return null;
  const percent = (part: number) => (part * 100).toFixed(1);
  return (
    <Dimmed span>
      ({percent(low)} to {percent(high)})
    </Dimmed>
  );
}

function Small({ children }: { readonly children: React.ReactNode }) {
  return <Dimmed fw={400}>{children}</Dimmed>;
}
