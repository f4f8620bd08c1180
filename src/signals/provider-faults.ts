import { kindOfThrown } from '../lib/thrown.ts';
import type { Metrics } from '../observability/metrics.ts';
import { type ProviderLog, type Unknown, unknown } from '../provider-kit/index.ts';
import type { ReportBreach } from './read-answer.ts';
import type { ProviderFault } from './signals.ts';

/** Node's own measure of a blocked event loop, and a tenth of `check.deadline_ms`: all requests wait meanwhile. */
const LONGEST_STRETCH_MS = 50;
/** One log line a provider in this time: a provider that holds up every check would fill the log. */
const QUIET_MS = 60_000;

interface Stretches {
  toldAt: number;
  times: number;
  longestMs: number;
}

/** What goes wrong in the code of providers: counted by provider, and told in the provider's log. Throws nothing of its own. */
export class ProviderFaults {
  readonly #stretches = new Map<string, Stretches>();

  constructor(
    private readonly logFor: (provider: string) => ProviderLog,
    private readonly metrics: Metrics,
  ) {}

  count(provider: string, fault: ProviderFault): void {
    this.metrics.count('postern_provider_faults_total', { provider, fault });
  }

  /** Counts and logs what a provider threw while it was asked; the answer to give in its place. */
  failed(provider: string, error: unknown): Unknown {
    this.count(provider, 'failed');
    const log = this.logFor(provider);
    if (error === undefined || error === null) log.warn({}, `provider failed: it threw ${error}`);
    else log.warn({ err: error }, 'provider failed');
    return unknown('error', kindOfThrown(error).type);
  }

  reporter(provider: string): ReportBreach {
    return (breach) => {
      this.count(provider, 'breach');
      this.logFor(provider).warn({}, `provider breaks its declaration: ${breach}`);
    };
  }

  /** Runs a synchronous piece of a provider's work, and tells where it took long; once a minute for each provider. */
  watched<Result>(provider: string, method: 'check' | 'counts' | 'prepare', work: () => Result): Result {
    const began = performance.now();
    try {
      return work();
    } finally {
      this.took(provider, method, performance.now() - began);
    }
  }

  /** As `watched`, for a piece of work that is over. */
  took(provider: string, method: 'check' | 'counts' | 'prepare', tookMs: number): void {
    if (tookMs <= LONGEST_STRETCH_MS) return;
    const now = performance.now();
    this.count(provider, 'held_up');
    const seen = this.#stretches.get(provider) ?? { toldAt: -Infinity, times: 0, longestMs: 0 };
    this.#stretches.set(provider, seen);
    seen.times += 1;
    seen.longestMs = Math.max(seen.longestMs, tookMs);
    if (now - seen.toldAt < QUIET_MS) return;
    const { times, longestMs } = seen;
    this.logFor(provider).warn(
      { method, times, longest_ms: Math.round(longestMs) },
      'provider held up all requests: over 50 ms without a pause',
    );
    Object.assign(seen, { toldAt: now, times: 0, longestMs: 0 });
  }
}
