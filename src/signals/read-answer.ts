import { roundTo4 } from '../lib/statistics.ts';
import {
  type Answer,
  COUNT_WINDOWS,
  type Count,
  type DataList,
  type FactDeclaration,
  type FactType,
  type FactValue,
  type Findings,
  isUnknown,
  LONGEST_TEXT,
  type Prepared,
  type SignalProvider,
  type ThresholdFault,
  UNKNOWN_REASONS,
  type Unknown,
  unknown,
} from '../provider-kit/index.ts';

/** Reports where a provider answers against its declaration; for the log. */
export type ReportBreach = (breach: string) => void;

/** Characters of JSON that a record keeps of one provider's evidence. */
const LONGEST_EVIDENCE = 4_096;
/** Characters that are kept of the `detail` of an unknown. */
const LONGEST_DETAIL = 500;

/** A domain name as lower-case A-labels, or an IP address in brackets: printable ASCII without capitals, no dot at either end. */
const DOMAIN = /^(?!\.)[!-@[-~]+(?<!\.)$/;
/** Text that a value of the type `domain` can begin with, and that it can end with. */
const DOMAIN_START = /^(?!\.)[!-@[-~]+$/;
const DOMAIN_END = /^[!-@[-~]+(?<!\.)$/;

/** Does a value fit a declared type? Strings must be of the closed list. */
export function fits(
  value: unknown,
  fact: { readonly type: FactType; readonly values?: readonly string[] | undefined },
): value is FactValue {
  switch (fact.type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'string':
      return typeof value === 'string' && (fact.values?.includes(value) ?? true);
    case 'text':
      return typeof value === 'string' && value.length > 0 && value.length <= LONGEST_TEXT;
    case 'domain':
      return typeof value === 'string' && value.length <= LONGEST_TEXT && DOMAIN.test(value);
  }
}

/** What a value must be to fit a declared type, for messages. */
export const EXPECTED: Readonly<Record<FactType, string>> = {
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a finite number',
  string: 'one of its values',
  text: `text of 1 to ${LONGEST_TEXT} characters`,
  domain: 'a domain name as lower-case A-labels, without a final dot: letters beyond ASCII as xn--…',
};

/** Whether values of a type `text` or `domain` can begin, or end, with a text. */
export function fitsAtEnd(text: unknown, type: FactType, end: 'start' | 'end'): text is string {
  if (typeof text !== 'string' || text.length > LONGEST_TEXT) return false;
  return type === 'domain' ? (end === 'start' ? DOMAIN_START : DOMAIN_END).test(text) : text.length > 0;
}

/**
 * What a provider answered, as far as it can be used: each declared fact is a value of its type or unknown, and no object of the
 * provider's own is left, which could change or throw later. A plugin may be plain JavaScript that no compiler has seen: an
 * answer against its declaration makes its facts unknown, and never ends a check. Throws what the answer throws as it is read.
 */
export function readAnswer(
  { facts: declared }: SignalProvider,
  candidate: unknown,
  report: ReportBreach,
): Answer {
  ignoreRejection(candidate);
  if (candidate instanceof Promise) {
    report('answered a promise, which a local provider may not: declare stage: "network"');
    return unknown('error');
  }
  if (isUnknown(candidate)) {
    const whole = readUnknown(candidate, report);
    const promised = declared.find((fact) => fact.never_unknown);
    return promised ? brokenPromise(promised, whole, report) : whole;
  }
  const { facts, evidence, ttlSeconds }: Readonly<Record<string, unknown>> = Object(candidate);
  if (typeof facts !== 'object' || facts === null) {
    report('answered neither findings nor unknown');
    return unknown('error');
  }
  const found = facts as Readonly<Record<string, unknown>>;
  let others = Object.keys(found).length;
  const read: Record<string, FactValue | Unknown> = {};
  for (const fact of declared) {
    if (Object.hasOwn(found, fact.id)) others -= 1;
    read[fact.id] = readFact(fact, found, report);
  }
  // Names that are not declared are not told: a plugin may have made them of the address.
  if (others > 0) report(`answered ${others} ${others === 1 ? 'fact' : 'facts'} that it does not declare`);
  return {
    facts: read,
    evidence: readEvidence(evidence, report),
    ttlSeconds: readLife(ttlSeconds ?? undefined, report),
  };
}

/** A `ttlSeconds` that cannot be read becomes 0, so that the answer is not cached; without one, it would be cached as long as any. */
function readLife(ttlSeconds: unknown, report: ReportBreach): number | undefined {
  if (ttlSeconds === undefined || (typeof ttlSeconds === 'number' && ttlSeconds >= 0)) return ttlSeconds;
  report('answered a ttlSeconds that is no number from 0 up, so it is not kept');
  return 0;
}

/** The longest life of what a provider keeps, in seconds: a hundred years. */
const LONGEST_LIFE = 3_153_600_000;

/** The longest key of what a provider keeps, in octets: PostgreSQL has an index of keys, whose rows have 2,704 at most. */
const LONGEST_KEY = 1_024;

/** Throws a TypeError where a store cannot take the key, the value or the life: the same with either database. */
export function checkStored(
  key: unknown,
  ...written: readonly [value: unknown, lifeSeconds: unknown] | readonly []
): void {
  if (typeof key !== 'string') throw new TypeError('the key of a store must be text');
  if (key.includes('\0') || Buffer.byteLength(key) > LONGEST_KEY)
    throw new TypeError(`the key of a store must have no NUL, and ${LONGEST_KEY} octets at most`);
  if (written.length === 0) return;
  const [value, lifeSeconds] = written;
  if (typeof value !== 'string') throw new TypeError('a store keeps text alone: the value must be text');
  if (value.includes('\0')) throw new TypeError('the value of a store must have no NUL');
  if (typeof lifeSeconds !== 'number' || !(Math.abs(lifeSeconds) <= LONGEST_LIFE))
    throw new TypeError(`lifeSeconds must be a number, and ${LONGEST_LIFE} at most`);
}

/** Throws a TypeError where a question to DNS has arguments of a wrong type: it would be answered for another name, or for none. */
export function checkQuestion(name: unknown, signal: unknown): void {
  if (typeof name !== 'string') throw new TypeError('the name that DNS is asked for must be text');
  checkSignal(signal);
}

/** Throws a TypeError where what stands beside the URL of a request is of a wrong type: the request would be sent without it. */
export function checkRequest(request: unknown = {}): void {
  if (!isPlain(request)) throw new TypeError('the request must be an object, such as { headers, signal }');
  const { headers = {}, signal } = request;
  if (!isPlain(headers)) throw new TypeError('the headers of a request must be a plain object');
  checkSignal(signal);
}

function checkSignal(signal: unknown): void {
  if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal))
    throw new TypeError('the signal must be an AbortSignal, such as context.signal');
}

/** `Headers`, a Map and a list can be iterated: they have no members of their own names. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  return !(Symbol.iterator in value || value instanceof AbortSignal);
}

/** Handles the rejection of a promise that came where none is awaited: unhandled, it would end the process. */
export function ignoreRejection(candidate: unknown): void {
  if (candidate instanceof Promise) candidate.catch(() => undefined);
}

function readFact(
  fact: FactDeclaration,
  found: Readonly<Record<string, unknown>>,
  report: ReportBreach,
): FactValue | Unknown {
  const value = found[fact.id];
  if (fits(value, fact)) return asRecorded(value, fact);
  if (isUnknown(value)) {
    const read = readUnknown(value, report);
    return fact.never_unknown ? brokenPromise(fact, read, report) : read;
  }
  report(
    value === undefined
      ? `did not answer "${fact.id}"`
      : `answered "${fact.id}" with a value that is not of its type: it must be ${EXPECTED[fact.type]}`,
  );
  return unknown('error');
}

/** Rules were admitted on the promise that this fact is always there: an answer without it is a failure. */
function brokenPromise(
  { id }: FactDeclaration,
  { unknown: reason, detail }: Unknown,
  report: ReportBreach,
): Unknown {
  report(`left "${id}" unknown (${reason}) although it is declared never_unknown`);
  return unknown(reason === 'not_run' ? 'error' : reason, detail);
}

/** Rounds a number as records hold it; JSON has no minus zero. A decision made from the record must equal the one that was made. */
function asRecorded(value: FactValue, { type }: FactDeclaration): FactValue {
  if (type === 'number') return roundTo4(Number(value));
  return type === 'integer' ? Number(value) + 0 : value;
}

/** Rules and records know a closed list of reasons. */
function readUnknown({ unknown: reason, detail }: Unknown, report: ReportBreach): Unknown {
  if (UNKNOWN_REASONS.includes(reason))
    return unknown(reason, typeof detail === 'string' ? detail.slice(0, LONGEST_DETAIL) : undefined);
  report('answered unknown for a reason that is not of the list');
  return unknown('error');
}

/**
 * The evidence as records hold it, as JSON. Undefined, and reported, where it cannot be written (a cycle would fail the whole check when it
 * is recorded) or is too long (each record would hold it).
 */
function readEvidence(evidence: unknown, report: ReportBreach): Findings['evidence'] {
  if (evidence === undefined) return undefined;
  let json: string | undefined;
  try {
    json = JSON.stringify(evidence);
  } catch {
    // Reported below.
  }
  if (json === undefined || !json.startsWith('{')) report('answered evidence that is no plain JSON object');
  else if (json.length > LONGEST_EVIDENCE)
    report(`answered evidence of ${json.length} characters: ${LONGEST_EVIDENCE} are recorded at most`);
  else return JSON.parse(json) as Findings['evidence'];
  return undefined;
}

/** How many counts a provider can have at most. */
const MOST_COUNTS = 16;

/** The breach that is reported where the counts of a provider cannot be used; for the log. */
export const NO_COUNTS = `counts what is no count of its facts, or more than ${MOST_COUNTS}`;

/** What a provider counts a check under; undefined where its answer is no list of counts of its facts. Throws what the answer throws as it is read. */
export function readCounts(provider: SignalProvider, candidate: unknown): readonly Count[] | undefined {
  ignoreRejection(candidate);
  if (!Array.isArray(candidate) || candidate.length > MOST_COUNTS) return undefined;
  const read = candidate.map((count: Partial<Count> | null) => ({ ...count }));
  return read.every((count) => isCount(count, provider)) ? read : undefined;
}

function isCount(count: Partial<Count>, provider: SignalProvider): count is Count {
  const { text, facts, distinct = '' } = count;
  const shown = Object.entries(facts ?? {});
  const isShown = ([fact, window]: (typeof shown)[number]) =>
    COUNT_WINDOWS.includes(window) && provider.facts.some(({ id }) => id === fact);
  return typeof text === 'string' && typeof distinct === 'string' && shown.length > 0 && shown.every(isShown);
}

/** What `checkThresholds` has returned. Throws, in words for its author, where it is no list of faults. */
export function readThresholdFaults(faults: unknown = []): readonly ThresholdFault[] {
  ignoreRejection(faults);
  const isFault = (fault: Partial<ThresholdFault> | null) =>
    Array.isArray(fault?.path) && typeof fault.message === 'string';
  if (faults === null) return [];
  if (Array.isArray(faults) && faults.every(isFault)) return faults;
  throw new Error('checkThresholds must answer a list of { path, message }');
}

/** What `prepare` has returned. Throws, in words for its author, where a start cannot take it. */
export function readPrepared(prepared: Partial<Prepared<unknown>> | null | undefined) {
  // A table that is returned itself, not as `state`, would be lost, and each check would fail.
  if (prepared && !['state', 'source', 'lists'].some((name) => name in Object(prepared)))
    throw new Error('it returns no { state, source, lists }: what check is to be given goes into state');
  const { state, source, lists } = prepared ?? {};
  if (source !== undefined && typeof source !== 'string') throw new Error('its source is no text');
  return { state, source, lists: readLists(lists) };
}

/** Copies the lists: `/metrics`, pages and commands read them long after. */
function readLists(lists: unknown = []): readonly DataList[] {
  if (!Array.isArray(lists)) throw new Error('its lists are no list');
  return lists.map((list: Partial<Record<keyof DataList, unknown>> | null) => {
    const { name, version, date, entries } = list ?? {};
    const isSound = [version, date].every((text) => text === undefined || typeof text === 'string');
    if (typeof name !== 'string' || !Number.isSafeInteger(entries) || !isSound)
      throw new Error('its lists must have a name and a number of entries each');
    return { name, version, date, entries } as DataList;
  });
}
