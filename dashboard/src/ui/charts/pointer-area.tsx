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
  /** Called with both ends of a drawn stretch, the left one first. */
  readonly onStretch?: (from: number, to: number) => void;
}

/** A shorter drag is a press by an unsteady hand. */
const LEAST_PX = 6;

/** An invisible area over a chart that reports where the pointer is, presses and drawn stretches. */
export function PointerArea({ width, height, onMove, onLeave, onPress, onStretch }: Props) {
  const [drawn, setDrawn] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const placeOf = (event: PointerEvent<Element>) =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;
  const begin = (event: PointerEvent<Element>) => {
    // A drag by touch scrolls the page.
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
    if (event.button !== 0) return;
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
