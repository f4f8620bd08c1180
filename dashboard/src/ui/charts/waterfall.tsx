import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatPoints } from '../../format/numbers.ts';
import classes from './waterfall.module.css';

export interface WaterfallStep {
  readonly key: string;
  /** May be a link. */
  readonly label: ReactNode;
  /** The facts that the step rests on. */
  readonly note?: ReactNode;
  readonly points: number;
}

interface Props {
  /** The accessible name of the list. */
  readonly title: string;
  readonly steps: readonly WaterfallStep[];
  /** What the points add up to. */
  readonly total: { readonly label: ReactNode; readonly value: number; readonly isHigh: boolean };
  /** Scores that are marked in the chart, such as the one from which BLOCK begins. */
  readonly marks?: readonly { readonly label: string; readonly value: number }[];
}

/** Bounds of a score. A running sum may lie beyond them. */
const LOWEST = 0;
const HIGHEST = 100;

/** The steps from 0 to a score. A list whose every item says its points, so it needs no table beside it. */
export function Waterfall({ title, steps, total, marks = [] }: Props) {
  const sums = runningSums(steps.map(({ points }) => points));
  const [low, high] = [Math.min(LOWEST, ...sums), Math.max(HIGHEST, ...sums)];
  const place = (value: number) => (100 * (value - low)) / (high - low);
  const between = (from: number, to: number) => ({
    left: `${place(Math.min(from, to))}%`,
    width: `${Math.abs(place(to) - place(from))}%`,
  });
  return (
    <ol className={classes.list} aria-label={title}>
      {steps.map(({ key, label, note, points }, index) => {
        const before = index === 0 ? 0 : (sums[index - 1] ?? 0);
        return (
          <li key={key} className={classes.step}>
            <div className={classes.words}>
              <Text size="sm" component="div" fw={500}>
                {label}
              </Text>
              {note !== undefined && (
                <Text size="xs" c="dimmed" component="div" className={classes.note}>
                  {note}
                </Text>
              )}
            </div>
            <Track marks={marks} place={place}>
              <div
                className={classes.bar}
                data-sign={points < 0 ? 'less' : 'more'}
                style={between(before, before + points)}
              />
            </Track>
            <Text size="sm" component="div" className={classes.points}>
              {formatPoints(points)}
            </Text>
          </li>
        );
      })}
      <li className={classes.step} data-total>
        <Text size="sm" fw={600} component="div">
          {total.label}
        </Text>
        <Track marks={marks} place={place}>
          <div
            className={classes.bar}
            data-sign={total.isHigh ? 'block' : 'allow'}
            style={between(0, total.value)}
          />
        </Track>
        <Text size="sm" fw={600} component="div" className={classes.points}>
          {total.value}
        </Text>
      </li>
      {marks.length > 0 && (
        <li className={classes.step}>
          <span />
          <div className={classes.scale}>
            {marks.map(({ label, value }) => (
              <span
                key={label}
                data-side={place(value) > 50 ? 'end' : 'start'}
                style={{ left: `${place(value)}%` }}
              >
                {`${label} ${value}`}
              </span>
            ))}
          </div>
          <span />
        </li>
      )}
    </ol>
  );
}

interface TrackProps {
  readonly marks: NonNullable<Props['marks']>;
  readonly place: (value: number) => number;
  readonly children: ReactNode;
}

function Track({ marks, place, children }: TrackProps) {
  return (
    <div className={classes.track} aria-hidden>
      {children}
      {marks.map(({ label, value }) => (
        <span key={label} className={classes.mark} style={{ left: `${place(value)}%` }} />
      ))}
    </div>
  );
}

function runningSums(points: readonly number[]): readonly number[] {
  let sum = 0;
  return points.map((more) => {
    sum += more;
    return sum;
  });
}
