import type { Person } from '../../../accounts/people/person.ts';
import { IDS, type Ids } from '../../../checks/check-service.ts';
import { TryIt } from '../../../checks/try-it.ts';
import { inject, injectable } from '../../../di.ts';
import { AppError } from '../../../errors.ts';
import type { SignalProvider } from '../../../provider-kit/index.ts';
import { InMemoryRateLimiter } from '../../../shared-state/limits/in-memory-rate-limiter.ts';
import type { RateLimiter } from '../../../shared-state/limits/rate-limiter.ts';
import { CHECK_DEADLINE_MS } from '../../../signals/host-ports.ts';
import { SignalCollector } from '../../../signals/signal-collector.ts';

/** Each asks DNS of others: enough for a person who types, too few to look names up wholesale. */
const TRIALS_A_MINUTE = 30;
/** A slider that is moved asks for a decision at each step. */
const DECISIONS_A_MINUTE = 600;

/** What the endpoints of "Try it" are handled with. */
@injectable()
export class TryItServices {
  readonly tryIt: TryIt;
  readonly ids: Ids;
  readonly providers: readonly SignalProvider[];
  readonly deadlineMs: number;
  readonly #trials = new InMemoryRateLimiter(TRIALS_A_MINUTE, 60);
  readonly #decisions = new InMemoryRateLimiter(DECISIONS_A_MINUTE, 60);

  constructor(
    @inject(TryIt) tryIt: TryIt,
    @inject(IDS) ids: Ids,
    @inject(SignalCollector) collector: SignalCollector,
    @inject(CHECK_DEADLINE_MS) deadlineMs: number,
  ) {
    this.tryIt = tryIt;
    this.ids = ids;
    this.providers = collector.providers;
    this.deadlineMs = deadlineMs;
  }

  /** Throws AppError `rate_limited`. */
  async admitTrial(person: Person): Promise<void> {
    await admit(this.#trials, person);
  }

  async admitDecision(person: Person): Promise<void> {
    await admit(this.#decisions, person);
  }
}

async function admit(limiter: RateLimiter, { id }: Person): Promise<void> {
  const { allowed, resetMs } = await limiter.consume(id);
  if (!allowed) throw new AppError('rate_limited', { retryAfterMs: resetMs });
}
