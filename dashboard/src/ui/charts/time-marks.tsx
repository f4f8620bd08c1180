import { useState } from 'react';
import { formatInstant } from '../../format/times.ts';
import { AccountLink } from '../account-link.tsx';
import { MARGIN } from './axes.tsx';
import type { ChartTable } from './chart-frame.tsx';
import classes from './charts.module.css';
import { groupMarks, type TimeMark } from './mark-groups.ts';
import { Readout } from './readout.tsx';

export interface ChartMarks {
  /** What the marks are: the heading of their table. */
  readonly title: string;
  /** In order of time. */
  readonly marks: readonly TimeMark[];
  /** Where a group of marks leads, by its first and last mark, which may be the same. */
  readonly linkTo: (first: TimeMark, last: TimeMark) => string;
}

interface Props extends ChartMarks {
  readonly placeOf: (at: number) => number;
  readonly width: number;
  /** The height of the whole chart. */
  readonly height: number;
}

/** The least size of a pointer target (WCAG 2.5.8). */
const TARGET_PX = 24;

/** Thin lines over a chart, each with a handle above it that says what happened, and leads there. */
export function TimeMarks({ marks, linkTo, placeOf, width, height }: Props) {
  const [looked, setLooked] = useState<number | null>(null);
  const groups = groupMarks(marks, placeOf, TARGET_PX);
  const shown = looked === null ? undefined : groups[looked];
  return (
    <>
      {groups.map(({ left, marks: [first, ...others] }, index) => {
        if (first === undefined) return null;
        const all = [first, ...others];
        return (
          <AccountLink
            key={first.key}
            href={linkTo(first, others.at(-1) ?? first)}
            className={classes.mark}
            style={{ left, height: TARGET_PX }}
            aria-label={all.map(textOf).join('; ')}
            onMouseEnter={() => setLooked(index)}
            onMouseLeave={() => setLooked(null)}
            onFocus={() => setLooked(index)}
            onBlur={() => setLooked(null)}
          >
            <span className={classes.markLine} style={{ height: height - MARGIN.bottom }} />
          </AccountLink>
        );
      })}
      {shown !== undefined && (
        <Readout
          from={shown.left}
          to={shown.left}
          width={width}
          heading={shown.marks.map(({ name }) => name).join(', ')}
          lines={shown.marks.map(({ at, detail }) => `${formatInstant(at)}, ${detail}`)}
        />
      )}
    </>
  );
}

/** The marks as a table, beside that of the chart's figures. */
export function tableOfMarks({ title, marks, linkTo }: ChartMarks): ChartTable {
  return {
    headers: [title, 'When', 'Who'],
    rows: marks.map(({ name, at, detail }) => [name, formatInstant(at), detail]),
    links: marks.map((mark) => linkTo(mark, mark)),
  };
}

function textOf({ name, at, detail }: TimeMark): string {
  return `${name}, ${detail}, ${formatInstant(at)}`;
}
