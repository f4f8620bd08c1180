import {
  ActionIcon,
  Anchor,
  Badge,
  Group,
  Select,
  Stack,
  Switch,
  Table,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core';
import { IconForms } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { formatCount, formatPoints, formatShare } from '../../../format/numbers.ts';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type NamedRule, namesIn, type RuleFiles } from '../language/names.ts';
import type { Replay } from '../queries.ts';
import { totalOf } from './counts.ts';
import { type DescribedRollout, describeRollout } from './describe-rollout.ts';
import classes from './rules-table.module.css';

type Replayed = Replay['rules'][number];
type Figures = NonNullable<Replayed['candidate']>;

/** A rule of the text, of the rules in force, or of both; without figures where no check was judged by it. */
interface Row {
  readonly id: string;
  readonly named: NamedRule | null;
  readonly base: Figures | null;
  readonly candidate: Figures | null;
}

const ORDERS = {
  fires: { label: 'How often it fires', by: ({ fires }: Figures) => fires.count },
  decisive: { label: 'How often it decides', by: ({ decisive }: Figures) => totalOf(decisive) },
  precision: { label: 'Precision', by: ({ precision }: Figures) => precision.share ?? -1 },
  points: { label: 'Points', by: ({ points }: Figures) => points ?? 0 },
} as const;
type Order = keyof typeof ORDERS;

interface Props {
  readonly replay: Replay | null;
  readonly files: RuleFiles;
  /** Goes to a rule in the text. */
  readonly onOpen: (id: string) => void;
  readonly onForm: (rule: NamedRule) => void;
}

/** Every rule of the text: what it is, and how it does in this text and in force. */
export function RulesTable({ replay, files, onOpen, onForm }: Props) {
  const [order, setOrder] = useState<Order>('fires');
  const [showsAll, setShowsAll] = useState(false);
  const rows = rowsOf(files, replay);
  const by = (row: Row) => {
    const figures = figuresOf(row);
    return figures === null ? -Infinity : ORDERS[order].by(figures);
  };
  const sorted = rows.toSorted((a, b) => by(b) - by(a));
  const firing = sorted.filter((row) => hasFired(row));
  const isShort = firing.length > 0 && !showsAll;
  const hasLabels = replay !== null && replay.cases.good + replay.cases.bad > 0;
  const name: Column = {
    key: 'rule',
    header: 'Rule',
    render: (row) => <NameOf {...{ row, onOpen, onForm }} />,
  };
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Dimmed flex={1} miw={200}>
          Decisive: checks whose action would be the other one without the rule. Unique: no other rule with
          points fires.
        </Dimmed>
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
        columns={[name, ...(hasLabels ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'precision'))]}
        rows={isShort ? firing : sorted}
      />
      {firing.length > 0 && firing.length < sorted.length && (
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

/** Rules that add points or force an action. Levels and actions are thresholds of the score, and are shown elsewhere. */
function rowsOf(files: RuleFiles, replay: Replay | null): readonly Row[] {
  const named = namesIn(files).rules.filter(({ list }) => list === 'rules' || list === 'forced');
  const replayed = new Map(replay?.rules.map((rule) => [rule.id, rule]));
  const gone = [...replayed.keys()].filter((id) => !named.some((rule) => rule.id === id));
  const rowOf = (id: string, rule: NamedRule | null) => {
    const { base = null, candidate = null } = replayed.get(id) ?? {};
    return { id, named: rule, base, candidate };
  };
  return [...named.map((rule) => rowOf(rule.id, rule)), ...gone.map((id) => rowOf(id, null))];
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
    render: (row) => moved(row, ({ points }) => pointsText(points)) || pointsText(row.named?.points ?? null),
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
    render: (row) => <RelativeTime at={figuresOf(row)?.last_fired ?? null} />,
  },
];

/** Narrow, since it stands beside the text: the table scrolls sideways, and the names of the rules stay in place. */
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
      <Table fz="xs" verticalSpacing={6} horizontalSpacing={6} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ key, header }) => (
              <Table.Th key={key} scope="col">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={`${row.id} ${row.named?.at ?? ''}`}>
              {columns.map(({ key, render }, place) =>
                place === 0 ? (
                  <Table.Th key={key} scope="row">
                    {render(row)}
                  </Table.Th>
                ) : (
                  <Table.Td key={key}>{render(row)}</Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** Also true for a rule that is new in this text: a person looks for it. */
function hasFired({ named, base, candidate }: Row): boolean {
  if (named !== null && base === null) return true;
  return (base?.fires.count ?? 0) + (candidate?.fires.count ?? 0) > 0;
}

function figuresOf({ base, candidate }: Row): Figures | null {
  return candidate ?? base;
}

function pointsText(points: number | null): string {
  return points === null ? 'forces' : formatPoints(points);
}

/** The figure; "before → after" where it differs. */
function moved({ base, candidate }: Row, show: (figures: Figures) => string): string {
  const [before, after] = [base && show(base), candidate && show(candidate)];
  if (before === null || after === null || before === after) return after ?? before ?? '';
  return `${before} → ${after}`;
}

interface NameProps {
  readonly row: Row;
  readonly onOpen: Props['onOpen'];
  readonly onForm: Props['onForm'];
}

/** Whether a date or an instant is still to come; a date is the beginning of the day in UTC. */
function isAhead(date: string): boolean {
  return Date.parse(date) > Date.now();
}

/** A link to the rule in the text, with remarks and the rollout below it. */
function NameOf({ row: { id, named, base, candidate }, onOpen, onForm }: NameProps) {
  const remarks = [
    ...(named === null ? ['gone'] : base === null && candidate !== null ? ['new'] : []),
    ...(named !== null && named.mode !== 'live' ? [named.mode] : []),
    ...(candidate && base && candidate.mode !== base.mode ? [`was ${base.mode}`] : []),
    named?.owner,
    named?.starts != null && isAhead(named.starts) && `starts ${named.starts}`,
    named?.expires != null && `until ${named.expires}`,
  ].filter(Boolean);
  const rollout = describeRollout({ named, base, candidate });
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <div>
        {named === null ? (
          breakable(id)
        ) : (
          <Anchor component="button" type="button" size="xs" ta="start" onClick={() => onOpen(id)}>
            {breakable(id)}
          </Anchor>
        )}
        {remarks.length > 0 && (
          <Dimmed span display="block">
            {remarks.join(', ')}
          </Dimmed>
        )}
        {rollout !== null && <RolloutNote {...rollout} />}
      </div>
      {named !== null && named.list === 'rules' && (
        <ActionIcon size="sm" aria-label={`Edit ${id} as a form`} onClick={() => onForm(named)}>
          <IconForms size={14} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}

/** `means` is shown in a tooltip, and read out by screen readers. */
function RolloutNote({ share, told, means }: DescribedRollout) {
  return (
    <Tooltip label={means} multiline maw={280}>
      <Dimmed span display="block">
        <Badge size="sm">{share}</Badge> {told}
        <VisuallyHidden>{`. ${means}`}</VisuallyHidden>
      </Dimmed>
    </Tooltip>
  );
}

/** The id with break opportunities between its words. */
function breakable(id: string): ReactNode {
  return id
    .split('_')
    .flatMap((word, place) => (place === 0 ? [word] : ['_', <wbr key={`${word} ${id}`} />, word]));
}
