import { inject, injectable } from '../di.ts';
import { readAddress } from '../email/read-address.ts';
import { AppError } from '../errors.ts';
import type { Address } from '../provider-kit/index.ts';
import { decide } from '../rules/decide.ts';
import type { Decision } from '../rules/decision.ts';
import { SignalCollector } from '../signals/signal-collector.ts';
import type { Signals } from '../signals/signals.ts';
import { POLICY_BOOK } from '../tokens.ts';
import type { PolicyBook } from './policy-book.ts';

/** What Postern thinks of an address, and why. */
export interface Assessment {
  readonly address: Address;
  readonly signals: Signals;
  readonly decision: Decision;
}

/** Parse, collect, decide. The service, `postern check` and rule tests all come through here. */
@injectable()
export class Assessor {
  readonly #collector: SignalCollector;
  readonly #policies: PolicyBook;

  constructor(
    @inject(SignalCollector) collector: SignalCollector,
    @inject(POLICY_BOOK) policies: PolicyBook,
  ) {
    this.#collector = collector;
    this.#policies = policies;
  }

  /**
   * Rejects with AppError `unparseable_email` when the text is not one address.
   * With `local` no packet leaves: what a look-up would tell is unknown, not run.
   */
  async assess(email: string, reach: 'network' | 'local' = 'network'): Promise<Assessment> {
    const reading = readAddress(email);
    if (!reading.ok) {
      const { code, position, message } = reading.refusal;
      throw new AppError('unparseable_email', { details: [{ fault: code, position, message }] });
    }
    // Taken once: a reload during the look-ups must not mix two rule sets in one decision.
    const { ruleSet, providers } = this.#policies.current;
    const signals =
      reach === 'network'
        ? await this.#collector.collect(reading.address, providers)
        : this.#collector.collectLocal(reading.address, providers);
    const decision = await decide(ruleSet, signals.facts);
    return { address: reading.address, signals, decision };
  }
}
