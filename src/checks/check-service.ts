import type { ApiKey } from '../accounts/key.ts';
import { type InjectionToken, inject, injectable } from '../di.ts';
import { CLOCK, isoTime } from '../lib/time.ts';
import { createUlids } from '../lib/ulids.ts';
import { METRICS, type Metrics } from '../observability/metrics.ts';
import type { Span } from '../observability/tracing.ts';
import type { Clock, Count } from '../provider-kit/index.ts';
import {
  type CountReceipt,
  type Reservation,
  VELOCITY_COUNTERS,
  type VelocityCounters,
} from '../shared-state/ports.ts';
import { Assessor, type CheckCounting } from './assessor.ts';
import { compareWithChallenge } from './challenger.ts';
import { CHECK_RECORDER, type Check, type CheckRecorder } from './check-record.ts';

/** Makes ids of checks: `chk_` and a ULID, 48 bits of milliseconds, then 80 random bits that grow within one millisecond. */
export const CHECK_IDS: InjectionToken<() => string> = Symbol('CheckIds');

export function createCheckIds(clock: Clock): () => string {
  const next = createUlids();
  return () => `chk_${next(clock.now())}`;
}

@injectable()
export class CheckService {
  constructor(
    @inject(Assessor) private readonly assessor: Assessor,
    @inject(CHECK_RECORDER) private readonly recorder: CheckRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(CHECK_IDS) private readonly nextId: () => string,
    @inject(VELOCITY_COUNTERS) private readonly counters: VelocityCounters,
    @inject(METRICS) private readonly metrics: Metrics,
  ) {}

  /** Resolves once the check is decided. Await `recorded` whatever else fails: no answer may leave before it resolves. */
  async check(email: string, key: ApiKey, reservation?: Reservation, span?: Span) {
    const started = performance.now();
    // The instant of the reservation, so that the record counts in the month that was reserved.
    const at = reservation?.at ?? this.clock.now();
    const isLive = key.environment === 'live';
    const counting = isLive ? new Counting(this.counters, key, at) : undefined;
    try {
      const assessment = await this.assessor.assess(email, isLive ? 'live' : 'sandbox', counting, span);
      const durationUs = Math.round((performance.now() - started) * 1_000);
      const check = { id: this.nextId(), createdAt: isoTime(at), durationUs, ...assessment };
      return { check, recorded: this.#record(check, key, counting, reservation, span?.child('record')) };
    } catch (error) {
      await counting?.receipt?.undo();
      throw error;
    }
  }

  async #record(
    check: Check,
    key: ApiKey,
    counting?: Counting,
    reservation?: Reservation,
    span?: Span,
  ): Promise<void> {
    const decided = performance.now();
    try {
      await this.recorder.record(check, key);
      span?.end();
    } catch (error) {
      span?.end({}, true);
      await counting?.receipt?.undo();
      throw error;
    }
    await counting?.receipt?.settle();
    await reservation?.settle();
    this.metrics.count('postern_checks_total', { environment: key.environment });
    if (key.environment !== 'live') return;
    const { decision, challenge, durationUs } = check;
    const { action, level } = decision;
    const recordMs = performance.now() - decided;
    this.metrics.count('postern_decisions_total', { action, level });
    if (challenge) {
      const result = compareWithChallenge(decision, challenge);
      this.metrics.count('postern_challenger_decisions_total', { result });
    }
    this.metrics.took('postern_check_duration_seconds', { stage: 'record' }, recordMs);
    this.metrics.took('postern_check_duration_seconds', { stage: 'whole' }, durationUs / 1_000 + recordMs);
  }
}

/** Holds the receipt of one check's counts until its record is written. */
class Counting implements CheckCounting {
  receipt: CountReceipt | undefined;

  constructor(
    private readonly counters: VelocityCounters,
    private readonly key: ApiKey,
    private readonly at: number,
  ) {}

  async count(spelling: string, counts: readonly Count[]): Promise<CountReceipt['numbers']> {
    const { accountId, environment, family: keyFamily } = this.key;
    const check = { accountId, environment, keyFamily, spelling, at: this.at };
    this.receipt = await this.counters.count(check, counts);
    return this.receipt.numbers;
  }
}
