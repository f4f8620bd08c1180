import { checkQuestion, checkRequest, checkStored } from '../../signals/read-answer.ts';
import {
  type Clock,
  type DnsAnswer,
  type DnsResolver,
  HTTP_OUTCOMES,
  type HttpAnswer,
  type HttpRequest,
  type JsonHttp,
  type MxRecord,
  type Ports,
  type ProviderLog,
  type ProviderStore,
  type SmtpAnswer,
  type SmtpOutcome,
  type SmtpProber,
  type SmtpQuestion,
} from '../ports.ts';

/** A clock that stands until it is moved. Begins at 2026-01-01T00:00:00Z unless told, in milliseconds since the epoch. */
export function fakeClock(startMs = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): void } {
  let now = startMs;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}

/** How a DNS look-up can fail. */
export type DnsFailure = Exclude<DnsAnswer<never>['outcome'], 'found' | 'nxdomain' | 'nodata'>;

/** How a request over HTTP can fail. */
export type HttpFailure = Exclude<HttpAnswer['outcome'], 'ok' | 'status'>;

/** The records of a name. A question for a kind of record that it lacks is answered `nodata`. */
export interface FakeName {
  /** A host name alone has the preference 10. */
  readonly mx?: readonly (MxRecord | string)[];
  readonly addresses?: readonly string[];
  readonly ttlSeconds?: number;
}

/**
 * A resolver over a zone: names that are not in it are `nxdomain`. A failure in the place of a name, or of the zone, is the answer to
 * every question about it; `silence` never answers before the signal fires, and `timeout` then.
 */
export function fakeDns(
  zone: Readonly<Record<string, FakeName | DnsFailure>> | DnsFailure | 'silence' = {},
): DnsResolver & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  async function ask<Record>(
    name: string,
    signal: AbortSignal | undefined,
    recordsOf: (entry: FakeName) => readonly Record[] | undefined,
  ): Promise<DnsAnswer<Record>> {
    checkQuestion(name, signal);
    asked.push(name);
    if (zone === 'silence') {
      await aborted(signal);
      return { outcome: 'timeout' };
    }
    const entry = typeof zone === 'string' ? zone : Object.hasOwn(zone, name) ? zone[name] : undefined;
    if (entry === undefined) return { outcome: 'nxdomain' };
    if (typeof entry === 'string') return { outcome: entry };
    const records = recordsOf(entry);
    const life = entry.ttlSeconds === undefined ? {} : { ttlSeconds: entry.ttlSeconds };
    return records?.length ? { outcome: 'found', records, ...life } : { outcome: 'nodata', ...life };
  }
  const toMx = (record: MxRecord | string) =>
    typeof record === 'string' ? { exchange: record, preference: 10 } : record;
  return {
    asked,
    mx: (domain, signal) => ask(domain, signal, ({ mx }) => mx?.map(toMx)),
    addresses: (host, signal) => ask(host, signal, ({ addresses }) => addresses),
  };
}

/** Mail hosts that all give this outcome, or what the function answers; `silence` never answers, as a host whose turn does not come. */
export function fakeSmtp(
  outcome: SmtpOutcome | 'silence' | ((question: SmtpQuestion) => SmtpAnswer) = 'no_such_mailbox',
): SmtpProber & { readonly asked: readonly SmtpQuestion[] } {
  const asked: SmtpQuestion[] = [];
  return {
    asked,
    probe: async (question) => {
      asked.push(question);
      if (outcome === 'silence') return new Promise(() => undefined);
      return typeof outcome === 'function' ? outcome(question) : { outcome };
    },
  };
}

export interface FakeRequest extends HttpRequest {
  readonly url: string;
}

/**
 * Servers that answer as told: by URL, an answer of the port or the JSON of a 200; any other URL is a 404. A function answers
 * each request; an outcome is the answer to all of them; `silence` never answers before the signal fires, and `timeout` then.
 */
export function fakeHttp(
  answers:
    | Readonly<Record<string, unknown>>
    | ((request: FakeRequest) => HttpAnswer)
    | HttpFailure
    | 'silence' = {},
): JsonHttp & { readonly asked: readonly FakeRequest[] } {
  const asked: FakeRequest[] = [];
  async function ask(url: string, request: HttpRequest = {}): Promise<HttpAnswer> {
    checkRequest(request);
    asked.push({ ...request, url });
    if (answers === 'silence') {
      await aborted(request.signal);
      return { outcome: 'timeout' };
    }
    if (typeof answers === 'string') return { outcome: answers };
    if (typeof answers === 'function') return answers({ ...request, url });
    if (!Object.hasOwn(answers, url)) return { outcome: 'status', status: 404, body: null };
    const answer = answers[url];
    return isHttpAnswer(answer) ? answer : { outcome: 'ok', status: 200, body: answer };
  }
  return { asked, getJson: ask, request: ask };
}

function isHttpAnswer(answer: unknown): answer is HttpAnswer {
  return HTTP_OUTCOMES.some((outcome) => (answer as HttpAnswer | null)?.outcome === outcome);
}

/** A store in memory, where lives end by `clock`. With a `failure`, every call rejects with it. */
export function fakeStore(
  clock: Clock = fakeClock(),
  failure?: Error,
): ProviderStore & { readonly entries: ReadonlyMap<string, string> } {
  const entries = new Map<string, string>();
  const ends = new Map<string, number>();
  return {
    entries,
    get: async (key) => {
      checkStored(key);
      if (failure) throw failure;
      return clock.now() < (ends.get(key) ?? 0) ? entries.get(key) : undefined;
    },
    set: async (key, value, lifeSeconds) => {
      checkStored(key, value, lifeSeconds);
      if (failure) throw failure;
      entries.set(key, value);
      ends.set(key, clock.now() + lifeSeconds * 1000);
    },
  };
}

export interface FakeLogLine {
  readonly level: 'info' | 'warn';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function fakeLog(): ProviderLog & { readonly lines: readonly FakeLogLine[] } {
  const lines: FakeLogLine[] = [];
  return {
    lines,
    info: (fields, message) => void lines.push({ level: 'info', message, fields }),
    warn: (fields, message) => void lines.push({ level: 'warn', message, fields }),
  };
}

/** Every port, each a fake that works: an empty zone, mail hosts without the mailbox, servers that know nothing, an empty store, a clock that stands. */
export function fakePorts(others: Partial<Ports> = {}): Ports {
  const clock = others.clock ?? fakeClock();
  const fakes = {
    dns: fakeDns(),
    smtp: fakeSmtp(),
    http: fakeHttp(),
    store: fakeStore(clock),
    log: fakeLog(),
  };
  return { ...fakes, ...others, clock };
}

/** Resolves when the signal fires; without a signal, never. */
function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
}
