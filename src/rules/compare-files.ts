import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } from 'diff';
import { without } from '../lib/text.ts';
import type { RuleFiles } from './rule-files.ts';

/**
 * The most added and removed lines that are looked for in one file; a file with more is replaced whole. The time grows with their
 * square, to a third of a second for a thousand. With several files each gets fewer, so that all together take no longer.
 */
export function mostEditsEach(files: number): number {
  return Math.floor(1_000 / Math.sqrt(Math.max(files, 1)));
}

/** The change of one file, in lines. A line that only moved is neither added nor removed. */
export interface FileChange {
  readonly file: string;
  readonly change: 'added' | 'deleted' | 'changed';
  readonly added: number;
  readonly removed: number;
}

/** By file; none when the texts are the same. */
export function changesBetween(before: RuleFiles, after: RuleFiles): readonly FileChange[] {
  return changedFiles(before, after).map((file) => {
    const change = before[file] === undefined ? 'added' : after[file] === undefined ? 'deleted' : 'changed';
    const [old, now] = [linesOf(before[file]), linesOf(after[file])];
    // Counted without regard to order, which takes little time even for files that share nothing.
    return { file, change, added: without(now, old).length, removed: without(old, now).length };
  });
}

/** A patch for `patch -p1`. A file with more changes than `mostEditsEach` is replaced whole. */
export function unifiedDiff(before: RuleFiles, after: RuleFiles): string {
  const changed = changedFiles(before, after);
  const options = {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
    maxEditLength: mostEditsEach(changed.length),
  };
  const patches = changed.map((file) => {
    const [old, now] = [before[file], after[file]];
    const from = old === undefined ? '/dev/null' : `a/${file}`;
    const to = now === undefined ? '/dev/null' : `b/${file}`;
    const patch = createTwoFilesPatch(from, to, old ?? '', now ?? '', undefined, undefined, options);
    const whole = patch ?? replaceWhole(from, to, linesOf(old), linesOf(now));
    // `patch` ends a name at its first blank, unless a tab follows the name.
    return file.includes(' ') ? whole.replace(/\n(\+\+\+ .*)\n/, '\t\n$1\t\n') : whole;
  });
  return patches.join('');
}

function replaceWhole(from: string, to: string, old: readonly string[], now: readonly string[]): string {
  const hunk = {
    oldStart: 1,
    oldLines: old.length,
    newStart: 1,
    newLines: now.length,
    lines: [...old.flatMap((line) => patchLines('-', line)), ...now.flatMap((line) => patchLines('+', line))],
  };
  const patch = { oldFileName: from, newFileName: to, hunks: [hunk] };
  return formatPatch({ ...patch, oldHeader: undefined, newHeader: undefined }, FILE_HEADERS_ONLY);
}

function patchLines(sign: '-' | '+', line: string): readonly string[] {
  return line.endsWith('\n')
    ? [`${sign}${line.slice(0, -1)}`]
    : [`${sign}${line}`, '\\ No newline at end of file'];
}

/** Lines with their line breaks, so that a missing break at the end of a file is a difference. */
export function linesOf(text = ''): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** `domain.yaml +3 -1, tests/domain.yaml new, typo.yaml lines moved` */
export function describeChanges(changes: readonly FileChange[]): string {
  return changes
    .map(({ file, change, added, removed }) => {
      if (change !== 'changed') return `${file} ${change === 'added' ? 'new' : 'deleted'}`;
      if (added === 0 && removed === 0) return `${file} lines moved`;
      return [file, added > 0 && `+${added}`, removed > 0 && `-${removed}`].filter(Boolean).join(' ');
    })
    .join(', ');
}

/** Sorted paths of the files that differ. */
export function changedFiles(before: RuleFiles, after: RuleFiles): readonly string[] {
  const files = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...files].filter((file) => before[file] !== after[file]).sort();
}
