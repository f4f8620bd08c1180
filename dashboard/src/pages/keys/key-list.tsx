import { Button, Group, Text } from '@mantine/core';
import type { ApiKey } from '../../api/keys.ts';
import { formatCount } from '../../format/numbers.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { Nothing } from '../../ui/nothing.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { KeyState } from './key-state.tsx';
import type { KeyFigures } from './key-usage.ts';
import classes from './keys.module.css';

export interface KeyRow {
  readonly apiKey: ApiKey;
  /** Undefined while they are counted. */
  readonly figures: KeyFigures | undefined;
}

interface Props {
  readonly rows: readonly KeyRow[];
  /** Null where the person may not change keys. */
  readonly onAct: ((act: 'rotate' | 'revoke', row: KeyRow) => void) | null;
}

export function KeyList({ rows, onAct }: Props) {
  const columns: readonly Column<KeyRow>[] = [
    { key: 'key', header: 'Key', render: (row) => <Named row={row} /> },
    { key: 'state', header: 'State', render: ({ apiKey }) => <KeyState apiKey={apiKey} /> },
    { key: 'used', header: 'Last used', render: (row) => <LastUsed {...row} /> },
    {
      key: 'month',
      header: 'This month',
      align: 'end',
      render: ({ figures }) => (figures ? formatCount(figures.thisMonth) : '…'),
    },
    { key: 'days', header: '30 days', render: (row) => <Course {...row} /> },
    ...(onAct === null ? [] : [changeColumn(onAct)]),
  ];
  return (
    <DataTable caption="Keys" columns={columns} rows={rows} rowKey={({ apiKey }) => apiKey.id} empty={null} />
  );
}

function changeColumn(onAct: NonNullable<Props['onAct']>): Column<KeyRow> {
  const render = (row: KeyRow) => <Acts row={row} onAct={onAct} />;
  return { key: 'change', header: 'Change', align: 'end', isHeaderHidden: true, render };
}

function Named({ row }: { readonly row: KeyRow }) {
  const { name, prefix, environment, created_at } = row.apiKey;
  return (
    <div className={classes.named}>
      <Text inherit c={isOver(row) ? 'dimmed' : undefined}>
        {name ?? 'without a name'}
      </Text>
      <span className={classes.prefix}>{prefix}…</span>
      <Dimmed>
        {environment}, made <RelativeTime at={created_at} />
      </Dimmed>
    </div>
  );
}

function LastUsed({ figures }: KeyRow) {
  if (figures === undefined) return <>…</>;
  return figures.lastUsedAt === null ? <>not lately</> : <RelativeTime at={figures.lastUsedAt} />;
}

function Course({ apiKey, figures }: KeyRow) {
  if (figures === undefined || figures.byDay.every((count) => count === 0)) return <Nothing />;
  return <Sparkline label={`Checks by day with ${apiKey.name ?? apiKey.prefix}`} values={figures.byDay} />;
}

function Acts({ row, onAct }: { readonly row: KeyRow; readonly onAct: NonNullable<Props['onAct']> }) {
  if (isOver(row)) return null;
  const { state, name, prefix } = row.apiKey;
  const called = name ?? prefix;
  return (
    <Group gap="xs" wrap="nowrap">
      {state === 'active' && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Rotate ${called}`}
          onClick={() => onAct('rotate', row)}
        >
          Rotate
        </Button>
      )}
      <Button
        size="xs"
        variant="light"
        color="red"
        aria-label={`Revoke ${called}`}
        onClick={() => onAct('revoke', row)}
      >
        Revoke
      </Button>
    </Group>
  );
}

function isOver({ apiKey }: KeyRow): boolean {
  return apiKey.state === 'ended' || apiKey.state === 'revoked';
}
