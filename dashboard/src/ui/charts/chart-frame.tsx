import { Anchor, Group, Table, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import { AccountLink } from '../account-link.tsx';
import classes from './charts.module.css';

export interface ChartTable {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Where the row leads: what its figures are of. One for each row. */
  readonly links?: readonly string[];
}

export interface LegendEntry {
  readonly label: string;
  /** A CSS colour. */
  readonly color: string;
}

interface Props {
  /** What the chart shows: its accessible name. */
  readonly title: string;
  /** What is to be seen in it, in a sentence, for those who do not see it. */
  readonly description: string;
  readonly height: number;
  readonly legend?: readonly LegendEntry[];
  /** The same figures as a table: for screen readers, and for the exact values. */
  readonly table: ChartTable;
  /** Drawn once the width is known. */
  readonly children: (width: number) => ReactNode;
  /** Drawn over the chart and no part of the image: handles, tooltips. */
  readonly overlay?: (width: number) => ReactNode;
}

/** What every chart has: a name, a description, a legend, its drawing at the width there is, and its figures as a table. */
export function ChartFrame({ title, description, height, legend = [], table, children, overlay }: Props) {
  const { ref, width } = useElementSize();
  const id = useId();
  return (
    <figure className={classes.figure}>
      {legend.length > 1 && (
        <Group gap="md" mb="xs" aria-hidden>
          {legend.map(({ label, color }) => (
            <Group key={label} gap={6} wrap="nowrap">
              <span className={classes.swatch} style={{ background: color }} />
              <Text size="xs" c="dimmed">
                {label}
              </Text>
            </Group>
          ))}
        </Group>
      )}
      <div ref={ref} className={classes.drawing} style={{ height }}>
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
      <FiguresAsTable title={title} table={table} />
    </figure>
  );
}

function FiguresAsTable({ title, table }: { readonly title: string; readonly table: ChartTable }) {
  return (
    <details className={classes.details}>
      <summary>Figures as a table</summary>
      {/* Scrolls by itself, so it has to be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1, a region that scrolls */}
      <section className={classes.figures} aria-label={`${title}: figures`} tabIndex={0}>
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
      </section>
    </details>
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
