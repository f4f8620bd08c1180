import {
  COUNT,
  closed,
  FLAG,
  INSTANT,
  INTEGER,
  type LiteralSchema,
  listOf,
  nullable,
  record,
  SCORE,
  TEXT,
  words,
} from '../../json-types.ts';
import { COUNTS, EXAMPLE } from './rule-replay.schema.ts';

const FLIPS = record('list_flips', {
  counts: COUNTS,
  examples: listOf(closed({ ...EXAMPLE, score: closed({ base: SCORE, candidate: SCORE }) }), 'The newest.'),
});

export const SNAPSHOT = record('list_snapshot', {
  sha256: TEXT,
  taken_at: INSTANT,
  confirmed_at: INSTANT,
  entries: COUNT,
  gone: COUNT,
});

export const DOWNLOAD: LiteralSchema = record('downloaded_list', {
  list: { ...TEXT, description: 'Its id, as in files, logs and metrics.' },
  name: { ...TEXT, description: 'As people know it: domains.txt of lists.example.org.' },
  url: TEXT,
  state: {
    enum: ['fresh', 'stale', 'missing', 'held'],
    description: 'held: rolled back; not updated until that is done by hand.',
  },
  entries: COUNT,
  gone: { ...COUNT, description: 'Domains that it had within the last year and has no more.' },
  taken_at: nullable(INSTANT),
  confirmed_at: nullable(INSTANT),
  age_hours: nullable({ type: 'number' }),
  left_out: listOf(TEXT, 'Entries that were ignored because a list must not have them.'),
  last_attempt: nullable(
    closed({
      at: INSTANT,
      result: { enum: ['taken', 'unchanged', 'refused', 'failed'] },
      reason: nullable(TEXT),
    }),
  ),
  next_attempt_at: nullable(INSTANT),
  snapshots: listOf(SNAPSHOT, 'The one in force first.'),
});

export const DATA_LIST: LiteralSchema = record('data_list', {
  provider: TEXT,
  name: TEXT,
  version: nullable(TEXT),
  date: nullable(TEXT),
  age_days: nullable(INTEGER),
  entries: COUNT,
});

/** The effect of a change of lists, before the change is made. */
export const LIST_EFFECT = record('list_effect', {
  days: COUNT,
  since: INSTANT,
  checks: { ...COUNT, description: 'Live checks that were looked at: the newest of `of`, 100,000 at most.' },
  of: COUNT,
  touched: { ...COUNT, description: 'Of which a provider would find something else in the lists.' },
  without_domain: { ...COUNT, description: 'Of which nothing can be told: their records hold no domain.' },
  unseen: listOf(
    TEXT,
    'Domains that records hold under another name, to which they are normalized: not in these figures.',
  ),
  flips: closed({ to_block: FLIPS, to_allow: FLIPS }),
});

const VALUE = { type: 'string', minLength: 1, maxLength: 320 } as const;

const VERSION = {
  ...TEXT,
  description: 'Sent with a change: one that was made of an older version is refused.',
} as const;
const STATE = { enum: ['holds', 'soon', 'expired'], description: 'soon: ends within thirty days.' } as const;
const FAULTS = listOf(TEXT, 'Mistakes in the file. No change is accepted before they are fixed.');
const EXPIRES = {
  type: 'string',
  maxLength: 40,
  description: '2027-06-30: holds to the end of that day, UTC.',
} as const;

export const OWN_LIST: LiteralSchema = record('own_list', {
  list: { enum: ['allow', 'deny'] },
  file: TEXT,
  version: VERSION,
  entries: listOf(
    record('list_entry', {
      value: TEXT,
      stands_for: { ...TEXT, description: 'What is compared: of an address, its canonical form.' },
      reason: TEXT,
      owner: TEXT,
      expires: nullable(TEXT),
      state: STATE,
      is_contested: {
        ...FLAG,
        description: 'The other list has it too: at equal rank ALLOW wins.',
      },
      is_repeated: FLAG,
    }),
  ),
  faults: FAULTS,
});

const ENTRY = closed(
  {
    value: { ...words(320), description: 'user@x.org, x.org, or .x.org for the domain and its subdomains.' },
    reason: words(500),
    owner: words(100),
    expires: EXPIRES,
  },
  ['expires'],
);

/** The body of a change to a list whose entries fit `entry`. */
function changeOf<const Entry extends LiteralSchema>(entry: Entry) {
  const anyOf = [
    closed({ kind: { const: 'add' }, entry }),
    closed({ kind: { const: 'replace' }, value: VALUE, entry }),
    closed({ kind: { const: 'remove' }, value: VALUE }),
  ] as const;
  return closed({ version: TEXT, change: { anyOf } });
}

export const LIST_CHANGE = changeOf(ENTRY);

export const NAMED_LIST: LiteralSchema = record('named_list', {
  name: TEXT,
  file: TEXT,
  version: VERSION,
  description: nullable(TEXT, 'Null in a .txt list.'),
  owner: nullable(TEXT),
  entries: COUNT,
  expiring_soon: { ...COUNT, description: 'Entries that end within thirty days.' },
  expired: COUNT,
  next_end: nullable(TEXT, 'The last day on which all its entries of now hold.'),
  rules: nullable(
    listOf(closed({ id: TEXT, mode: TEXT, file: TEXT })),
    'That look into it; null where rules have errors, so that it cannot be told.',
  ),
  faults: FAULTS,
  warnings: listOf(
    closed({ line: INTEGER, code: TEXT, message: TEXT, hint: nullable(TEXT) }),
    'What lint says of it besides.',
  ),
});

export const NAMED_ENTRIES: LiteralSchema = closed({
  list: NAMED_LIST,
  total: COUNT,
  found: { ...COUNT, description: 'How many the search finds.' },
  entries: listOf(
    record('named_entry', {
      value: TEXT,
      stands_for: TEXT,
      reason: nullable(TEXT),
      owner: nullable(TEXT),
      expires: nullable(TEXT),
      state: STATE,
      is_repeated: FLAG,
    }),
    'As they stand in the file, from `offset` on.',
  ),
});

/** Entries that a new list may begin with. A longer list is written as a file of the rules. */
const MOST_FIRST_ENTRIES = 1_000;
/** Room for `MOST_FIRST_ENTRIES` of the longest names and the rest of the body. */
export const NEW_LIST_LIMIT_BYTES = 512 * 1_024;

export const NEW_NAMED_LIST = closed({
  list: record(
    'new_named_list',
    {
      name: { ...words(100), description: 'Of a-z, 0-9 and _: what rules call it by.' },
      kind: { enum: ['yaml', 'txt'], description: 'The ending of its file.' },
      description: {
        ...words(500),
        description: 'What stands in it: of a .yaml list, and there it must be.',
      },
      owner: { ...words(100), description: 'Whom to ask: the same.' },
      entries: {
        ...listOf(words(260), 'x.org, or .x.org for the domain and its subdomains.'),
        maxItems: MOST_FIRST_ENTRIES,
      },
    },
    ['description', 'owner'],
  ),
});

const NAMED_ENTRY = closed(
  {
    value: { ...words(260), description: 'x.org, or .x.org for the domain and its subdomains.' },
    reason: { ...words(500), description: 'In a .txt list a comment on the line.' },
    owner: words(100),
    expires: EXPIRES,
  },
  ['reason', 'owner', 'expires'],
);

export const NAMED_CHANGE = changeOf(NAMED_ENTRY);
