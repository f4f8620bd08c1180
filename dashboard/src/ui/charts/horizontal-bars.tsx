import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { type ChartColor, cssColor } from '../../palette.ts';
import { Dimmed } from '../dimmed.tsx';
import classes from './horizontal-bars.module.css';

export interface Bar {
  readonly id: string;
  /** May be a link. */
  readonly label: ReactNode;
  readonly value: number;
  /** Beside the figure: a share. */
  readonly note?: string;
}

interface Props {
  /** What is counted: the accessible name of the list. */
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly color?: ChartColor;
  readonly format?: (value: number) => string;
}

/** A ranking. A list whose every item says its figure, so it needs no table beside it. */
export function HorizontalBars({ title, bars, color = 'chart-1', format = formatCount }: Props) {
  const longest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <ol className={classes.list} aria-label={title}>
      {bars.map(({ id, label, value, note }) => (
        <li key={id} className={classes.bar}>
          <Text size="sm" component="span" truncate>
            {label}
          </Text>
          <Text size="sm" component="span" className={classes.figure}>
            {format(value)}
            {note !== undefined && <Dimmed span>{` ${note}`}</Dimmed>}
          </Text>
          <Box className={classes.track} aria-hidden>
            <Box
              className={classes.fill}
              style={{ width: `${(100 * value) / longest}%`, background: cssColor(color) }}
            />
          </Box>
        </li>
      ))}
    </ol>
  );
}
