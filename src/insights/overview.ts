import { compareKeys, compareTexts } from '../lib/text.ts';
import { ACTIONS, LEVELS } from '../rules/decision.ts';
import type { Hour, Range } from './hours.ts';
import { percentilesOf, type Series, Tally, type WrittenTally } from './tally.ts';

/** What live checks of a time came to, in the names that leave the process: the schema of `GET /overview` tells what each is. */
export type Overview = ReturnType<OverviewBuilder['build']>;

/** Rows of the table of domains. */
const MOST_SHOWN = 20;
/** Up to this length a bucket is an hour (three days are 72 buckets), above it a day. */
const HOURLY_UP_TO_MS = 3 * 86_400_000;
/** The series that buckets have. */
const BUCKET_SERIES: readonly Series[] = ['decisions', 'durations'];

/** Adds up the tallies of hours, in whatever order they come. */
export class OverviewBuilder {
  readonly #range: Range;
  readonly #bucket: 'hour' | 'day';
  readonly #all = new Tally();
  readonly #buckets = new Map<string, Tally>();

  constructor(range: Range) {
    this.#range = range;
    const lengthMs = Date.parse(range.until) - Date.parse(range.since);
    this.#bucket = lengthMs <= HOURLY_UP_TO_MS ? 'hour' : 'day';
  }

  add(hour: Hour, tally: WrittenTally): void {
    this.#all.merge(tally);
    if (tally.decisions === undefined) return;
    const begins = this.#bucket === 'hour' ? hour : hour.slice(0, 10);
    const bucket = this.#buckets.get(begins) ?? new Tally();
    this.#buckets.set(begins, bucket);
    bucket.mergeSeries(tally, BUCKET_SERIES);
  }

  /** Covers the hours that were added; `countedShare` is their part of all checks. */
  build(countedShare: number) {
    const all = this.#all;
    const decisions = decisionsOf(all);
    const checks = sumOf(decisions);
    return {
      ...this.#range,
      checks,
      blocked: sumOf(decisions.filter(({ action }) => action === 'BLOCK')),
      decisions,
      // From the call to the decision; the commit of the record comes after.
      latency: percentilesOf(all.of('durations')),
      bucket: this.#bucket,
      buckets: [...this.#buckets].toSorted(compareKeys).map(([begins, tally]) => ({
        begins_at: new Date(begins.length === 10 ? begins : `${begins}:00Z`).toISOString(),
        decisions: decisionsOf(tally),
        latency: percentilesOf(tally.of('durations')),
      })),
      providers: providersOf(all),
      rules: rulesOf(all),
      domains: domainsOf(all),
      different_domains: all.of('domains').size,
      scores: scoresOf(all),
      test_checks: all.of('test').get('checks') ?? 0,
      counted_share: countedShare,
    };
  }
}

/** By action and level, in the order of both; only what occurred. */
function decisionsOf(tally: Tally) {
  const counts = tally.of('decisions');
  return ACTIONS.flatMap((action) =>
    LEVELS.map((level) => ({ action, level, checks: counts.get(`${action} ${level}`) ?? 0 })),
  ).filter(({ checks }) => checks > 0);
}

function sumOf(counts: readonly { readonly checks: number }[]): number {
  return counts.reduce((sum, { checks }) => sum + checks, 0);
}

function providersOf(tally: Tally) {
  const reasons = byFirstWord(tally.of('unknown'));
  const ids = new Set([...tally.timings.keys(), ...reasons.keys()]);
  return [...ids].sort().map((id) => ({
    id,
    timing: percentilesOf(tally.timings.get(id) ?? new Map()),
    anew: percentilesOf(new Map([...(tally.timings.get(id) ?? [])].filter(([us]) => us > 0))),
    unknown: tally.of('unknown_checks').get(id) ?? 0,
    reasons: highest(reasons.get(id) ?? new Map()).map(([reason, checks]) => ({ reason, checks })),
  }));
}

function rulesOf(tally: Tally) {
  const ids = new Set([...tally.of('fires').keys(), ...tally.of('stood_aside').keys()]);
  const fires = new Map([...ids].map((id) => [id, tally.of('fires').get(id) ?? 0]));
  return highest(fires).map(([id, fired]) => ({
    id,
    fires: fired,
    blocked: tally.of('blocks').get(id) ?? 0,
    points: tally.of('points').get(id) ?? 0,
    stood_aside: tally.of('stood_aside').get(id) ?? 0,
  }));
}

function domainsOf(tally: Tally) {
  const blocked = tally.of('blocked_domains');
  return highest(tally.of('domains'))
    .slice(0, MOST_SHOWN)
    .map(([domain, checks]) => ({ domain, checks, blocked: blocked.get(domain) ?? 0 }));
}

function scoresOf(tally: Tally) {
  const byScore = byFirstWord(tally.of('scores'));
  return [...byScore]
    .map(([score, counts]) => ({
      score: Number(score),
      allowed: counts.get('ALLOW') ?? 0,
      blocked: counts.get('BLOCK') ?? 0,
    }))
    .toSorted((a, b) => a.score - b.score);
}

function byFirstWord(counts: ReadonlyMap<string, number>): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const words = new Map<string, Map<string, number>>();
  for (const [key, count] of counts) {
    const gap = key.indexOf(' ');
    const first = key.slice(0, gap);
    const rest = words.get(first) ?? new Map<string, number>();
    words.set(first, rest.set(key.slice(gap + 1), count));
  }
  return words;
}

/** By count, the highest first; equal counts by name. */
function highest(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].toSorted(([a, one], [b, other]) => other - one || compareTexts(a, b));
}

/** Usage by the checks still on record: those that retention or erasure deleted are not counted. Keys and days without a check are left out. */
export type Usage = ReturnType<UsageBuilder['build']>;

const COUNTED = ['decisions', 'test', 'keys'] as const;

/** Adds up the tallies of hours, in whatever order they come. */
export class UsageBuilder {
  readonly #days = new Map<
    string,
    { readonly day: string; readonly accountId: string; readonly tally: Tally }
  >();
  readonly #accounts = new Map<string, Tally>();

  add(accountId: string, hour: Hour, tally: WrittenTally): void {
    const day = hour.slice(0, 10);
    const place = `${day} ${accountId}`;
    const ofDay = this.#days.get(place) ?? { day, accountId, tally: new Tally() };
    this.#days.set(place, ofDay);
    ofDay.tally.mergeSeries(tally, COUNTED);
    const ofAccount = this.#accounts.get(accountId) ?? new Tally();
    this.#accounts.set(accountId, ofAccount);
    ofAccount.mergeSeries(tally, COUNTED);
    for (const [key, at] of Object.entries(tally.last_used ?? {})) ofAccount.use(key, at);
  }

  /** Covers the hours that were added; `countedShare` is their part of all checks. */
  build(countedShare: number) {
    return {
      counted_share: countedShare,
      keys: [...this.#accounts].flatMap(([accountId, tally]) =>
        [...tally.of('keys')].map(([keyId, checks]) => ({
          account_id: accountId,
          key_id: keyId,
          checks,
          last_used_at: tally.lastUsed.get(keyId) ?? '',
        })),
      ),
      days: [...this.#days].toSorted(compareKeys).map(([, { day, accountId, tally }]) => ({
        day,
        account_id: accountId,
        live: [...tally.of('decisions').values()].reduce((sum, count) => sum + count, 0),
        test: tally.of('test').get('checks') ?? 0,
        keys: Object.fromEntries(tally.of('keys')),
      })),
    };
  }
}
