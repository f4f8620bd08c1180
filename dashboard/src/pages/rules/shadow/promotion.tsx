import { Badge, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react';
import { formatShare } from '../../../format/numbers.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import type { ShadowReport } from '../queries.ts';

type Promotion = ShadowReport['rules'][number]['promotion'];
type Criterion = Promotion['criteria'][number];
type Figure = Pick<NonNullable<Criterion['latest']>, 'value' | 'interval'>;

const STANDINGS = {
  holds: { text: 'May be promoted', short: 'holds', color: 'teal', icon: IconCircleCheck },
  fails: { text: 'Not to be promoted', short: 'does not hold', color: 'orange', icon: IconCircleX },
  untold: { text: 'Cannot be told yet', short: 'cannot be told', color: 'gray', icon: IconHelpCircle },
} as const;

/** Whether all criteria hold: by word, icon and colour. */
export function PromotionBadge({ promotion: { standing } }: { readonly promotion: Promotion }) {
  const { text, color, icon: StandingIcon } = STANDINGS[standing];
  return (
    <Badge color={color} size="lg" miw="max-content" leftSection={<StandingIcon size={15} aria-hidden />}>
      {text}
    </Badge>
  );
}

/** Each criterion with its figures, and what is missing where it cannot be told. */
export function Criteria({ promotion: { criteria }, isMirrored = false }: CriteriaProps) {
  return (
    <Stack gap="xs">
      <Text size="sm">What a promotion takes, on each of the latest days that tell</Text>
      <DataTable
        caption="What a promotion takes"
        columns={COLUMNS}
        rows={criteria}
        rowKey={({ criterion }) => criterion}
        empty={null}
      />
      {isMirrored && (
        <Dimmed>
          The rule takes points away, so it is right where it hits the good: good and bad change places above.
        </Dimmed>
      )}
    </Stack>
  );
}

const COLUMNS: readonly Column<Criterion>[] = [
  { key: 'criterion', header: 'Criterion', render: describe },
  {
    key: 'overall',
    header: 'Overall',
    render: (criterion) => (criterion.overall ? show(criterion, criterion.overall.value) : '–'),
  },
  {
    key: 'latest',
    header: 'Latest days together',
    render: (criterion) => (criterion.latest ? withInterval(criterion, criterion.latest) : '–'),
  },
  {
    key: 'worst',
    header: 'Worst day',
    render: (criterion) =>
      criterion.worst ? (
        <>
          {withInterval(criterion, criterion.worst)} on{' '}
          <time dateTime={criterion.worst.day}>{criterion.worst.day}</time>
          {criterion.worst.few && ', of too few checks to count'}
        </>
      ) : (
        '–'
      ),
  },
  {
    key: 'standing',
    header: 'Standing',
    render: ({ standing, days: { judged, needed } }) =>
      `${STANDINGS[standing].short}${judged < needed ? ` (${judged} of ${needed} days)` : ''}`,
  },
];

interface CriteriaProps {
  readonly promotion: Promotion;
  readonly isMirrored?: boolean;
}

function describe({ criterion, limit }: Criterion): string {
  switch (criterion) {
    case 's_o':
      return `S/O at least ${limit}`;
    case 'hits':
      return `Hits at least ${formatPercent(limit)} of all checks`;
    case 'false_positives':
      return `Hits at most ${formatPercent(limit)} of the good`;
  }
}

function show({ criterion }: Criterion, value: number): string {
  return criterion === 's_o' ? value.toFixed(4) : formatShare(value);
}

/** The figure with its interval, which is wide where there are few checks. */
function withInterval(criterion: Criterion, { value, interval: [low = 0, high = 1] }: Figure): string {
  return `${show(criterion, value)} (${show(criterion, low)} to ${show(criterion, high)})`;
}

/** A limit with its own digits: formatShare would show 0.02 % as "< 0.1 %". */
function formatPercent(part: number): string {
  return `${Number((part * 100).toPrecision(6))} %`;
}
