import { isIP } from 'node:net';
import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import { isPostgresUrl, isSharedStateUrl, nameServerOf } from './service-url.ts';

const ESCAPED = ' (in a password @ is %40, / is %2F, % is %25)';

/** The formats of `config/schema.json` and of options that providers declare: how a value is checked, and what a fault says. */
export const formats: Readonly<Record<string, { check: (text: string) => boolean; says: string }>> = {
  // Any text; marks the keys whose relative paths are resolved.
  path: { check: () => true, says: 'must be a path' },
  'package-name': {
    check: (text) => /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/.test(text),
    says: 'must be the name of an npm package (a folder belongs into providers.paths)',
  },
  'storage-url': {
    check: (text) => pathOfSqlite(text) !== undefined || isPostgresUrl(text),
    says: `must be a path, plain or as sqlite:<path>, or postgres://user@host/database${ESCAPED}`,
  },
  'postgres-url': {
    check: isPostgresUrl,
    says: `must be of the form postgres://user@host/database${ESCAPED}`,
  },
  'shared-state-url': {
    check: isSharedStateUrl,
    says: `must be of the form valkey://host:6379/0, or with valkeys:, redis: or rediss:${ESCAPED}`,
  },
  'address-range': {
    check: isAddressRange,
    says: 'must be an IP address or a CIDR range such as 10.0.0.0/8',
  },
  'name-server': {
    check: (text) => nameServerOf(text) !== undefined,
    says: 'must be an IP address, with a port as 127.0.0.1:5353 or [::1]:5353',
  },
  'https-origin': {
    check: (text) => text.startsWith('https:') && URL.parse(text)?.origin === text,
    says: 'must be https:// and a host, with a port where it is not 443, such as https://risk.internal:8443',
  },
  'bearer-token': {
    check: (text) => /^[\x21-\x7e]+$/.test(text),
    says: 'must be ASCII without blanks: a header carries it',
  },
  'https-url': {
    check: isHttpsUrl,
    says: 'must be an https: URL (http: on loopback only)',
  },
  // What asks it, fetch, takes none with a password.
  'doh-url': {
    check: (text) => isHttpsUrl(text) && !/^[^/]*\/\/[^/?#]*@/.test(text),
    says: 'must be an https: URL (http: on loopback only) without a user or password',
  },
};

/** PostgreSQL's own form of an address, `host=db user=x` (libpq, "Keyword/Value Connection Strings"), by the keywords that begin one. */
const KEYWORD_FORM = /^\s*(?:host|hostaddr|port|dbname|user|password|service|sslmode)\s*=/i;

/** The path of `sqlite:<path>`, `sqlite:///<path>` or a plain path; undefined for any other scheme, and for PostgreSQL's keywords. */
export function pathOfSqlite(text: string): string | undefined {
  if (KEYWORD_FORM.test(text)) return undefined;
  // One letter before the colon is a drive, not a scheme.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1];
  const path =
    scheme === undefined ? text : scheme.toLowerCase() === 'sqlite' ? text.slice('sqlite:'.length) : '';
  return path.replace(/^\/\/(?=\/)/, '') || undefined;
}

function isAddressRange(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}

function isHttpsUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
}

/** Keywords of a schema whose values are hidden, or shown without their password. */
const MARKS = ['secret', 'holds_password'];

/** An ajv that reports every fault and knows our own words. Its validators run once or twice: optimizing their code would not pay. */
export function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    code: { optimize: false },
    // Providers name their schemas (`$id`) without knowing of each other.
    addUsedSchema: false,
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
  });
  for (const keyword of MARKS) ajv.addKeyword({ keyword, schemaType: 'boolean' });
  for (const [name, { check }] of Object.entries(formats)) ajv.addFormat(name, check);
  return ajv;
}

/** What a fault says of a format of JSON Schema (draft 2020-12, section 7.3); of any other format it says the name. */
const standardFormats: Readonly<Record<string, string>> = {
  uri: 'must be a URL such as https://api.example.com/v2',
  email: 'must be an email address',
  hostname: 'must be the name of a host',
  date: 'must be a day such as 2026-11-27',
  'date-time': 'must be a moment such as 2026-11-27T12:00:00Z',
  uuid: 'must be a UUID',
  ipv4: 'must be an IPv4 address',
  ipv6: 'must be an IPv6 address',
};

