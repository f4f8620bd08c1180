import { stringify } from 'yaml';
import { AppError } from '../errors.ts';
import { ID } from '../rules/lint/fields.ts';
import { readNamedLists } from '../rules/lint/read-named-lists.ts';
import { describeProblem, ProblemList } from '../rules/problem.ts';

/** A named list that is to be made: `lists/<name>.yaml`, or `.txt` where it has nothing but entries. */
export interface NewNamedList {
  readonly name: string;
  readonly kind: 'yaml' | 'txt';
  /** Of a `.yaml` list, which has both. */
  readonly description?: string;
  readonly owner?: string;
  /** Domains, each as it shall stand there. */
  readonly entries: readonly string[];
}

export function newFileOf({ name, kind }: Pick<NewNamedList, 'name' | 'kind'>): string {
  return `lists/${name}.${kind}`;
}

/** Its text. Throws AppError `invalid_request` when lint would refuse it: which member of the list is wrong, and why. */
export function writeNamedList(list: NewNamedList): string {
  if (!ID.test(list.name)) throw refusedMember('name', 'a name may hold only a-z, 0-9 and _');
  for (const member of ['description', 'owner'] as const) {
    if (list.kind === 'yaml' && list[member] === undefined)
      throw refusedMember(member, 'a .yaml list says what stands in it, and whom to ask');
    if (list.kind === 'txt' && list[member] !== undefined)
      throw refusedMember(member, 'a .txt list has domains alone, and neither description nor owner');
  }
  const file = newFileOf(list);
  const { text, firstLine } = textOf(list);
  const problems = new ProblemList();
  readNamedLists({ dir: '', files: { [file]: text } }, 0, problems);
  const details = problems
    .sorted()
    .filter(({ severity }) => severity === 'error')
    .map((problem) => ({
      path: problem.line < firstLine ? 'body/list' : `body/list/entries/${problem.line - firstLine}`,
      message: describeProblem(problem),
      ...(problem.hint !== undefined && { meant: problem.hint }),
    }));
  if (details.length > 0) throw new AppError('invalid_request', { details });
  return text;
}

export function refusedMember(member: keyof NewNamedList, message: string): AppError {
  return new AppError('invalid_request', { details: [{ path: `body/list/${member}`, message }] });
}

/** Each entry on a line of its own. `firstLine`: that of the first. */
function textOf({ kind, description, owner, entries }: NewNamedList): {
  readonly text: string;
  readonly firstLine: number;
} {
  if (kind === 'txt') {
    const about = '# A domain on each line; .example.org is the domain with its subdomains.\n';
    return { text: `${about}${entries.map((entry) => `${entry}\n`).join('')}`, firstLine: 2 };
  }
  return { text: stringify({ description, owner, entries }, { version: '1.2', lineWidth: 0 }), firstLine: 4 };
}
