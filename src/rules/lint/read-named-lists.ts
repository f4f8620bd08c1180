import { join } from 'node:path';
import { listKey } from '../../provider-kit/index.ts';
import type { NamedListDefinition, NamedListEntry } from '../definitions.ts';
import { domainEntryFault, indexEntries, OPTIONAL_ENTRY } from '../list-entries.ts';
import { MOST_ENTRIES, MOST_LISTS } from '../named-list.ts';
import { type Place, ProblemList } from '../problem.ts';
import type { RuleSources } from '../rule-files.ts';
import { type Located, misleadingCharacter, readYaml } from '../yaml-document.ts';
import { Declared } from './context.ts';
import * as field from './fields.ts';

/** `lists/partners.yaml`, `lists/partners.txt`. */
const LIST_FILE = /^lists\/(.*)\.(yaml|txt)$/;

/** Whether a file of the rules directory is a named list, by its path in it. */
export function isNamedListFile(path: string): boolean {
  return LIST_FILE.test(path);
}

export const NAMED_LIST_FILE = {
  what: 'a named list',
  members: {
    description: field.prose('What stands in it.'),
    owner: field.prose('Whom to ask.'),
    entries: field.list(
      { anyOf: [{ type: 'string' }, field.mapSchema(OPTIONAL_ENTRY.members)] },
      'example.org, or .example.org: the domain with its subdomains; or { value, reason, owner, expires }.',
    ),
  },
};

/** The most problems of a file that are reported one by one: a text that is no list at all has one in each line. */
const MOST_TOLD = 20;

/** Reports the first problems found in one list, and the number of the rest. */
export function tellOfList(
  { all, hasErrors }: ProblemList,
  file: Place,
  problems: ProblemList,
  most = MOST_TOLD,
): void {
  for (const problem of all.slice(0, most)) problems.add(problem);
  const more = all.slice(most);
  const last = more.at(-1);
  if (!last) return;
  const message = `${more.length} more entries of this list are like these: mend those that are told first`;
  problems.report(hasErrors ? 'bad_list_value' : last.code, file, message);
}

/** The lists of a rules directory, by name. Faults are reported, `mostTold` of each list; a faulty list or entry is left out. */
export function readNamedLists(
  { dir, files }: RuleSources,
  now: number,
  problems: ProblemList,
  mostTold?: number,
): Declared<NamedListDefinition> {
  const lists = new Declared<NamedListDefinition>('list', problems);
  const paths = Object.keys(files).filter(isNamedListFile).sort();
  for (const [index, path] of paths.entries()) {
    const [, name = '', ending] = LIST_FILE.exec(path) ?? [];
    const place = { file: join(dir, path), line: 1, column: 1 };
    if (!field.ID.test(name)) {
      problems.report('bad_id', place, `the name of a list, "${name}", may hold only a-z, 0-9 and _`);
      lists.isComplete = false;
    } else if (index >= MOST_LISTS) {
      const message = `there are more than ${MOST_LISTS} lists: put some of them together`;
      problems.report('long_list', place, message);
      lists.isComplete = false;
    } else {
      const told = new ProblemList();
      const text = files[path] ?? '';
      const read = ending === 'txt' ? readLines(text, place, told) : readEntries(text, place, problems, told);
      if (read) lists.add(name, { name, place, ...read });
      else lists.isComplete = false;
      const placeOf = ({ line }: NamedListEntry) => ({ ...place, line });
      indexEntries(read?.entries ?? [], ({ key }) => key, placeOf, now, told);
      if (told.hasErrors) lists.isComplete = false;
      tellOfList(told, place, problems, mostTold);
    }
  }
  return lists;
}

type ReadList = Omit<NamedListDefinition, 'name' | 'place'>;

