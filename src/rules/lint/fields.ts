import { DAY_MS, readInstant } from '../../lib/time.ts';
import { explainLostShape } from '../../lib/yaml-syntax.ts';
import type { JsonSchema } from '../../provider-kit/index.ts';
import { asScalar, type Meant, meantBy, type Place, type ProblemCode, type ProblemList } from '../problem.ts';
import { describeFound, isEmpty, type Located, toPlain } from '../yaml-document.ts';

/** RFC 3339; the zone must be written, or the moment would depend on the machine. */
const DATE_OR_INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * The moment from which something is expired, in ms since the epoch. A date holds to the end of that day in
 * UTC, as a person reads it; undefined when the text is neither a date nor a moment.
 */
export function readExpiry(text: string): number | undefined {
  const start = readStart(text);
  return start === undefined || text.includes('T') ? start : start + DAY_MS;
}

/** The moment, or the start of that day in UTC. */
function readStart(text: string): number | undefined {
  const instant = DATE_OR_INSTANT.test(text) ? readInstant(text) : null;
  return instant === null ? undefined : Date.parse(instant);
}

/** A date with the year first, but with zeros left out, other separators, or a blank for the T. */
const LOOSE = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(Z?))?$/;

/** The date or moment that was probably meant. None with the day first: it could be the month. Without a zone only a hint: it need not be UTC. */
function meantDate(text: string): Meant {
  const [, year, month = '', day = '', time, zone] = LOOSE.exec(text.trim()) ?? [];
  if (year === undefined) return [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const meant = time === undefined ? date : `${date}T${time}Z`;
  if (readExpiry(meant) === undefined) return [];
  return zone === '' ? [meant] : [meant, meant];
}

/** A member of a mapping: what an editor is told of it, and how it is read. */
export interface Field<Value> {
  readonly schema: JsonSchema;
  readonly isOptional?: true;
  /** Undefined where it is broken, which is reported once. */
  readonly read: (value: Located, key: string, problems: ProblemList) => Value | undefined;
}
export type Members = Readonly<Record<string, Field<unknown>>>;
type ValueOf<Of> = Of extends Field<infer Value> ? Value : never;

/** The members read from a mapping. */
export interface Fields<Of extends Members> {
  readonly place: Place;
  /** Undefined where one is broken or not there. */
  readonly values: { readonly [Key in keyof Of]: ValueOf<Of[Key]> | undefined };
  placeOf(key: keyof Of & string): Place;
}

interface MapShape<Of extends Members> {
  /** For messages: `a rule`. */
  readonly what: string;
  readonly members: Of;
  /** Keys that json-rules-engine knows and Postern refuses, each with its own reason. */
  readonly refused?: RefusedKeys;
}

export type RefusedKeys = ReadonlyMap<string, readonly [ProblemCode, string]>;

/** Ids of groups and rules, and names of thresholds, conditions and lists. */
export const ID = /^[a-z0-9_]+$/;

/** The JSON Schema of a mapping, for editors. `own` replaces the schemas of some members, as those that depend on the installation. */
export function mapSchema(members: Members, own: JsonSchema = {}): JsonSchema {
  const schemas = Object.entries(members).map(([key, { schema }]) => [key, own[key] ?? schema]);
  const properties = Object.fromEntries(schemas);
  return { type: 'object', additionalProperties: false, required: requiredOf(members), properties };
}

function requiredOf(members: Members): readonly string[] {
  return Object.keys(members).filter((key) => !members[key]?.isOptional);
}

/**
 * Opens a mapping. One message for each mistake: a misspelt key is read on under the name that it was meant
 * to have, so that it is not reported as missing too, and what stands in it is still judged.
 */
export function openMap<Of extends Members>(
  value: Located,
  shape: MapShape<Of>,
  problems: ProblemList,
): Fields<Of> | undefined {
  const known = Object.keys(shape.members);
  if (value.kind !== 'map') {
    const remedy = explainLostShape(toPlain(value), 'mapping');
    const message = `${shape.what} must be a mapping, { ${known.join(', ')} }${remedy}`;
    return problems.report('wrong_shape', value.place, message);
  }
  const fields = new Map<string, Located>();
  const misspelt: [string, Located][] = [];
  for (const [key, entry] of value.entries) {
    const refusal = shape.refused?.get(key);
    if (known.includes(key)) {
      fields.set(key, entry.value);
    } else if (refusal) {
      problems.report(refusal[0], entry.keyPlace, refusal[1]);
    } else {
      const [hint, replacement] = meantBy(key, known);
      const others = hint === undefined ? `: there are ${known.join(', ')}` : '';
      const message = `${shape.what} has no key "${key}"${others}`;
      problems.report('unknown_key', entry.keyPlace, message, hint, replacement);
      if (hint !== undefined) misspelt.push([hint, entry.value]);
    }
  }
  for (const [key, meant] of misspelt) if (!fields.has(key)) fields.set(key, meant);
  for (const key of requiredOf(shape.members)) {
    if (!fields.has(key)) problems.report('missing_key', value.place, `${shape.what} needs the key "${key}"`);
  }
  const read = known.map((key) => {
    const found = fields.get(key);
    return [key, found && shape.members[key]?.read(found, key, problems)];
  });
  return {
    place: value.place,
    values: Object.fromEntries(read) as Fields<Of>['values'],
    placeOf: (key) => fields.get(key)?.place ?? value.place,
  };
}

/** The end of a message that says what is expected: what stands there. Empty where nothing does. */
export function notThis(value: Located): string {
  return isEmpty(value) ? '' : `, not ${describeFound(value)}`;
}

/** The number in a quoted text, without `_` between its digits; undefined where there is none. */
export function numberIn(value: unknown, isWhole: boolean): string | undefined {
  const text = typeof value === 'string' ? value.trim().replaceAll(/(?<=\d)_(?=\d)/g, '') : '';
  return (isWhole ? /^-?(0|[1-9]\d{0,8})$/ : /^-?(0|[1-9]\d{0,8})(\.\d+)?$/).test(text) ? text : undefined;
}

/** The items of a list. Nothing but comments is an empty list; anything else is reported with this message. */
export function itemsOf(value: Located, message: string, problems: ProblemList): readonly Located[] {
  if (value.kind === 'list') return value.items;
  const { oddity } = value;
  if (!isEmpty(value)) {
    problems.report('wrong_shape', value.place, `${message}${explainLostShape(value.value, 'list')}`);
  } else if (oddity && !oddity.isComment) problems.report('not_as_written', oddity.place, oddity.message);
  return [];
}

/** The members of a mapping from names. A key that is no name is reported and left out. Undefined where the value is no mapping. */
export function namedItems(value: Located, message: string, problems: ProblemList) {
  if (value.kind !== 'map') return problems.report('wrong_shape', value.place, message);
  return [...value.entries].flatMap(([name, { keyPlace: place, value: item }]) => {
    if (ID.test(name)) return [{ name, place, value: item }];
    return problems.report('bad_id', place, `"${name}" may hold only a-z, 0-9 and _`) ?? [];
  });
}

export function optional<Value>(field: Field<Value>): Field<Value> {
  return { ...field, isOptional: true };
}

/** A member that is read elsewhere. */
export function part(schema: JsonSchema = {}): Field<Located> {
  return { schema, read: (value) => value };
}

/** Text that is checked where it is used. */
export function text(description?: string): Field<string> {
  return { schema: { description, type: 'string', pattern: '\\S' }, read: readText };
}

function readText(value: Located, key: string, problems: ProblemList): string | undefined {
  const { value: read, oddity } = value;
  if (typeof read === 'string' && read.trim() !== '') return read;
  const blank = typeof read === 'string' ? ', not blank' : ': put it in quotes';
  const found = value.kind === 'scalar' && !isEmpty(value) ? blank : notThis(value);
  const remedy = oddity ? `, and ${oddity.message}` : found;
  return problems.report('wrong_shape', value.place, `"${key}" must be text${remedy}`);
}

/** Text for people. Nothing else checks it, so odd text is reported here. */
export function prose(description: string): Field<string> {
  return {
    ...text(description),
    read: (value, key, problems) => {
      const read = readText(value, key, problems);
      const { oddity } = value;
      if (read !== undefined && oddity) problems.report('not_as_written', oddity.place, oddity.message);
      return read;
    },
  };
}

export function id(description: string): Field<string> {
  return {
    schema: { description, type: 'string', pattern: ID.source },
    read: (value, key, problems) => {
      const read = readText(value, key, problems);
      if (read === undefined || ID.test(read)) return read;
      const hint = read.toLowerCase().replace(/[^a-z0-9_]+/g, '_');
      problems.report('bad_id', value.place, `"${read}" may hold only a-z, 0-9 and _`, hint, asScalar(hint));
      return undefined;
    },
  };
}

export function integer(minimum: number, maximum: number, description?: string): Field<number> {
  return {
    schema: { description, type: 'integer', minimum, maximum },
    read: (value, key, problems) => {
      const number = value.value;
      if (typeof number !== 'number') {
        const message = `"${key}" must be a whole number${notThis(value)}`;
        return problems.report('wrong_shape', value.place, message, undefined, numberIn(number, true));
      }
      // Never -0, which would show in the ledger.
      if (Number.isInteger(number) && number >= minimum && number <= maximum) return number + 0;
      const range = `a whole number from ${minimum} to ${maximum}`;
      return problems.report('out_of_range', value.place, `"${key}" must be ${range}, not ${number}`);
    },
  };
}

export function oneOf<Choice extends string>(
  choices: readonly Choice[],
  description?: string,
): Field<Choice> {
  return {
    schema: { description, enum: choices },
    read: (value, key, problems) => {
      const word = value.value;
      const choice = choices.find((candidate) => candidate === word);
      if (choice !== undefined) return choice;
      const meant = typeof word === 'string' ? meantBy(word, choices) : [];
      const message = `"${key}" is one of ${choices.join(', ')}${notThis(value)}`;
      return problems.report('unknown_value', value.place, message, ...meant);
    },
  };
}

/** A key with nothing but comments under it is an empty list. */
export function list(items: JsonSchema, description?: string): Field<readonly Located[]> {
  return {
    schema: { description, type: ['array', 'null'], items },
    read: (value, key, problems) => {
      const items = itemsOf(value, `"${key}" must be a list`, problems);
      return value.kind === 'list' || isEmpty(value) ? items : undefined;
    },
  };
}

/** Milliseconds since the epoch. */
function moment(readMoment: typeof readExpiry, description: string): Field<number> {
  return optional({
    schema: { description, type: 'string', pattern: DATE_OR_INSTANT.source },
    read: (value, key, problems) => {
      const { value: text, oddity } = value;
      const read = typeof text === 'string' ? readMoment(text) : undefined;
      if (read !== undefined) return read;
      const remedy = oddity && !oddity.isComment ? `: ${oddity.message}` : '';
      const message = `"${key}" must be a date (2027-06-30) or a moment (2027-06-30T12:00:00Z)${notThis(value)}${remedy}`;
      return problems.report('bad_date', value.place, message, ...meantDate(String(text)));
    },
  });
}

export const EXPIRES = moment(
  readExpiry,
  'A date, which holds to the end of that day in UTC, or a moment; then it does nothing any more.',
);
export const STARTS = moment(
  readStart,
  'A date, which begins with that day in UTC, or a moment; before it the rule does nothing.',
);
export const TEST_MOMENT = moment(
  readStart,
  'A date or a moment: the rules are tried as they are then. Without it, as they are now.',
);
