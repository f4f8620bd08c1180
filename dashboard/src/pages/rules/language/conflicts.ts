/** Lines that two people have changed, as a merge leaves them: both texts between marks. Places are those of the text. */
export interface Conflict {
  readonly from: number;
  /** Behind the last mark and its line break. */
  readonly to: number;
  readonly yours: string;
  readonly theirs: string;
}

const MARKED =
  /^<{7}[^\n]*\n((?:(?!<{7}|={7}|>{7})[^\n]*\n)*)={7}\n((?:(?!<{7}|={7}|>{7})[^\n]*\n)*)>{7}[^\n]*(?:\n|$)/gm;

/** The conflicts in order. Where one of its marks is missing, a conflict counts as plain text, which lint complains of. */
export function conflictsIn(text: string): readonly Conflict[] {
  return [...text.matchAll(MARKED)].map(({ index, 0: { length }, 1: yours = '', 2: theirs = '' }) => ({
    from: index,
    to: index + length,
    yours,
    theirs,
  }));
}

/** The number of conflicts by file, without files that have none. */
export function conflictsOf(files: Readonly<Record<string, string>>): readonly (readonly [string, number])[] {
  return Object.entries(files)
    .filter(([, text]) => text.includes('<<<<<<<'))
    .map(([file, text]) => [file, conflictsIn(text).length] as const)
    .filter(([, count]) => count > 0);
}
