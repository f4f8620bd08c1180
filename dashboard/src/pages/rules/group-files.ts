import { formatCounted } from '../../format/numbers.ts';
import type { Problem } from './queries.ts';

export interface FileGroup {
  readonly group: string;
  readonly items: { readonly value: string; readonly label: string }[];
}

const LISTS = ['allow.yaml', 'deny.yaml'];
const FIRST = ['decision.yaml', 'signals.yaml'];

/** The files of a directory in groups, each with a remark where it is changed or has errors. */
export function groupFiles(
  paths: readonly string[],
  changed: ReadonlySet<string>,
  problems: readonly Pick<Problem, 'file' | 'severity'>[],
): FileGroup[] {
  const tests = paths.filter((path) => path.startsWith('tests/'));
  const lists = paths.filter((path) => LISTS.includes(path) || path.startsWith('lists/'));
  const first = FIRST.filter((path) => paths.includes(path));
  const rules = paths.filter((path) => ![...tests, ...lists, ...first].includes(path));
  const groups = [
    ['Decision', first],
    ['Groups of rules', rules],
    ['Lists', lists],
    ['Tests', tests],
  ] as const;
  return groups
    .filter(([, files]) => files.length > 0)
    .map(([group, files]) => ({
      group,
      items: files.map((value) => ({
        value,
        label: [value, ...remarks(value, changed, problems)].join(' · '),
      })),
    }));
}

function remarks(
  path: string,
  changed: ReadonlySet<string>,
  problems: readonly Pick<Problem, 'file' | 'severity'>[],
): readonly string[] {
  const own = problems.filter(({ file }) => file === path);
  const errors = own.filter(({ severity }) => severity === 'error').length;
  return [...(changed.has(path) ? ['changed'] : []), ...(errors > 0 ? [formatCounted(errors, 'error')] : [])];
}
