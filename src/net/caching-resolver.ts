import type { Answer } from 'dns-packet';
import { LRUCache } from 'lru-cache';
import { unlessAborted, withDeadline } from '../lib/time.ts';
import type { DnsAnswer, DnsResolver, MxRecord } from '../provider-kit/index.ts';
import {
  type Ask,
  isFailure,
  isLocalhost,
  isNeverAsked,
  LOOPBACK,
  type Question,
  readAddresses,
  readExchanges,
} from './dns-message.ts';

/** The shortest TTL, and the TTL of answers that have none: less would query busy domains at every check. */
const MIN_SECONDS = 60;
const MAX_SECONDS = 3600;
/** How long a failure is kept: it says nothing about the domain, and only spares the server an immediate repeat. */
const FAILURE_SECONDS = 5;
/** RFC 8767 section 5 suggests one to three days; for a score an hour bridges an outage, and more would mislead. */
const STALE_SECONDS = 3600;
/** The TTL that is handed out with a stale answer: the refresh should be done by then. */
const STALE_LIFE_SECONDS = 1;

/**
 * Limits names plus records, because one domain can own many records. The worst case is some 3 MB, all of names that
 * do not exist. The provider mx keeps its answers for more domains on top of this cache.
 */
const MAX_SIZE = 10_000;

interface Entry<Record> {
  readonly answer: DnsAnswer<Record>;
  readonly freshUntilMs: number;
  /** Set when a refresh failed: until then the stale answer is served without a new refresh. */
  readonly askAgainMs: number;
}

/**
 * Caches answers by name for the zone's TTL, within bounds; callers that wait for one name share one question. A stale
 * answer that found something is served at once while one refresh runs, and also after the refresh failed. A stale
 * "there is nothing" is never served, because it would raise a score.
 */
export class DnsCache<Record> {
  readonly #now: () => number;
  readonly #entries = new LRUCache<string, Entry<Record>>({
    maxSize: MAX_SIZE,
    sizeCalculation: ({ answer }) => 1 + (answer.outcome === 'found' ? answer.records.length : 0),
  });
  readonly #inFlight = new Map<string, Promise<DnsAnswer<Record>>>();

  /** `now`: milliseconds that only grow. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The cached answer, else the answer of `question`, which never rejects. */
  ask(name: string, question: () => Promise<DnsAnswer<Record>>): Promise<DnsAnswer<Record>> {
    const now = this.#now();
    const kept = this.#entries.get(name);
    if (kept && now < kept.freshUntilMs) {
      return Promise.resolve(withLife(kept.answer, (kept.freshUntilMs - now) / 1000));
    }
    const canServe = kept?.answer.outcome === 'found' && now < kept.freshUntilMs + STALE_SECONDS * 1000;
    const stale = canServe ? kept : undefined;
    if (stale && now < stale.askAgainMs) return Promise.resolve(withLife(stale.answer, STALE_LIFE_SECONDS));
    const running = this.#inFlight.get(name) ?? this.#refresh(name, question, stale);
    return stale ? Promise.resolve(withLife(stale.answer, STALE_LIFE_SECONDS)) : running;
  }

  #refresh(
    name: string,
    question: () => Promise<DnsAnswer<Record>>,
    stale: Entry<Record> | undefined,
  ): Promise<DnsAnswer<Record>> {
    const running = question()
      .then((answer) => {
        const now = this.#now();
        const seconds = lifeOf(answer);
        const entry = { answer, freshUntilMs: now + seconds * 1000, askAgainMs: 0 };
        const isWorse = stale !== undefined && isFailure(answer);
        this.#entries.set(name, isWorse ? { ...stale, askAgainMs: entry.freshUntilMs } : entry);
        return withLife(answer, seconds);
      })
      .finally(() => this.#inFlight.delete(name));
    this.#inFlight.set(name, running);
    return running;
  }
}

function lifeOf<Record>(answer: DnsAnswer<Record>): number {
  if (isFailure(answer)) return FAILURE_SECONDS;
  return Math.min(Math.max(answer.ttlSeconds ?? MIN_SECONDS, MIN_SECONDS), MAX_SECONDS);
}

function withLife<Record>(answer: DnsAnswer<Record>, ttlSeconds: number): DnsAnswer<Record> {
  return isFailure(answer) ? answer : { ...answer, ttlSeconds };
}

const NXDOMAIN = { outcome: 'nxdomain' } as const;

/** Answers from the cache, else asks DNS, for `timeoutMs` at most. `now`: milliseconds that only grow. */
export function cachingResolver(askDns: Ask, timeoutMs: number, now: () => number): DnsResolver {
  const exchanges = new DnsCache<MxRecord>(now);
  const v4 = new DnsCache<string>(now);
  const v6 = new DnsCache<string>(now);

  /** When `signal` fires, only its caller gets `timeout`: the question goes on for other callers and for the cache. */
  function ask<Record>(
    cache: DnsCache<Record>,
    question: Question,
    read: (answers: readonly Answer[]) => readonly Record[],
    signal: AbortSignal | undefined,
  ): Promise<DnsAnswer<Record>> {
    const asked = cache.ask(question.name.toLowerCase(), async () => {
      const reply = await withDeadline(timeoutMs, (budget) => askDns(question, budget));
      return reply.outcome === 'found' ? { ...reply, records: read(reply.records) } : reply;
    });
    return unlessAborted<DnsAnswer<Record>>(signal, asked, { outcome: 'timeout' });
  }

  return {
    async mx(domain, signal) {
      if (isNeverAsked(domain)) return NXDOMAIN;
      return ask(exchanges, { name: domain, type: 'MX' }, readExchanges, signal);
    },
    async addresses(host, signal) {
      if (isLocalhost(host)) return { outcome: 'found', records: LOOPBACK };
      if (isNeverAsked(host)) return NXDOMAIN;
      const families = await Promise.all([
        ask(v4, { name: host, type: 'A' }, readAddresses, signal),
        ask(v6, { name: host, type: 'AAAA' }, readAddresses, signal),
      ]);
      return bothFamilies(...families);
    },
  };
}

/**
 * Merges the answers to the A and the AAAA question; the shorter TTL counts. If one question failed, the records of the
 * other family are returned, marked `partial`. "No record" is returned only when both questions were answered.
 */
export function bothFamilies(v4: DnsAnswer<string>, v6: DnsAnswer<string>): DnsAnswer<string> {
  const failed = [v4, v6].find(isFailure);
  const records = [v4, v6].flatMap((answer) => (answer.outcome === 'found' ? answer.records : []));
  const lives = [v4, v6].flatMap((answer) => ('ttlSeconds' in answer ? [answer.ttlSeconds] : []));
  const life = lives.length > 0 ? { ttlSeconds: Math.min(...lives) } : {};
  if (records.length > 0) {
    return { outcome: 'found', records, ...(failed && { partial: true }), ...life };
  }
  if (failed) return failed;
  // NXDOMAIN holds for every type of a name (RFC 2308 section 2.1), so one is enough.
  return { outcome: v4.outcome === 'nxdomain' || v6.outcome === 'nxdomain' ? 'nxdomain' : 'nodata', ...life };
}
