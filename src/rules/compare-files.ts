import { createTwoFilesPatch, diffLines, FILE_HEADERS_ONLY } from 'diff';
import type { RuleFiles } from './rule-files.ts';

/** What became of one file, in lines. */
export interface FileChange {
  /** Within the rules directory. */
  readonly file: string;
  readonly change: 'added' | 'deleted' | 'changed';
  readonly added: number;
  readonly removed: number;
}

/** By file; none when the texts are the same. */
export function changesBetween(before: RuleFiles, after: RuleFiles): readonly FileChange[] {
  return changedFiles(before, after).map((file) => {
    const [old, now] = [before[file], after[file]];
    const parts = diffLines(old ?? '', now ?? '');
    const lines = (wanted: 'added' | 'removed') =>
      parts.filter((part) => part[wanted]).reduce((sum, { count }) => sum + count, 0);
    const change = old === undefined ? 'added' : now === undefined ? 'deleted' : 'changed';
    return { file, change, added: lines('added'), removed: lines('removed') };
  });
}

/** What `patch -p1` takes. */
export function unifiedDiff(before: RuleFiles, after: RuleFiles): string {
  return changedFiles(before, after)
    .map((file) => {
      const [old, now] = [before[file], after[file]];
      const names = [
        old === undefined ? '/dev/null' : `a/${file}`,
        now === undefined ? '/dev/null' : `b/${file}`,
      ];
      const [from = '', to = ''] = names;
      const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
      return createTwoFilesPatch(from, to, old ?? '', now ?? '', undefined, undefined, options);
    })
    .join('');
}

/** `domain.yaml +3 -1, tests/domain.yaml new` */
export function describeChanges(changes: readonly FileChange[]): string {
  return changes
    .map(({ file, change, added, removed }) => {
      if (change !== 'changed') return `${file} ${change === 'added' ? 'new' : 'deleted'}`;
      return [file, added > 0 && `+${added}`, removed > 0 && `-${removed}`].filter(Boolean).join(' ');
    })
    .join(', ');
}

function changedFiles(before: RuleFiles, after: RuleFiles): readonly string[] {
  const files = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...files].filter((file) => before[file] !== after[file]).sort();
}
