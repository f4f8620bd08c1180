import type { ApiKey } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import { inject, injectable } from '../di.ts';
import { isoTime } from '../lib/dates.ts';
import { CLOCK } from '../lib/system-clock.ts';
import { createUlids } from '../lib/ulids.ts';
import { METRICS, type Metrics } from '../observability/metrics.ts';
import type { Clock, Count } from '../provider-kit/index.ts';
import {
  type CountReceipt,
  type Reservation,
  VELOCITY_COUNTERS,
  type VelocityCounters,
} from '../shared-state/ports.ts';
import { Assessor, type CheckCounting } from './assessor.ts';
import { compareWithChallenge } from './challenger.ts';
import type { Check } from './check-recorder.ts';
import { CHECK_RECORDER, type CheckRecorder } from './check-recorder.ts';

export interface Ids {
  /** `chk_` and a ULID: 48 bits of milliseconds, then 80 random bits that grow within one millisecond. */
  check(): string;
}

/** Makes the ids of checks. */
export const IDS: InjectionToken<Ids> = Symbol('Ids');

export function createIds(clock: Clock): Ids {
  const next = createUlids();
  return { check: () => `chk_${next(clock.now())}` };
}

/** What is ready to be answered, but not yet allowed to leave. */
interface DecidedCheck {
  readonly check: Check;
  /** Resolves once the check is on record; before that no answer may leave. To be awaited whatever else fails. */
  readonly recorded: Promise<void>;
}

@injectable()
export class CheckService {
  constructor(
    @inject(Assessor) private readonly assessor: Assessor,
    @inject(CHECK_RECORDER) private readonly recorder: CheckRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(IDS) private readonly ids: Ids,
    @inject(VELOCITY_COUNTERS) private readonly counters: VelocityCounters,
    @inject(METRICS) private readonly metrics: Metrics,
  ) {}

  /** Resolves once the check is decided and its record on its way. */
  async check(email: string, key: ApiKey, reservation?: Reservation): Promise<DecidedCheck> {
    const started = performance.now();
    // The instant of the reservation, so that the record counts in the month that was reserved.
    const at = reservation?.at ?? this.clock.now();
    const isLive = key.environment === 'live';
    const counting = isLive ? new Counting(this.counters, key, at) : undefined;
    try {
      const assessment = await this.assessor.assess(email, isLive ? 'live' : 'sandbox', counting);
      const durationUs = Math.round((performance.now() - started) * 1_000);
      const check = { id: this.ids.check(), createdAt: isoTime(at), durationUs, ...assessment };
      return { check, recorded: this.#record(check, key, counting, reservation) };
    } catch (error) {
      await counting?.undo();
      throw error;
    }
  }

  async #record(check: Check, key: ApiKey, counting?: Counting, reservation?: Reservation): Promise<void> {
    const decided = performance.now();
    try {
      await this.recorder.record(check, key);
    } catch (error) {
      await counting?.undo();
      throw error;
    }
    await counting?.settle();
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

/** What one check has counted, from the counting to the record. */
class Counting implements CheckCounting {
  #receipt: CountReceipt | undefined;

  constructor(
    private readonly counters: VelocityCounters,
    private readonly key: ApiKey,
    private readonly at: number,
  ) {}

  async count(canonicalAddress: string, counts: readonly Count[]): Promise<readonly number[]> {
    const { accountId, environment, family: keyFamily } = this.key;
    const check = { accountId, environment, keyFamily, canonicalAddress, at: this.at };
    this.#receipt = await this.counters.count(check, counts);
    return this.#receipt.numbers;
  }

  async settle(): Promise<void> {
    await this.#receipt?.settle();
  }

  async undo(): Promise<void> {
    await this.#receipt?.undo();
  }
}
