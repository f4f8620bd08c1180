import { Group } from '@mantine/core';
import { formatCount } from '../../../format/numbers.ts';
import { checkOfAnyAccount } from '../../../scope.ts';
import { AccountLink } from '../../../ui/account-link.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { LabelBadge } from '../../../ui/label-badge.tsx';
import { Nothing } from '../../../ui/nothing.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { ActionBadge } from '../../../ui/verdict-badge.tsx';
import { totalOf } from '../effect/counts.ts';
import type { ShadowReport } from '../queries.ts';

type Flips = Pick<ShadowReport['rules'][number]['flips'], 'to_block' | 'to_allow'>;
type Example = Flips['to_block']['examples'][number];

/** Checks that would have been answered otherwise, each a link to its page. Nothing where there is none. */
export function FlipExamples({ flips: { to_block, to_allow } }: { readonly flips: Flips }) {
  const examples = [...to_block.examples, ...to_allow.examples];
  if (examples.length === 0) return null;
  const all = totalOf(to_block.counts) + totalOf(to_allow.counts);
  return (
    <details style={{ fontSize: 'var(--mantine-font-size-sm)' }}>
      <summary>
        {examples.length < all
          ? `${examples.length} of the ${formatCount(all)} checks whose action would change`
          : 'The checks whose action would change'}
      </summary>
      <DataTable
        caption="Checks whose action would change"
        columns={COLUMNS}
        rows={examples}
        rowKey={({ id }) => id}
        empty={null}
      />
    </details>
  );
}

const COLUMNS: readonly Column<Example>[] = [
  {
    key: 'check',
    header: 'Check',
    render: ({ id, domain }) => (
      <AccountLink href={checkOfAnyAccount(id)}>{domain === null ? id : `…@${domain}`}</AccountLink>
    ),
  },
  {
    key: 'change',
    header: 'Would change',
    render: ({ from, to }) => (
      <Group gap={6} wrap="nowrap" component="span">
        <ActionBadge action={from.action} /> → <ActionBadge action={to.action} />
      </Group>
    ),
  },
  {
    key: 'score',
    header: 'Score',
    render: ({ from, to }) =>
      from.risk_score === to.risk_score ? to.risk_score : `${from.risk_score} → ${to.risk_score}`,
  },
  {
    key: 'label',
    header: 'Label',
    render: ({ label }) => (label === null ? <Nothing /> : <LabelBadge label={label} />),
  },
  { key: 'at', header: 'When', render: ({ created_at }) => <RelativeTime at={created_at} /> },
];
