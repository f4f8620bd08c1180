import { Anchor, Group, Table } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import { AccountLink } from '../account-link.tsx';
import { Dimmed } from '../dimmed.tsx';
import classes from './charts.module.css';

export interface ChartTable {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** One for each row: the page of what its figures count. */
  readonly links?: readonly string[];
}

export interface LegendEntry {
  readonly label: string;
  /** A CSS colour. */
  readonly color: string;
}

/** Room for the handles of marks. */
const MARKS_PX = 20;

interface Props {
  /** What the chart shows: its accessible name. */
  readonly title: string;
  /** What the chart shows, in a sentence, for people who cannot see it. */
  readonly description: string;
  readonly height: number;
  readonly legend?: readonly LegendEntry[];
  /** The same figures as a table: for screen readers, and for the exact values. */
  readonly table: ChartTable;
  /** The marks over the chart, as a table. Their handles take room above the drawing. */
  readonly marks?: ChartTable | undefined;
  /** Drawn once the width is known. */
  readonly children: (width: number) => ReactNode;
  /** Drawn over the chart and no part of the image: handles, tooltips. */
  readonly overlay?: (width: number) => ReactNode;
}

/** The frame of every chart: a name, a description, a legend, the drawing at the available width, and the figures as a table. */
export function ChartFrame({
  title,
  description,
  height,
  legend = [],
  table,
  marks,
  children,
  overlay,
}: Props) {
  const { ref, width } = useElementSize();
  const id = useId();
  const hasMarks = marks !== undefined && marks.rows.length > 0;
  return (
    <figure className={classes.figure}>
      {legend.length > 1 && (
        <Group gap="md" mb="xs" aria-hidden>
          {legend.map(({ label, color }) => (
            <Group key={label} gap={6} wrap="nowrap">
              <span className={classes.swatch} style={{ background: color }} />
              <Dimmed>{label}</Dimmed>
            </Group>
          ))}
        </Group>
      )}
      <div ref={ref} className={classes.drawing} style={{ height, marginTop: hasMarks ? MARKS_PX : 0 }}>
        {width > 0 && (
          <>
            <svg
              width={width}
              height={height}
              role="img"
              aria-labelledby={`${id}-title`}
              aria-describedby={`${id}-text`}
            >
              <title id={`${id}-title`}>{title}</title>
              <desc id={`${id}-text`}>{description}</desc>
              {children(width)}
            </svg>
            {overlay?.(width)}
          </>
        )}
      </div>
      <FiguresAsTable title={title} tables={hasMarks ? [table, marks] : [table]} />
    </figure>
  );
}

interface FiguresProps {
  readonly title: string;
  readonly tables: readonly ChartTable[];
}

function FiguresAsTable({ title, tables }: FiguresProps) {
  return (
    <details className={classes.details}>
      <summary>Figures as a table</summary>
      {/* Scrolls by itself, so it has to be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1, a region that scrolls */}
      <section className={classes.figures} aria-label={`${title}: figures`} tabIndex={0}>
        {tables.map((table) => (
          <Figures key={table.headers[0]} table={table} />
        ))}
      </section>
    </details>
  );
}

function Figures({ table }: { readonly table: ChartTable }) {
  return (
    <Table fz="xs" verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          {table.headers.map((header) => (
            <Table.Th key={header} scope="col">
              {header}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {table.rows.map(([name = '', ...values], row) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">
              <RowName name={name} href={table.links?.[row]} />
            </Table.Th>
            {values.map((value, at) => (
              <Table.Td key={table.headers[at + 1]}>{value}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function RowName({ name, href }: { readonly name: string; readonly href: string | undefined }) {
  if (href === undefined) return name;
  return (
    <Anchor component={AccountLink} href={href} fz="xs" underline="always">
      {name}
    </Anchor>
  );
}
