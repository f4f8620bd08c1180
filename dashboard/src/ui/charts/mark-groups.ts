/** Something that happened, on a chart over time. */
export interface TimeMark {
  /** Unique. */
  readonly key: string;
  /** ISO 8601. */
  readonly at: string;
  readonly name: string;
  /** By whom or why, in some words. */
  readonly detail: string;
}

export interface MarkGroup {
  /** Where its line is: that of its last, in pixels. */
  readonly left: number;
  /** In order of time. */
  readonly marks: readonly TimeMark[];
}

/** Marks whose pointer targets would lie over each other are one. `marks` are in order of time. */
export function groupMarks(
  marks: readonly TimeMark[],
  placeOf: (at: number) => number,
  leastApart: number,
): readonly MarkGroup[] {
  const groups: MarkGroup[] = [];
  for (const mark of marks) {
    const left = placeOf(Date.parse(mark.at));
    const last = groups.at(-1);
    if (last !== undefined && left - last.left < leastApart)
      groups.splice(-1, 1, { left, marks: [...last.marks, mark] });
    else groups.push({ left, marks: [mark] });
  }
  return groups;
}