function readLines(text: string, { file }: Place, told: ProblemList): ReadList | undefined {
  const misleading = misleadingCharacter(text);
  if (misleading) {
    const before = text.slice(0, misleading.at).split('\n');
    const place = { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    return told.report('bad_list_value', place, misleading.message);
  }
  const lines = text.split('\n');
  const taken = lines.filter((line) => !/^\s*(?:#|$)/.test(line)).length;
  if (isTooLong(taken, 'txt', { file, line: 1, column: 1 }, told)) return undefined;
  const entries = lines.flatMap((line, index) => {
    const value = (/^[^#]*/.exec(line)?.[0] ?? '').trim();
    const column = line.indexOf(value) + 1;
    const place = { file, line: index + 1, column, endColumn: column + value.length };
    return value === '' ? [] : (plainEntry(value, place, told) ?? []);
  });
  return { description: null, owner: null, entries };
}

/** Refuses a file by its number of lines, before a parser makes a tree of it. */
function isTooLong(
  lines: number,
  ending: keyof typeof MOST_ENTRIES,
  place: Place,
  told: ProblemList,
): boolean {
  const most = MOST_ENTRIES[ending];
  // An entry in YAML can take a line for each of its members, and a comment.
  if (lines <= (ending === 'txt' ? most : 6 * most)) return false;
  told.report('long_list', place, describeLimit(lines, 'lines', ending));
  return true;
}

function describeLimit(count: number, what: string, ending: keyof typeof MOST_ENTRIES): string {
  const remedy = ending === 'yaml' ? '; a .txt file, a domain on each line, may have more' : '';
  return `${count} ${what}: a .${ending} list has ${MOST_ENTRIES[ending]} entries at most${remedy}`;
}

function readEntries(
  text: string,
  place: Place,
  problems: ProblemList,
  told: ProblemList,
): ReadList | undefined {
  if (isTooLong(text.split('\n').length, 'yaml', place, told)) return undefined;
  const document = readYaml({ file: place.file, text }, problems);
  const fields = document && field.openMap(document, NAMED_LIST_FILE, problems);
  if (!fields) return undefined;
  const { description = null, owner = null, entries: items } = fields.values;
  if (!items) return undefined;
  if (items.length > MOST_ENTRIES.yaml) {
    const message = describeLimit(items.length, 'entries', 'yaml');
    return told.report('long_list', fields.placeOf('entries'), message);
  }
  const entries = items.flatMap((item) => readEntry(item, problems, told) ?? []);
  return { description, owner, entries };
}

function readEntry(item: Located, problems: ProblemList, told: ProblemList): NamedListEntry | undefined {
  if (item.kind === 'scalar') {
    if (typeof item.value === 'string') return plainEntry(item.value, item.place, told);
    const message = 'an entry is a domain, or { value, reason, owner, expires }';
    return told.report('wrong_shape', item.place, message);
  }
  const fields = field.openMap(item, OPTIONAL_ENTRY, problems);
  const { value, reason = null, owner = null, expires = null } = fields?.values ?? {};
  const entry = fields && value !== undefined && plainEntry(value, fields.placeOf('value'), told);
  return entry ? { ...entry, reason, owner, expires, line: item.place.line } : undefined;
}

function plainEntry(value: string, place: Place, told: ProblemList): NamedListEntry | undefined {
  const key = keyOf(value, place, told);
  return key === undefined
    ? undefined
    : { key, value, reason: null, owner: null, expires: null, line: place.line };
}

/** A fast path: nearly all entries are such lower-case names, which need no parser of addresses. */
const PLAIN_NAME =
  /^\.?(?:(?!..--)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!..--)[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;
const LONGEST_PLAIN = 254;

function keyOf(value: string, place: Place, told: ProblemList): string | undefined {
  if (value.length <= LONGEST_PLAIN && PLAIN_NAME.test(value)) return value;
  // A top-level domain is allowed as `.uk`, which stands for all that lies below it.
  const fault = domainEntryFault(value);
  if (!fault) return listKey(value);
  const [message, meant] = fault;
  return told.report('bad_list_value', place, message, ...meant);
}
