import { withoutHidden } from '../email/characters.ts';
import { readAddress } from '../email/read-address.ts';
import { listKey } from '../provider-kit/index.ts';
import { type DatedListEntry, isExpired } from './definitions.ts';
import { EXPIRES, itemsOf, list, mapSchema, openMap, optional, prose, text } from './lint/fields.ts';
import { asScalar, describePlace, type Meant, type Place, type ProblemList } from './problem.ts';
import type { Located } from './yaml-document.ts';

/** `j.doe+1@googlemail.com` means the mailbox, not one way to write it: like what it is compared with, an address is made canonical. */
export function canonicalEntry(value: string): string {
  if (!value.includes('@')) return withoutHidden(value);
  const reading = readAddress(value);
  return reading.ok ? reading.address.canonical.address : value;
}

/** Entries with the same key match the same addresses, however each is written. */
export function entryKey(value: string): string {
  return listKey(canonicalEntry(value));
}

const VALUE = text('user@example.org, example.org, or .example.org: the domain with its subdomains.');

function readValue(value: Located, key: string, problems: ProblemList): string | undefined {
  if (value.kind === 'scalar') return VALUE.read(value, key, problems);
  return problems.report('wrong_shape', value.place, '"value" is one text: give each an entry of its own');
}

const ENTRY = {
  what: 'an entry',
  members: {
    value: { ...VALUE, read: readValue },
    reason: prose('Why it stands here.'),
    owner: prose('Whom to ask.'),
    expires: EXPIRES,
  },
};

/** An entry of a named list that is a mapping, not a plain domain. */
export const OPTIONAL_ENTRY = {
  what: 'an entry',
  members: {
    value: {
      ...VALUE,
      schema: text('example.org, or .example.org: the domain with its subdomains.').schema,
      read: readValue,
    },
    reason: optional(prose('Why it stands here.')),
    owner: optional(prose('Whom to ask, where it is not the owner of the list.')),
    expires: EXPIRES,
  },
};

/** Why a value is no domain for a named list, and what was meant. */
export function domainEntryFault(value: string): readonly [message: string, meant: Meant] | undefined {
  if (!value.includes('@') && (isListValue(value) || isTopLevel(value))) return undefined;
  const forms = 'x.org and .x.org';
  if (value.includes('@')) {
    const remedy = 'addresses stand in allow.yaml and deny.yaml, a named list has domains';
    return [`"${value}" is none of ${forms}: ${remedy}`, []];
  }
  const meant: Meant = isTopLevel(`.${value}`) ? [`.${value}`] : meantValue(value);
  return [describeBadValue(value, forms), meant[0]?.includes('@') ? [] : meant];
}

/** `.uk` matches all that lies below a top-level domain, and the value `uk` of the fact `address.tld`. */
function isTopLevel(value: string): boolean {
  return /^\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(value) && !/^\.\d+$/.test(value);
}

/** The schema of both files, for editors. */
export const LIST_SCHEMA = list(mapSchema(ENTRY.members)).schema;

/** `allow.yaml` or `deny.yaml`; a file with nothing but comments is an empty list. */
export function readListFile(value: Located | undefined, problems: ProblemList): readonly DatedListEntry[] {
  if (!value) return [];
  const message = 'a list of { value, reason, owner, expires } stands here';
  return itemsOf(value, message, problems).flatMap((item) => readEntry(item, problems) ?? []);
}

function readEntry(item: Located, problems: ProblemList): DatedListEntry | undefined {
  const fields = openMap(item, ENTRY, problems);
  if (!fields) return undefined;
  const { value, reason, owner, expires = null } = fields.values;
  const place = fields.placeOf('value');
  if (value !== undefined && !isListValue(value)) {
    return problems.report('bad_list_value', place, describeBadValue(value), ...meantValue(value));
  }
  if (value === undefined || reason === undefined || owner === undefined) return undefined;
  return { value, reason, owner, expires, place };
}

/**
 * Wildcards of shells, SQL and regular expressions, and the signs for "not" and "a comment" in other lists. A local part may have these
 * signs (RFC 5322, 3.2.3), and the entry would match that one mailbox only: a name that is meant to have them must stand in quotes.
 */
const PATTERN = /[*?%^|]|^[!#~]|^[.+]+$/;

/**
 * Signs beyond ASCII that no registry takes, though DNS could carry them: the quotes, dashes and bullets of word processors. Excepted, since
 * names do hold them: the signs of IDNA (RFC 5892, 2.6), stops and wide forms that are read as plain ones, and emoji (`i❤.ws`).
 */
const SIGN = /[[\p{P}\p{S}]--\p{ASCII}--[·͵׳״۽۾་・。｡！-～]--[\p{Emoji}--[©®™▪▫▶◀✔✖☑]]]/v;
const SIGNS_AROUND = new RegExp(`^(?:${SIGN.source}|\\s)+|(?:${SIGN.source}|\\s)+$`, 'gv');

/** False for an entry that would never match an address as meant: a pattern, a part of a URL, a name that is read as an IP address. */
function isListValue(value: string): boolean {
  if (signIn(value) !== undefined) return false;
  if (value.includes('@')) return !isPattern(value) && readAddress(value).ok;
  const [, dot = '', name = ''] = /^(\.?)(.*)$/s.exec(withoutHidden(value).trim()) ?? [];
  const reading = readAddress(`x@${name}`);
  return value.includes('.') && reading.ok && `${dot}${reading.address.domain}` === listKey(value);
}

const withoutQuoted = (value: string) => value.replace(/"(?:[^"\\]|\\.)*"/g, '');

