import { isDeepStrictEqual } from 'node:util';
import { diffArrays } from 'diff';
import { linesOf, mostEditsEach } from '../../rules/compare-files.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';

/** Whose text is taken where both sides changed the same lines of a file. */
export type Side = 'mine' | 'theirs';

export interface MergeOrder {
  readonly base: RuleFiles;
  readonly mine: RuleFiles;
  readonly theirs: RuleFiles;
  /** By path: whose text counts, whole. */
  readonly chosen?: Readonly<Record<string, Side>>;
}

export type Merged = ReturnType<typeof mergeRules>;
export type Conflict = Merged['conflicts'][number];

/**
 * What was made of `base` here, brought into what became of it elsewhere. `conflicts` are lines of `mine`, from 1, where both changed
 * the same ones and no side was chosen; without any, `files` is whole.
 */
export function mergeRules({ base, mine, theirs, chosen = {} }: MergeOrder) {
  const files: [string, string][] = [];
  const conflicts: { readonly file: string; readonly line: number }[] = [];
  const paths = new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)]);
  const changedByBoth = [...paths].filter((path) => mine[path] !== base[path] && theirs[path] !== base[path]);
  const mostEdits = mostEditsEach(changedByBoth.length);
  for (const path of [...paths].sort()) {
    const side = Object.hasOwn(chosen, path) ? chosen[path] : undefined;
    const text = mergeText(base[path], mine[path], theirs[path], side, mostEdits);
    if (Array.isArray(text)) conflicts.push(...text.map((line) => ({ file: path, line })));
    else if (text !== undefined) files.push([path, text]);
  }
  return { files: Object.fromEntries(files) as RuleFiles, conflicts };
}

/** Undefined is a file that is not there; numbers are the lines of `mine` that are in conflict. */
function mergeText(
  base: string | undefined,
  mine: string | undefined,
  theirs: string | undefined,
  side: Side | undefined,
  mostEdits: number,
): string | undefined | number[] {
  if (side !== undefined) return side === 'mine' ? mine : theirs;
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  // One has deleted what the other changed, or both have made a file of that name.
  if (base === undefined || mine === undefined || theirs === undefined) return [1];
  const lines = linesOf(base);
  const [here, there] = [editsOf(lines, mine, mostEdits), editsOf(lines, theirs, mostEdits)];
  // Too much to be compared: a person has to say whose text counts.
  if (here === undefined || there === undefined) return [1];
  return mergeEdits(lines, here, there);
}

/** Lines `start` up to `end` of a text give way to others; none where the two are the same. */
interface Edit {
  readonly start: number;
  end: number;
  lines: readonly string[];
}

/** From the first line to the last. Undefined where there are too many. */
function editsOf(base: readonly string[], now: string, maxEditLength: number): Edit[] | undefined {
  const parts = diffArrays([...base], [...linesOf(now)], { maxEditLength });
  const edits: Edit[] = [];
  let at = 0;
  for (const { added, removed, count, value } of parts ?? []) {
    const last = edits.at(-1);
    const edit = last?.end === at ? last : { start: at, end: at, lines: [] };
    if (added) edit.lines = value;
    if (!added) at += count;
    if (removed) edit.end = at;
    if ((added || removed) && edit !== last) edits.push(edit);
  }
  return parts && edits;
}

/**
 * Edits of neighbouring lines are a conflict too, as they are to git: an entry that one adds to a block may not be meant for what the
 * other makes of it. What both did is done once.
 */
function mergeEdits(base: readonly string[], mine: Edit[], theirs: Edit[]): string | number[] {
  let merged = '';
  const conflicts: number[] = [];
  /** How far the text of `mine` has moved against `base`. */
  let moved = 0;
  let at = 0;
  while (mine.length + theirs.length > 0) {
    const [own, other] = [mine[0], theirs[0]];
    const isTouching = own && other && own.start <= other.end && other.start <= own.end;
    if (isTouching && !isDeepStrictEqual(own, other)) conflicts.push(own.start + moved + 1);
    const isOwn = own && (isTouching || !other || own.start < other.start);
    const edit = isOwn ? own : (other as Edit); // One of the two is there.
    merged += [...base.slice(at, edit.start), ...edit.lines].join('');
    at = edit.end;
    if (isOwn) {
      moved += own.lines.length - (own.end - own.start);
      mine.shift();
    }
    if (!isOwn || isTouching) theirs.shift();
  }
  return conflicts.length > 0 ? conflicts : merged + base.slice(at).join('');
}
