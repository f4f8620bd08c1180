import { type PointerEvent, useState } from 'react';
import classes from './charts.module.css';

interface Props {
  readonly width: number;
  readonly height: number;
  /** How far from the drawing's left edge the pointer is, in pixels. */
  readonly onMove: (left: number) => void;
  readonly onLeave: () => void;
  /** A press without a move. */
  readonly onPress?: (left: number) => void;
  /** A stretch that was drawn, from the left. */
  readonly onStretch?: (from: number, to: number) => void;
}

/** Less than this is a hand that shook. */
const LEAST_PX = 6;

/** Lies over the marks of a chart and tells where the pointer is, and what it marks. */
export function PointerArea({ width, height, onMove, onLeave, onPress, onStretch }: Props) {
  const [drawn, setDrawn] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const placeOf = (event: PointerEvent<Element>) =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;
  const begin = (event: PointerEvent<Element>) => {
    // By touch a stretch is a way to scroll.
    if (event.button !== 0 || event.pointerType === 'touch') return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrawn({ from: placeOf(event), to: placeOf(event) });
  };
  const move = (event: PointerEvent<Element>) => {
    const to = placeOf(event);
    onMove(to);
    if (drawn !== null) setDrawn({ ...drawn, to });
  };
  const end = (event: PointerEvent<Element>) => {
    const [from, to] = [drawn?.from ?? placeOf(event), placeOf(event)];
    setDrawn(null);
    if (Math.abs(to - from) < LEAST_PX) onPress?.(to);
    else if (drawn !== null) onStretch?.(Math.min(from, to), Math.max(from, to));
  };
  return (
    <>
      <rect
        width={width}
        height={height}
        fill="transparent"
        style={{ cursor: onPress ? 'pointer' : undefined }}
        onPointerDown={onStretch && begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => setDrawn(null)}
        onPointerLeave={() => onLeave()}
      />
      {drawn !== null && (
        <rect
          className={classes.selection}
          x={Math.min(drawn.from, drawn.to)}
          width={Math.abs(drawn.to - drawn.from)}
          height={height}
        />
      )}
    </>
  );
}
