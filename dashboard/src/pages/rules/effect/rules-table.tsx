import { Badge, Code, Group, Select, Stack, Switch, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatCount, formatPoints, formatShare } from '../../../format/numbers.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import type { Replay } from '../queries.ts';
import { totalOf } from './counts.ts';
import classes from './rules-table.module.css';

type Row = Replay['rules'][number];
type Figures = NonNullable<Row['candidate']>;

const ORDERS = {
  fires: { label: 'How often it fires', by: ({ fires }: Figures) => fires.count },
  decisive: { label: 'How often it decides', by: ({ decisive }: Figures) => totalOf(decisive) },
  precision: { label: 'Precision', by: ({ precision }: Figures) => precision.share ?? -1 },
  points: { label: 'Points', by: ({ points }: Figures) => points ?? 0 },
} as const;
type Order = keyof typeof ORDERS;

/** How each rule does, in this text and in force. */
export function RulesTable({ replay: { rules, cases } }: { readonly replay: Replay }) {
  const [order, setOrder] = useState<Order>('fires');
  const [showsAll, setShowsAll] = useState(false);
  const { by } = ORDERS[order];
  const sorted = rules.toSorted((a, b) => by(figuresOf(b)) - by(figuresOf(a)));
  const firing = sorted.filter((row) => hasFired(row));
  const hasLabels = cases.good + cases.bad > 0;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed" flex={1} miw={200}>
          Decisive: checks whose action would be the other one without the rule. Unique: no other rule with
          points fires.
        </Text>
        <Select
          aria-label="Order by"
          size="xs"
          w={180}
          data={Object.entries(ORDERS).map(([value, { label }]) => ({ value, label }))}
          value={order}
          onChange={(value) => value !== null && setOrder(value as Order)}
          allowDeselect={false}
        />
      </Group>
      <FiguresTable
        columns={hasLabels ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'precision')}
        rows={showsAll ? sorted : firing}
      />
      {firing.length < sorted.length && (
        <Switch
          size="xs"
          label={`Also the ${sorted.length - firing.length} that did not fire`}
          checked={showsAll}
          onChange={(event) => setShowsAll(event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}

interface Column {
  readonly key: string;
  readonly header: string;
  readonly render: (row: Row) => ReactNode;
}

const COLUMNS: readonly Column[] = [
  {
    key: 'points',
    header: 'Points',
    render: (row) => moved(row, ({ points }) => (points === null ? 'forces' : formatPoints(points))),
  },
  {
    key: 'fires',
    header: 'Fires',
    render: (row) => moved(row, ({ fires }) => formatShare(fires.share)),
  },
  {
    key: 'precision',
    header: 'Precision',
    render: (row) => moved(row, ({ precision }) => formatShare(precision.share)),
  },
  {
    key: 'decisive',
    header: 'Decisive',
    render: (row) => moved(row, ({ decisive }) => formatCount(totalOf(decisive))),
  },
  {
    key: 'unique',
    header: 'Unique',
    render: (row) => moved(row, ({ unique }) => formatCount(totalOf(unique))),
  },
  {
    key: 'last',
    header: 'Last fired',
    render: (row) => <RelativeTime at={figuresOf(row).last_fired} />,
  },
];

/** Narrow, since it stands beside the text: it scrolls by itself, and the names of the rules stay. */
function FiguresTable({
  columns,
  rows,
}: {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <section className={classes.scroll} aria-label="Rules and what they did" tabIndex={0}>
      <Table fz="xs" verticalSpacing={6} horizontalSpacing={8} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Rule</Table.Th>
            {columns.map(({ key, header }) => (
              <Table.Th key={key} scope="col">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Th scope="row">
                <NameOf row={row} />
              </Table.Th>
              {columns.map(({ key, render }) => (
                <Table.Td key={key}>{render(row)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function hasFired({ base, candidate }: Row): boolean {
  return (base?.fires.count ?? 0) + (candidate?.fires.count ?? 0) > 0;
}

/** Every rule is on one side at least. */
function figuresOf({ base, candidate }: Row): Figures {
  const figures = candidate ?? base;
  if (figures === null) throw new Error('a rule of a report is on one of its sides');
  return figures;
}

/** What it is, and what it was where that is something else. */
function moved({ base, candidate }: Row, show: (figures: Figures) => string): string {
  const [before, after] = [base && show(base), candidate && show(candidate)];
  if (before === null || after === null || before === after) return after ?? before ?? '';
  return `${before} → ${after}`;
}

function NameOf({ row }: { readonly row: Row }) {
  const { id, base, candidate } = row;
  const state =
    candidate === null
      ? 'gone'
      : base === null
        ? 'new'
        : candidate.mode !== base.mode
          ? `now ${candidate.mode}`
          : null;
  return (
    <Group gap={6} wrap="wrap">
      <Code fz="xs">{id}</Code>
      {figuresOf(row).mode === 'shadow' && (
        <Badge size="xs" variant="light" color="gray">
          shadow
        </Badge>
      )}
      {state !== null && (
        <Badge size="xs" variant="light" color="indigo">
          {state}
        </Badge>
      )}
    </Group>
  );
}
