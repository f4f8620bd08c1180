import type { KeyboardEvent, PointerEvent } from 'react';
import classes from './charts.module.css';

interface Props {
  readonly label: string;
  readonly value: number;
  readonly bounds: readonly [lowest: number, highest: number];
  readonly scale: { (value: number): number; invert(at: number): number };
  readonly top: number;
  readonly height: number;
  readonly onChange: (value: number) => void;
}

const BIG_STEP = 10;

/** The handle that moves a threshold's line: by dragging, or by the arrow keys (WAI-ARIA, slider). */
export function ThresholdHandle({ label, value, bounds, scale, top, height, onChange }: Props) {
  const [lowest, highest] = bounds;
  const move = (wanted: number) => {
    const next = Math.min(highest, Math.max(lowest, Math.round(wanted)));
    if (next !== value) onChange(next);
  };
  const step = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: value - 1,
      ArrowDown: value - 1,
      ArrowRight: value + 1,
      ArrowUp: value + 1,
      PageDown: value - BIG_STEP,
      PageUp: value + BIG_STEP,
      Home: lowest,
      End: highest,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    move(next);
  };
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const frame = event.currentTarget.parentElement?.getBoundingClientRect();
    if (frame !== undefined) move(scale.invert(event.clientX - frame.left));
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes.handle}
      style={{ left: scale(value), top, height }}
      aria-label={label}
      aria-valuemin={lowest}
      aria-valuemax={highest}
      aria-valuenow={value}
      onKeyDown={step}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    />
  );
}
