import type { PointerEvent } from 'react';

interface Props {
  readonly width: number;
  readonly height: number;
  /** How far from the drawing's left edge the pointer is, in pixels. */
  readonly onMove: (left: number) => void;
  readonly onLeave: () => void;
}

/** Lies over the marks of a chart and tells where the pointer is. */
export function PointerArea({ width, height, onMove, onLeave }: Props) {
  const move = (event: PointerEvent<Element>) =>
    onMove(event.clientX - event.currentTarget.getBoundingClientRect().left);
  return (
    <rect
      width={width}
      height={height}
      fill="transparent"
      onPointerMove={move}
      onPointerLeave={() => onLeave()}
    />
  );
}
