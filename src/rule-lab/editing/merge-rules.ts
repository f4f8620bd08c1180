import { applyPatch, structuredPatch } from 'diff';
import { mostEditsEach } from '../../rules/compare-files.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';

/** Whose text is taken where both sides changed the same lines of a file. */
export type Side = 'mine' | 'theirs';

export interface MergeOrder {
  /** What both were made of. */
  readonly base: RuleFiles;
  readonly mine: RuleFiles;
  readonly theirs: RuleFiles;
  /** By path: whose text counts where both changed the same lines. */
  readonly chosen?: Readonly<Record<string, Side>>;
}

export interface Merged {
  readonly files: RuleFiles;
  /** Files of which both changed the same lines, and no side was chosen. Without any, `files` is whole. */
  readonly conflicts: readonly string[];
}

/** What was made of `base` here, brought into what became of it elsewhere. */
export function mergeRules({ base, mine, theirs, chosen = {} }: MergeOrder): Merged {
  const files: [string, string][] = [];
  const conflicts: string[] = [];
  const paths = new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)]);
  const changedByBoth = [...paths].filter((path) => mine[path] !== base[path] && theirs[path] !== base[path]);
  const mostEdits = mostEditsEach(changedByBoth.length);
  for (const path of [...paths].sort()) {
    const side = Object.hasOwn(chosen, path) ? chosen[path] : undefined;
    const text = mergeText(base[path], mine[path], theirs[path], side, mostEdits);
    if (text === CONFLICT) conflicts.push(path);
    else if (text !== undefined) files.push([path, text]);
  }
  return { files: Object.fromEntries(files), conflicts };
}

const CONFLICT = Symbol('conflict');

/** Undefined is a file that is not there. */
function mergeText(
  base: string | undefined,
  mine: string | undefined,
  theirs: string | undefined,
  side: Side | undefined,
  mostEdits: number,
): string | undefined | typeof CONFLICT {
  if (mine === base || mine === theirs) return theirs;
  if (theirs === base) return mine;
  if (side !== undefined) return side === 'mine' ? mine : theirs;
  // One has deleted what the other changed, or both have made a file of that name.
  if (base === undefined || mine === undefined || theirs === undefined) return CONFLICT;
  const patch = structuredPatch('', '', base, mine, undefined, undefined, {
    context: 3,
    maxEditLength: mostEdits,
  });
  // Too much to be compared: a person has to say whose text counts.
  if (patch === undefined) return CONFLICT;
  const merged = applyPatch(theirs, patch);
  return merged === false ? CONFLICT : merged;
}
