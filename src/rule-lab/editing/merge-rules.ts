import { diffArrays } from 'diff';
import { linesOf, mostEditsEach } from '../../rules/compare-files.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';

/** Whose text is taken where both sides changed the same lines of a file. */
export type Side = 'mine' | 'theirs';

export interface MergeOrder {
  readonly base: RuleFiles;
  readonly mine: RuleFiles;
  readonly theirs: RuleFiles;
  /** By path: the side whose text is taken whole. */
  readonly chosen?: Readonly<Record<string, Side>>;
}

export type Conflict = ReturnType<typeof mergeRules>['conflicts'][number];

/**
 * Three-way merge: brings the changes from `base` to `mine` into `theirs`. `conflicts` are lines of `mine`, from 1, where both sides
 * changed the same lines and no side was chosen; there `files` has both texts between git's conflict markers.
 */
export function mergeRules({ base, mine, theirs, chosen = {} }: MergeOrder) {
  const files: [string, string][] = [];
  const conflicts: { readonly file: string; readonly line: number }[] = [];
  const paths = new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)]);
  const changedByBoth = [...paths].filter((path) => mine[path] !== base[path] && theirs[path] !== base[path]);
  const mostEdits = mostEditsEach(changedByBoth.length);
  for (const path of [...paths].sort()) {
    const side = Object.hasOwn(chosen, path) ? chosen[path] : undefined;
    const { text, lines = [] } = mergeText(base[path], mine[path], theirs[path], side, mostEdits);
    conflicts.push(...lines.map((line) => ({ file: path, line })));
    if (text !== undefined) files.push([path, text]);
  }
  return { files: Object.fromEntries(files) as RuleFiles, conflicts };
}

interface MergedText {
  /** Undefined is a file that is not there. */
  readonly text: string | undefined;
  /** Lines of `mine` in conflict. */
  readonly lines?: readonly number[];
}

function mergeText(
  base: string | undefined,
  mine: string | undefined,
  theirs: string | undefined,
  side: Side | undefined,
  mostEdits: number,
): MergedText {
  if (side !== undefined) return { text: side === 'mine' ? mine : theirs };
  if (mine === base || mine === theirs) return { text: theirs };
  if (theirs === base) return { text: mine };
  const whole = { text: bothTexts(mine, theirs), lines: [1] };
  // One side deleted the file that the other changed, or both made a file of this name.
  if (base === undefined || mine === undefined || theirs === undefined) return whole;
  const lines = linesOf(withEndsOf(mine, base));
  const newer = withEndsOf(mine, theirs);
  const [here, there] = [editsOf(lines, mine, mostEdits), editsOf(lines, newer, mostEdits)];
  // Too many edits to compare: a person must choose a side.
  if (here === undefined || there === undefined) return whole;
  return mergeEdits(lines, here, there);
}

/** The text with the line ends of `mine`, where those are all alike: an editor on Windows may have changed each of them, and nothing else. */
function withEndsOf(mine: string, text: string): string {
  const [end, ...others] = new Set(mine.match(/\r?\n/g));
  return end === undefined || others.length > 0 ? text : text.replaceAll(/\r?\n/g, end);
}

/** Both texts between conflict markers, each in whole lines, for a person to choose from. */
function bothTexts(mine = '', theirs = ''): string {
  const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);
  return `<<<<<<< yours\n${ended(mine)}=======\n${ended(theirs)}>>>>>>> theirs\n`;
}

/** Replaces lines `start` up to `end` of a text with `lines`; inserts where `start` is `end`. */
interface Edit {
  readonly start: number;
  end: number;
  lines: readonly string[];
}

/** The edits from `base` to `now`, in order. Undefined where there are too many. */
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
 * Edits of neighbouring lines conflict too, as in git: an entry that one side adds to a block may not fit what the other side makes of the
 * block. An edit that both sides made is applied once.
 */
function mergeEdits(base: readonly string[], mine: Edit[], theirs: Edit[]): MergedText {
  let text = '';
  const lines: number[] = [];
  /** How far the text of `mine` has moved against `base`. */
  let moved = 0;
  let at = 0;
  while (mine.length + theirs.length > 0) {
    const { start, end, own, other } = takeTouching(mine, theirs);
    const [here, there] = [applied(base, start, end, own), applied(base, start, end, other)];
    const [first] = own;
    const isBoth = first !== undefined && other.length > 0 && here !== there;
    if (isBoth) lines.push(first.start + moved + 1);
    text += base.slice(at, start).join('');
    text += isBoth ? bothTexts(here, there) : own.length > 0 ? here : there;
    for (const edit of own) moved += edit.lines.length - (edit.end - edit.start);
    at = end;
  }
  return { text: text + base.slice(at).join(''), lines };
}

/** Takes the first edit, and then every edit of either side that touches one already taken. */
function takeTouching(mine: Edit[], theirs: Edit[]) {
  const [own, other]: [Edit[], Edit[]] = [[], []];
  const start = Math.min(mine[0]?.start ?? Infinity, theirs[0]?.start ?? Infinity);
  let end = start;
  const take = (from: Edit[], to: Edit[]): boolean => {
    const [next] = from;
    if (next === undefined || next.start > end) return false;
    end = Math.max(end, next.end);
    to.push(next);
    from.shift();
    return true;
  };
  while (take(mine, own) || take(theirs, other));
  return { start, end, own, other };
}

/** Lines `start` up to `end` with the edits in them. */
function applied(base: readonly string[], start: number, end: number, edits: readonly Edit[]): string {
  let [text, at] = ['', start];
  for (const edit of edits) {
    text += [...base.slice(at, edit.start), ...edit.lines].join('');
    at = edit.end;
  }
  return text + base.slice(at, end).join('');
}