function isPattern(value: string): boolean {
  const local = withoutQuoted(value.slice(0, value.lastIndexOf('@') + 1));
  return PATTERN.test(local.trim().slice(0, -1));
}

function signIn(value: string): string | undefined {
  return SIGN.exec(withoutQuoted(value))?.[0];
}

const OWN_FORMS = 'user@x.org, x.org and .x.org';

function describeBadValue(value: string, forms = OWN_FORMS): string {
  const none = `"${value}" is none of ${forms}`;
  const sign = signIn(value);
  if (sign !== undefined) return `${none}: ${sign} stands in no domain, and in a mailbox only in quotes`;
  if (!isPattern(value) && !/[*?%^|[({\\]/.test(value)) return none;
  const patterns = `${none}, and a list has no patterns: x.org stands for every mailbox of the domain, .x.org for those below it too`;
  if (forms !== OWN_FORMS) return patterns;
  return `${patterns}; a name that is spelt with such signs is put in quotes, "a*b"@x.org`;
}

/** A longer value gets no suggestion. An address has at most 254 octets (RFC 5321, 4.5.3.1.3). */
const LONGEST_MEANT = 320;

/** The entry that was probably meant; and a replacement, where the value says the same. */
function meantValue(value: string): Meant {
  if (value.length > LONGEST_MEANT) return [];
  // Strips the scheme of a URL, the signs around a regular expression or a quoted text, and escapes.
  const text = value
    .replace(SIGNS_AROUND, '')
    .replace(/^(?:mailto:|[a-z][a-z\d+.-]*:\/\/)/i, '')
    .replace(/^[/"'`<(^|\s]+|[/"'`>)$^|,;\s]+$/g, '')
    .replace(/\\(?=[.@])/g, '')
    .replace('%40', '@');
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at + 1).slice(0, -1);
  const [, wildcard = '', host = ''] = /^([.*?%+]*)([^/?#:]*)/.exec(text.slice(at + 1)) ?? [];
  const domain = `${wildcard === '' ? '' : '.'}${host.replace(/\.$/, '')}`;
  // Drops a wildcard for a tag, `j.doe+*`: every tag belongs to the same mailbox.
  const mailbox = local.replace(/\+\.?[*?%+]+$/, '');
  const meant = /^[.*?%+]*$/.test(local) ? domain : `${mailbox}@${domain}`;
  if (!isListValue(meant)) return [];
  // No replacement for `@x.org`: the name before the @ may have been lost.
  const isSame = [`*@${meant}`, meant].includes(value.trim().replace(/\.$/, ''));
  return isSame ? [meant, asScalar(meant)] : [meant];
}

/** Reports entries that stand in a list twice, that stand in both lists, or that have expired. */
export function checkLists(
  allow: readonly DatedListEntry[],
  deny: readonly DatedListEntry[],
  now: number,
  problems: ProblemList,
): void {
  const index = (entries: readonly DatedListEntry[]) =>
    indexEntries(
      entries,
      ({ value }) => entryKey(value),
      ({ place }) => place,
      now,
      problems,
    );
  const allowed = index(allow);
  const denied = index(deny);
  for (const [value, entry] of denied) {
    const other = allowed.get(value);
    if (other) {
      const message = `"${entry.value}" is also allowed, at ${describePlace(other.place)}: at equal rank ALLOW wins`;
      problems.report('forced_clash', entry.place, message);
    }
  }
}

/** The entries in force, by key. Reports those that have expired, and those whose key stands in the list already. */
export function indexEntries<Entry extends Pick<DatedListEntry, 'value' | 'expires'>>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
  placeOf: (entry: Entry) => Place,
  now: number,
  problems: ProblemList,
): ReadonlyMap<string, Entry> {
  const inForce = new Map<string, Entry>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const first = inForce.get(key);
    if (isExpired(entry, now)) {
      problems.report('expired', placeOf(entry), `the entry "${entry.value}" has expired: it does nothing`);
    } else if (first) {
      const message = `"${entry.value}" stands also in line ${placeOf(first).line}`;
      problems.report('duplicate_entry', placeOf(entry), message);
    } else {
      inForce.set(key, entry);
    }
  }
  return inForce;
}
