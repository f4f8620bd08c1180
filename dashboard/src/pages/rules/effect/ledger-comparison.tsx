import { Code, Table } from '@mantine/core';
import { formatPoints } from '../../../format/numbers.ts';
import type { Replay } from '../queries.ts';
import { compareLedgers } from './compare-ledgers.ts';
import classes from './flips.module.css';

type Example = Replay['flips']['to_block']['examples'][number];

/** How both sets come to their score; lines that differ stand out. */
export function LedgerComparison({ ledger: { base, candidate }, score }: Pick<Example, 'ledger' | 'score'>) {
  return (
    <Table fz="xs" verticalSpacing={3} className={classes.ledger}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Because of</Table.Th>
          <Table.Th scope="col">In force</Table.Th>
          <Table.Th scope="col">This text</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {compareLedgers(base, candidate).map(({ name, before, after }) => (
          <Table.Tr key={name} data-differs={before !== after}>
            <Table.Th scope="row">
              <Code fz="xs">{name}</Code>
            </Table.Th>
            <Table.Td>{show(before)}</Table.Td>
            <Table.Td>{show(after)}</Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr data-differs={score.base !== score.candidate}>
          <Table.Th scope="row">score</Table.Th>
          <Table.Td>{score.base}</Table.Td>
          <Table.Td>{score.candidate}</Table.Td>
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

function show(value: number | string | null): string {
  if (value === null) return '–';
  return typeof value === 'number' ? formatPoints(value) : value;
}
