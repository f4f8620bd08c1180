import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG, type Config } from '../../../app/config/config.ts';
import { inject, injectable } from '../../../di.ts';
import { AppError } from '../../../errors.ts';
import { isoTime } from '../../../lib/dates.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import type { Clock } from '../../../provider-kit/index.ts';
import { monthOf, nextMonth } from '../../../shared-state/limits/monthly-quota.ts';
import { USAGE_STORE, type UsageStore } from '../../../storage/ports.ts';

/** What an account may, what it has used of it, and what its programs must trust. */
@injectable()
export class AccountLimits {
  readonly #config: Config;
  readonly #usage: UsageStore;
  readonly #clock: Clock;

  constructor(
    @inject(CONFIG) config: Config,
    @inject(USAGE_STORE) usage: UsageStore,
    @inject(CLOCK) clock: Clock,
  ) {
    this.#config = config;
    this.#usage = usage;
    this.#clock = clock;
  }

  async of(accountId: string) {
    const { quota, rateLimit } = this.#config;
    const now = this.#clock.now();
    const month = monthOf(now);
    return {
      month,
      month_ends_at: isoTime(nextMonth(now)),
      checks_per_month: quota.checksPerMonth,
      used: await this.#usage.read(accountId, month),
      rate_limit: { requests: rateLimit.requests, window_seconds: rateLimit.windowSeconds },
      own_authority: this.#hasOwnAuthority,
    };
  }

  /** PEM. Throws AppError `not_found` where the certificate is the operator's, whom programs know or are told of. */
  async authority(): Promise<string> {
    if (!this.#hasOwnAuthority) throw new AppError('not_found');
    return readFile(join(this.#config.dataDir, 'tls/ca.pem'), 'utf8');
  }

  get #hasOwnAuthority(): boolean {
    return this.#config.http.tls.certFile === null;
  }
}
