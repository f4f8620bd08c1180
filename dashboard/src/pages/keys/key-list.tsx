import { Button, Group, Paper, Stack, Table, Text } from '@mantine/core';
import type { ApiKey } from '../../api/keys.ts';
import { formatCount } from '../../format/numbers.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
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
  /** Null for those who look only. */
  readonly onAct: ((act: 'rotate' | 'revoke', row: KeyRow) => void) | null;
}

/** The keys: a table at a desk, a card each on a phone. */
export function KeyList({ rows, onAct }: Props) {
  return (
    <>
      <Table visibleFrom="md" verticalSpacing="sm" className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Key</Table.Th>
            <Table.Th scope="col">Environment</Table.Th>
            <Table.Th scope="col">State</Table.Th>
            <Table.Th scope="col" visibleFrom="xl">
              Created
            </Table.Th>
            <Table.Th scope="col">Last used</Table.Th>
            <Table.Th scope="col" ta="right">
              This month
            </Table.Th>
            <Table.Th scope="col">30 days</Table.Th>
            {onAct !== null && <Table.Th scope="col">Change</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.apiKey.id} className={isOver(row) ? classes.ended : undefined}>
              <Table.Th scope="row" fw={500}>
                <Named apiKey={row.apiKey} />
              </Table.Th>
              <Table.Td>{row.apiKey.environment}</Table.Td>
              <Table.Td>
                <KeyState apiKey={row.apiKey} />
              </Table.Td>
              <Table.Td visibleFrom="xl">
                <RelativeTime at={row.apiKey.created_at} />
              </Table.Td>
              <Table.Td>
                <LastUsed {...row} />
              </Table.Td>
              <Table.Td ta="right">{row.figures ? formatCount(row.figures.thisMonth) : '…'}</Table.Td>
              <Table.Td>
                <Course {...row} />
              </Table.Td>
              {onAct !== null && (
                <Table.Td>
                  <Acts row={row} onAct={onAct} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Stack hiddenFrom="md" gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {rows.map((row) => (
          <Paper key={row.apiKey.id} component="li" className={isOver(row) ? classes.ended : undefined}>
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <Named apiKey={row.apiKey} />
              <KeyState apiKey={row.apiKey} />
            </Group>
            <Group justify="space-between" mt="xs" wrap="nowrap">
              <Text size="sm" c="dimmed">
                {row.apiKey.environment} · {row.figures ? formatCount(row.figures.thisMonth) : '…'} this month
                · last used <LastUsed {...row} />
              </Text>
              <Course {...row} />
            </Group>
            {onAct !== null && <Acts row={row} onAct={onAct} />}
          </Paper>
        ))}
      </Stack>
    </>
  );
}

function Named({ apiKey }: { readonly apiKey: ApiKey }) {
  return (
    <div className={classes.named}>
      <div>{apiKey.name ?? 'without a name'}</div>
      <span className={classes.prefix}>{apiKey.prefix}…</span>
    </div>
  );
}

function LastUsed({ figures }: KeyRow) {
  if (figures === undefined) return <>…</>;
  return figures.lastUsedAt === null ? <>not lately</> : <RelativeTime at={figures.lastUsedAt} />;
}

function Course({ apiKey, figures }: KeyRow) {
  if (figures === undefined || figures.byDay.every((count) => count === 0)) return null;
  return <Sparkline label={`Checks by day with ${apiKey.name ?? apiKey.prefix}`} values={figures.byDay} />;
}

function Acts({ row, onAct }: { readonly row: KeyRow; readonly onAct: NonNullable<Props['onAct']> }) {
  if (isOver(row)) return null;
  const { state, name, prefix } = row.apiKey;
  const called = name ?? prefix;
  return (
    <Group gap="xs" wrap="nowrap" mt={{ base: 'sm', md: 0 }}>
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
