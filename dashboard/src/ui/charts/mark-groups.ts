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
  /** Where the line of the group is, in pixels: at its last mark. */
  readonly left: number;
  /** In order of time. */
  readonly marks: readonly TimeMark[];
}

/** Groups marks whose pointer targets would overlap: closer than `leastApart` pixels. `marks` are in order of time. */
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