/**
 * Ajv's errors, but for each `anyOf` or `oneOf` only the errors of the branch that fits the value best: a branch of the value's type, then
 * the branch with the fewest errors. If no branch has the value's type, one error names the types of all branches.
 */
export function closestFaults(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let left = errors;
  // A choice within another one is reported before it.
  for (const choice of errors.filter(({ keyword }) => isChoice(keyword))) {
    const { schemaPath, instancePath } = choice;
    const isWithin = (error: ErrorObject) =>
      error.schemaPath.startsWith(`${schemaPath}/`) &&
      `${error.instancePath}/`.startsWith(`${instancePath}/`);
    const within = left.filter(isWithin);
    const branches = Map.groupBy(
      within,
      (error) => error.schemaPath.slice(schemaPath.length + 1).split('/')[0],
    );
    const misfitOf = (branch: readonly ErrorObject[]) =>
      branch.find((error) => error.keyword === 'type' && error.instancePath === instancePath);
    const [first, ...others] = [...branches.values()].toSorted(
      (a, b) => Number(misfitOf(a) !== undefined) - Number(misfitOf(b) !== undefined) || a.length - b.length,
    );
    if (first === undefined) continue;
    const misfit = misfitOf(first);
    const type = [first, ...others].flatMap((branch) => misfitOf(branch)?.params.type ?? []);
    const kept = misfit ? [{ ...misfit, params: { type }, message: `must be ${type.join(',')}` }] : first;
    left = left.flatMap((error) => (error === choice ? kept : within.includes(error) ? [] : error));
  }
  return left;
}

function isChoice(keyword: string): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf';
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  null: 'null',
};

/** What an error says of the value, after its path. */
export function sentenceOf({ keyword, params, message, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties':
      return 'is not a known key';
    case 'required':
      return 'must be set';
    case 'type':
      return `must be ${[params.type]
        .flat()
        .map((type) => TYPE_NAMES[String(type)] ?? String(type))
        .join(' or ')}`;
    case 'enum':
      return `must be one of ${(parentSchema?.enum ?? []).join(', ')}`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`;
    case 'format':
      return (
        formats[params.format]?.says ??
        standardFormats[params.format] ??
        `must be of the form ${params.format}`
      );
    default:
      return message ?? `breaks ${keyword}`;
  }
}

/** Where a fault lies in the value; for a missing or surplus member, the path of that member. */
export function pathOf({ instancePath, keyword, params }: ErrorObject): readonly string[] {
  const path = instancePath.split('/').slice(1).map(unescaped);
  if (keyword === 'additionalProperties') return [...path, String(params.additionalProperty)];
  return keyword === 'required' ? [...path, String(params.missingProperty)] : path;
}

const unescaped = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** A place in the values that a schema describes. */
export interface SchemaPlace {
  /** All that lies below a secret is secret. */
  readonly isSecret: boolean;
  readonly holdsPassword: boolean;
  /** Whether the schema declares the key: a declared key reveals nothing of the value. */
  declares(key: string): boolean;
  below(key: string): SchemaPlace;
}

/**
 * The place of the whole value of a schema. Only `properties` are followed: if a schema marks a part of a value in another way (in a list,
 * by reference, in one of several forms, under a condition), the whole value is marked: better to hide too much than to show a secret.
 */
export function placeIn(root: object): SchemaPlace {
  const placeOf = (schema: object): SchemaPlace => {
    const {
      properties = {},
      $defs: _,
      definitions: __,
      ...rest
    }: Readonly<Record<string, unknown>> = { ...schema };
    const own = JSON.stringify(rest);
    const text = /"\$(?:dynamicRef|ref)":/.test(own) ? JSON.stringify(root) : own;
    const [isSecret = false, holdsPassword = false] = MARKS.map((mark) => text.includes(`"${mark}":true`));
    const declares = (key: string) => Object.hasOwn(Object(properties), key);
    const place: SchemaPlace = {
      isSecret,
      holdsPassword,
      declares,
      below: (key) =>
        isSecret || holdsPassword || !declares(key) ? place : placeOf(Object(properties)[key]),
    };
    return place;
  };
  return placeOf(root);
}
