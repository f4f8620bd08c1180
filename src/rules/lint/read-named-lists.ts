import { join } from 'node:path';
import { listKey } from '../../provider-kit/index.ts';
import { isExpired, type NamedListDefinition, type NamedListEntry } from '../definitions.ts';
import { domainEntryFault, OPTIONAL_ENTRY } from '../list-entries.ts';
import { MOST_ENTRIES, MOST_LISTS } from '../named-list.ts';
import { asScalar, type Place, PROBLEM_SEVERITIES, type ProblemCode, type ProblemList } from '../problem.ts';
import type { RuleSources } from '../rule-files.ts';
import { type Located, readYaml } from '../yaml-document.ts';
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

/** Told one by one in a file; a text that is no list at all has as many as lines. */
const MOST_TOLD = 20;

/** Problems of one list: of many that are alike the first, and how many there are more. */
export class ToldOfList {
  readonly #problems: ProblemList;
  readonly #file: Place;
  #count = 0;
  #isSound = true;
  #last: ProblemCode = 'bad_list_value';

  constructor(problems: ProblemList, file: Place) {
    this.#problems = problems;
    this.#file = file;
  }

  report(...told: Parameters<ProblemList['report']>): undefined {
    this.#count += 1;
    this.#last = told[0];
    if (PROBLEM_SEVERITIES[told[0]] === 'error') this.#isSound = false;
    if (this.#count <= MOST_TOLD) this.#problems.report(...told);
  }

  /** Whether all that stands in it could be read. */
  close(): boolean {
    const more = this.#count - MOST_TOLD;
    if (more <= 0) return this.#isSound;
    const message = `${more} more entries of this list are like these: mend those that are told first`;
    this.#problems.report(this.#isSound ? this.#last : 'bad_list_value', this.#file, message);
    return this.#isSound;
  }
}

/** The lists of a rules directory, by name. Faults are reported, and what they are of is left out. */
export function readNamedLists(
  { dir, files }: RuleSources,
  now: number,
  problems: ProblemList,
): Declared<NamedListDefinition> {
  const lists = new Declared<NamedListDefinition>('list');
  const paths = Object.keys(files).filter(isNamedListFile).sort();
  for (const [index, path] of paths.entries()) {
    const [, name = '', ending] = LIST_FILE.exec(path) ?? [];
    const place = { file: join(dir, path), line: 1, column: 1 };
    if (!field.ID.test(name)) {
      problems.report('bad_id', place, `the name of a list, "${name}", may hold only a-z, 0-9 and _`);
      lists.isComplete = false;
    } else if (index >= MOST_LISTS) {
      problems.report(
        'long_list',
        place,
        `there are more than ${MOST_LISTS} lists: put some of them together`,
      );
      lists.isComplete = false;
    } else {
      const told = new ToldOfList(problems, place);
      const text = files[path] ?? '';
      const read = ending === 'txt' ? readLines(text, place, told) : readEntries(text, place, problems, told);
      if (read) lists.add(name, { name, place, ...read }, problems);
      else lists.isComplete = false;
      checkEntries(read?.entries ?? [], place, now, told);
      if (!told.close()) lists.isComplete = false;
    }
  }
  return lists;
}

type ReadList = Omit<NamedListDefinition, 'name' | 'place'>;

function readLines(text: string, { file }: Place, told: ToldOfList): ReadList | undefined {
  const lines = text.split('\n');
  if (isTooLong(lines.length, 'txt', { file, line: 1, column: 1 }, told)) return undefined;
  const entries: NamedListEntry[] = [];
  for (const [index, line] of lines.entries()) {
    const value = (/^[^#]*/.exec(line)?.[0] ?? '').trim();
    if (value === '') continue;
    const column = line.indexOf(value) + 1;
    const place = { file, line: index + 1, column, endColumn: column + value.length };
    const key = keyOf(value, place, told);
    if (key === undefined) continue;
    entries.push({ key, value, reason: null, owner: null, expires: null, line: index + 1 });
  }
  return { description: null, owner: null, entries };
}

/** Sooner than a parser would have made a tree of it. */
function isTooLong(
  lines: number,
  ending: keyof typeof MOST_ENTRIES,
  place: Place,
  told: ToldOfList,
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
  told: ToldOfList,
): ReadList | undefined {
  if (isTooLong(text.split('\n').length, 'yaml', place, told)) return undefined;
  const document = readYaml({ file: place.file, text }, problems);
  const fields = document && field.openMap(document, NAMED_LIST_FILE, problems);
  if (!fields) return undefined;
  const { description = null, owner = null, entries: items } = fields.values;
  if (!items) return undefined;
  if (items.length > MOST_ENTRIES.yaml) {
    return told.report(
      'long_list',
      fields.placeOf('entries'),
      describeLimit(items.length, 'entries', 'yaml'),
    );
  }
  const entries = items.flatMap((item) => readEntry(item, problems, told) ?? []);
  return { description, owner, entries };
}

function readEntry(item: Located, problems: ProblemList, told: ToldOfList): NamedListEntry | undefined {
  const { line } = item.place;
  if (item.kind === 'scalar') {
    const { value } = item;
    if (typeof value !== 'string') {
      return told.report(
        'wrong_shape',
        item.place,
        'an entry is a domain, or { value, reason, owner, expires }',
      );
    }
    const key = keyOf(value, item.place, told);
    return key === undefined ? undefined : { key, value, reason: null, owner: null, expires: null, line };
  }
  const fields = field.openMap(item, OPTIONAL_ENTRY, problems);
  const { value, reason = null, owner = null, expires = null } = fields?.values ?? {};
  if (!fields || value === undefined) return undefined;
  const key = keyOf(value, fields.placeOf('value'), told);
  return key === undefined ? undefined : { key, value, reason, owner, expires, line };
}

/** Lower-case names as nearly all entries are: they need no parser of addresses. */
const PLAIN_NAME =
  /^\.?(?:(?!..--)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!..--)[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;
const LONGEST_PLAIN = 254;

function keyOf(value: string, place: Place, told: ToldOfList): string | undefined {
  if (value.length <= LONGEST_PLAIN && PLAIN_NAME.test(value)) return value;
  // A top-level domain is named with all that lies below it.
  const fault = domainEntryFault(value);
  if (!fault) return listKey(value);
  const [message, meant] = fault;
  return told.report('bad_list_value', place, message, ...meant);
}

function checkEntries(
  entries: readonly NamedListEntry[],
  { file }: Place,
  now: number,
  told: ToldOfList,
): void {
  const inForce = new Map<string, NamedListEntry>();
  for (const entry of entries) {
    const { key, value, line } = entry;
    const first = inForce.get(key);
    const say = (code: ProblemCode, message: string) => told.report(code, { file, line, column: 1 }, message);
    if (isExpired(entry, now)) say('expired', `the entry ${asScalar(value)} has expired: it does nothing`);
    else if (first) say('duplicate_entry', `"${value}" stands also in line ${first.line}`);
    else inForce.set(key, entry);
  }
}
