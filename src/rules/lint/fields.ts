import { isCalendarDay } from '../../lib/dates.ts';
import { suggest } from '../../lib/did-you-mean.ts';
import type { Place, ProblemCode, ProblemList } from '../problem.ts';
import { isEmpty, type Located } from '../yaml-document.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** RFC 3339; the zone must be written, or the moment would depend on the machine. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;
const DAY_MS = 86_400_000;

/**
 * The moment from which something is expired, in ms since the epoch. A date holds to the end of that day in
 * UTC, as a person reads it; undefined when the text is neither a date nor a moment.
 */
export function readExpiry(text: string): number | undefined {
  const date = DATE.test(text) ? text : INSTANT.exec(text)?.[1];
  if (date === undefined || !isCalendarDay(date)) return undefined;
  if (date === text) return Date.parse(date) + DAY_MS;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment;
}

/** Year first, digits or zeros left out, other separators, a blank for the T. */
const LOOSE = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)Z?)?$/;

/** The date or moment that was probably meant; without a zone UTC, as everywhere here. Day first could be month first. */
function meantDate(text: string): string | undefined {
  const [, year, month = '', day = '', time] = LOOSE.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const meant = time === undefined ? date : `${date}T${time}Z`;
  return readExpiry(meant) === undefined ? undefined : meant;
}

export interface MapShape {
  /** For messages: `a rule`. */
  readonly what: string;
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  /** Keys that json-rules-engine knows and Postern refuses, each with its own reason. */
  readonly refused?: RefusedKeys;
}

export type RefusedKeys = Readonly<Record<string, readonly [ProblemCode, string]>>;

/** Why a key is refused; own members only, since a file may hold a key such as `constructor`. */
export function refusalOf(
  key: string,
  refused: RefusedKeys = {},
): readonly [ProblemCode, string] | undefined {
  return Object.hasOwn(refused, key) ? refused[key] : undefined;
}

/** Ids of groups, rules and thresholds. */
export const ID = /^[a-z0-9_]+$/;

/**
 * Opens a mapping. One message for each mistake: a misspelt key is read on under the name that it was meant
 * to have, so that it is not reported as missing too, and what stands in it is still judged.
 */
export function openMap(value: Located, shape: MapShape, problems: ProblemList): Fields | undefined {
  if (value.kind !== 'map') {
    problems.report('wrong_shape', value.place, `${shape.what} must be a mapping of keys and values`);
    return undefined;
  }
  const known = [...shape.required, ...(shape.optional ?? [])];
  const fields = new Map<string, Located>();
  const misspelt: [string, Located][] = [];
  for (const [key, entry] of value.entries) {
    const refusal = refusalOf(key, shape.refused);
    if (known.includes(key)) {
      fields.set(key, entry.value);
    } else if (refusal) {
      problems.report(refusal[0], entry.keyPlace, refusal[1]);
    } else {
      const hint = suggest(key, known);
      problems.report('unknown_key', entry.keyPlace, `${shape.what} has no key "${key}"`, hint);
      if (hint !== undefined) misspelt.push([hint, entry.value]);
    }
  }
  for (const [key, meant] of misspelt) if (!fields.has(key)) fields.set(key, meant);
  for (const key of shape.required) {
    if (!fields.has(key)) problems.report('missing_key', value.place, `${shape.what} needs the key "${key}"`);
  }
  return new Fields(value.place, fields, problems);
}

/** The items of a list; nothing but comments is an empty one, anything else a problem with this message. */
export function itemsOf(value: Located, message: string, problems: ProblemList): readonly Located[] {
  if (value.kind === 'list') return value.items;
  if (!isEmpty(value)) problems.report('wrong_shape', value.place, message);
  return [];
}

/** The values of a mapping, each read with its type; what is wrong is reported once and read as undefined. */
export class Fields {
  readonly place: Place;
  readonly #fields: ReadonlyMap<string, Located>;
  readonly #problems: ProblemList;

  constructor(place: Place, fields: ReadonlyMap<string, Located>, problems: ProblemList) {
    this.place = place;
    this.#fields = fields;
    this.#problems = problems;
  }

  at(key: string): Located | undefined {
    return this.#fields.get(key);
  }

  placeOf(key: string): Place {
    return this.#fields.get(key)?.place ?? this.place;
  }

  text(key: string): string | undefined {
    const value = this.#fields.get(key);
    if (value === undefined) return undefined;
    if (value.kind === 'scalar' && typeof value.value === 'string' && value.value.trim() !== '') {
      return value.value;
    }
    this.#problems.report('wrong_shape', value.place, `"${key}" must be text`);
    return undefined;
  }

  id(key: string): string | undefined {
    const text = this.text(key);
    if (text === undefined || ID.test(text)) return text;
    const hint = text.toLowerCase().replace(/[^a-z0-9_]+/g, '_');
    this.#problems.report('bad_id', this.placeOf(key), `"${text}" may hold only a-z, 0-9 and _`, hint);
    return undefined;
  }

  integer(key: string, min: number, max: number): number | undefined {
    const value = this.#fields.get(key);
    if (value === undefined) return undefined;
    const number = value.kind === 'scalar' ? value.value : undefined;
    if (typeof number !== 'number') {
      const quoted = typeof number === 'string' && /^-?\d{1,4}$/.test(number) ? number : undefined;
      const message = `"${key}" must be a whole number`;
      this.#problems.report('wrong_shape', value.place, message, undefined, quoted);
    } else if (!Number.isInteger(number) || number < min || number > max) {
      const range = `a whole number from ${min} to ${max}`;
      this.#problems.report('out_of_range', value.place, `"${key}" must be ${range}, not ${number}`);
    } else {
      // Never -0, which would show in the ledger.
      return number + 0;
    }
    return undefined;
  }

  oneOf<Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.#fields.get(key);
    if (value === undefined) return undefined;
    const word = value.kind === 'scalar' ? value.value : undefined;
    const choice = choices.find((candidate) => candidate === word);
    if (choice === undefined) {
      const hint = typeof word === 'string' ? suggest(word, choices) : undefined;
      this.#problems.report('unknown_value', value.place, `"${key}" is one of ${choices.join(', ')}`, hint);
    }
    return choice;
  }

  list(key: string): readonly Located[] {
    const value = this.#fields.get(key);
    return value === undefined ? [] : itemsOf(value, `"${key}" must be a list`, this.#problems);
  }

  /** Milliseconds since the epoch; null when there is none. */
  expiry(key: string): number | null {
    const text = this.text(key);
    if (text === undefined) return null;
    const expires = readExpiry(text);
    if (expires === undefined) {
      const message = `"${key}" must be a date (2027-06-30) or a moment (2027-06-30T12:00:00Z)`;
      this.#problems.report('bad_date', this.placeOf(key), message, meantDate(text));
      return null;
    }
    return expires;
  }
}
