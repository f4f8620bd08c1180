import { Skeleton, Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  /** Unique among the columns. */
  readonly key: string;
  readonly header: string;
  readonly render: (row: Row) => ReactNode;
  /** Figures are aligned at the end, so that their digits line up. */
  readonly align?: 'start' | 'end';
  /** The cell that names the row; the first column where none says so. */
  readonly isRowHeader?: boolean;
  /** In a narrow table, brief columns share a line; only those aligned at the end keep their headers there. */
  readonly isBrief?: boolean;
  /** For columns of buttons: only screen readers get the header. */
  readonly isHeaderHidden?: boolean;
}

interface Props<Row> {
  /** What the table holds; read out, and not shown. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Shown in place of the table where there are no rows: an EmptyState. */
  readonly empty: ReactNode;
}

/**
 * Rows and columns; at phone width each row is a card with the headers beside the values. The ARIA roles are explicit, since browsers
 * drop those of a table when CSS changes its `display`.
 */
export function DataTable<Row>({ caption, columns, rows, rowKey, empty }: Props<Row>) {
  if (rows?.length === 0) return empty;
  const nameKey = (columns.find(({ isRowHeader }) => isRowHeader) ?? columns[0])?.key;
  return (
    <Table.ScrollContainer type="native" minWidth={0} className={classes.frame}>
      <Table role="table" aria-busy={rows === undefined} className={classes.table} highlightOnHover>
        <caption>{caption}</caption>
        <Table.Thead role="rowgroup" className={classes.head}>
          <Table.Tr role="row">
            {columns.map(({ key, header, align, isHeaderHidden }) => (
              <Table.Th key={key} role="columnheader" scope="col" data-align={align}>
                {isHeaderHidden ? <VisuallyHidden>{header}</VisuallyHidden> : header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows === undefined ? (
            <WaitingRows columns={columns} />
          ) : (
            rows.map((row) => (
              <Table.Tr key={rowKey(row)} role="row">
                {columns.map((column) => (
                  <Cell key={column.key} column={column} isName={column.key === nameKey}>
                    {column.render(row)}
                  </Cell>
                ))}
              </Table.Tr>
            ))
          )}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly isName: boolean;
  readonly children: ReactNode;
}

function Cell<Row>({ column, isName, children }: CellProps<Row>) {
  const { header, align, isBrief, isHeaderHidden } = column;
  const shared = {
    'data-align': align,
    'data-brief': isBrief,
    'data-label': isHeaderHidden ? undefined : header,
    className: classes.cell,
    children: <div>{children}</div>,
  };
  return isName ? (
    <Table.Th role="rowheader" scope="row" {...shared} />
  ) : (
    <Table.Td role="cell" {...shared} />
  );
}

const WAITING_ROWS = ['first', 'second', 'third', 'fourth'];

function WaitingRows<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return WAITING_ROWS.map((row) => (
    <Table.Tr key={row} role="row">
      {columns.map((column) => (
        <Cell key={column.key} column={column} isName={false}>
          <Skeleton h={14} w="70%" miw={40} my={4} />
        </Cell>
      ))}
    </Table.Tr>
  ));
}
