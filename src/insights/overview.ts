import { compareKeys, compareTexts } from '../lib/text.ts';
import { ACTIONS, type Action, LEVELS, type Level } from '../rules/decision.ts';
import type { Hour, Range } from './hours.ts';
import { type Percentiles, percentilesOf, type Series, Tally, type WrittenTally } from './tally.ts';

/** Live checks by what they were answered. */
export type Decisions = Readonly<Record<Action, Readonly<Record<Level, number>>>>;

/** A day or an hour, by its beginning. */
interface Bucket {
  /** ISO 8601, UTC, milliseconds. */
  readonly begins_at: string;
  readonly decisions: Decisions;
  readonly latency: Percentiles;
}

interface ProviderFigures {
  readonly id: string;
  /** `measured` is how many checks asked it. */
  readonly timing: Percentiles;
  /** Of the checks that did not get an answer at once, kept from an earlier check. */
  readonly anew: Percentiles;
  /** Checks in which it left a fact unknown. */
  readonly unknown: number;
  /** The most frequent first. A check counts once for each reason. */
  readonly reasons: readonly { readonly reason: string; readonly checks: number }[];
}

interface RuleFigures {
  readonly id: string;
  readonly fires: number;
  /** Of those, the checks that were answered BLOCK. */
  readonly blocked: number;
  /** Less what another rule absorbed. */
  readonly points: number;
  /** Checks in which unknown facts made it stand aside. */
  readonly stood_aside: number;
}

interface DomainFigures {
  readonly domain: string;
  readonly checks: number;
  readonly blocked: number;
}

interface ScoreFigures {
  readonly score: number;
  readonly allowed: number;
  readonly blocked: number;
}

/** What live checks of a time came to, in the names that leave the process. */
export interface Overview extends Range {
  readonly decisions: Decisions;
  /** How long checks took, from the call to the decision; the commit of the record comes after. */
  readonly latency: Percentiles;
  readonly bucket: 'hour' | 'day';
  /** In their order; without those in which there was no check. */
  readonly buckets: readonly Bucket[];
  readonly providers: readonly ProviderFigures[];
  /** Those that fired most first. */
  readonly rules: readonly RuleFigures[];
  /** Those with most checks first. */
  readonly domains: readonly DomainFigures[];
  /** How many domains there are in all. */
  readonly different_domains: number;
  /** By score; without those that no check had. */
  readonly scores: readonly ScoreFigures[];
  /** Of test keys; they are in no other figure. */
  readonly test_checks: number;
  /** Of the checks of that time, the share that these figures are of: below 1 where there is more to count yet. */
  readonly counted_share: number;
}

/** Rows of a table of the highest. */
const MOST_SHOWN = 20;
/** Up to this, an hour is a bucket: three days are 72 of them. */
const HOURLY_UP_TO_MS = 3 * 86_400_000;
/** What a bucket tells. */
const OF_BUCKETS: readonly Series[] = ['decisions', 'durations'];

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
    let bucket = this.#buckets.get(begins);
    if (bucket === undefined) {
      bucket = new Tally();
      this.#buckets.set(begins, bucket);
    }
    bucket.mergeSeries(tally, OF_BUCKETS);
  }

  /** Of all that was added; `ofChecks` is how many there are, where that is not all of them. */
  build(ofChecks?: number): Overview {
    const all = this.#all;
    const decisions = decisionsOf(all);
    const testChecks = all.of('test').get('checks') ?? 0;
    return {
      ...this.#range,
      decisions,
      latency: latencyOf(all),
      bucket: this.#bucket,
      buckets: [...this.#buckets].toSorted(compareKeys).map(([begins, tally]) => ({
        begins_at: new Date(begins.length === 10 ? begins : `${begins}:00Z`).toISOString(),
        decisions: decisionsOf(tally),
        latency: latencyOf(tally),
      })),
      providers: providersOf(all),
      rules: rulesOf(all),
      domains: domainsOf(all),
      different_domains: all.of('domains').size,
      scores: scoresOf(all),
      test_checks: testChecks,
      counted_share: ofChecks === undefined ? 1 : shareOf(countOf(decisions) + testChecks, ofChecks),
    };
  }
}

function decisionsOf(tally: Tally): Decisions {
  const counts = tally.of('decisions');
  const byLevel = (action: Action) =>
    Object.fromEntries(LEVELS.map((level) => [level, counts.get(`${action} ${level}`) ?? 0]));
  // Every action and every level is there.
  return Object.fromEntries(ACTIONS.map((action) => [action, byLevel(action)])) as Decisions;
}

function countOf(decisions: Decisions): number {
  return ACTIONS.flatMap((action) => LEVELS.map((level) => decisions[action][level])).reduce((a, b) => a + b);
}

/** Never 1, to which nothing is missing: checks come and go while they are counted. */
function shareOf(counted: number, all: number): number {
  return Math.min(Math.floor((counted / Math.max(all, 1)) * 10_000) / 10_000, 0.9999);
}

function latencyOf(tally: Tally): Percentiles {
  return percentilesOf(new Map([...tally.of('durations')].map(([us, count]) => [Number(us), count])));
}

function providersOf(tally: Tally): readonly ProviderFigures[] {
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

function rulesOf(tally: Tally): readonly RuleFigures[] {
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

function domainsOf(tally: Tally): readonly DomainFigures[] {
  const blocked = tally.of('blocked_domains');
  return highest(tally.of('domains'))
    .slice(0, MOST_SHOWN)
    .map(([domain, checks]) => ({ domain, checks, blocked: blocked.get(domain) ?? 0 }));
}

function scoresOf(tally: Tally): readonly ScoreFigures[] {
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

/** By count, the highest first; those of one count by name. */
function highest(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].toSorted(([a, one], [b, other]) => other - one || compareTexts(a, b));
}
