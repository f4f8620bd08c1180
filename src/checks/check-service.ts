import { inject, injectable } from '../di.ts';
import type { ApiKey } from '../keys/key.ts';
import type { Reservation } from '../limits/monthly-quota.ts';
import type { Clock } from '../provider-kit/index.ts';
import { CHECK_RECORDER, CLOCK, IDS } from '../tokens.ts';
import { type Assessment, Assessor } from './assessor.ts';
import type { CheckRecorder } from './check-recorder.ts';
import type { Ids } from './ids.ts';

/** An answered check. */
export interface Check extends Assessment {
  readonly id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
}

@injectable()
export class CheckService {
  readonly #assessor: Assessor;
  readonly #recorder: CheckRecorder;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor(
    @inject(Assessor) assessor: Assessor,
    @inject(CHECK_RECORDER) recorder: CheckRecorder,
    @inject(CLOCK) clock: Clock,
    @inject(IDS) ids: Ids,
  ) {
    this.#assessor = assessor;
    this.#recorder = recorder;
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Resolves once the check is recorded; an answer that is not on record never leaves. */
  async check(email: string, key: ApiKey, reservation?: Reservation): Promise<Check> {
    // The instant of the reservation, so that the record counts in the month that was reserved.
    const createdAt = new Date(reservation?.at ?? this.#clock.now()).toISOString();
    const assessment = await this.#assessor.assess(email, key.environment === 'test' ? 'sandbox' : 'live');
    const check = { id: this.#ids.check(), createdAt, ...assessment };
    await this.#recorder.record(check, key);
    reservation?.settle();
    return check;
  }
}
