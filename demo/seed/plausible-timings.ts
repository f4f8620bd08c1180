import type { Check } from '../../src/checks/check-record.ts';
import type { Random } from '../traffic/random.ts';

/** About how long a cached DNS answer holds. */
const WARM_MS = 900_000;
/** `dns.timeout_ms` */
const TIMEOUT_US = 300_000;

/**
 * Replaces the timings of a check by plausible ones, as if name servers had been asked over a network: here they answer at once,
 * and an overview would show nothing. Drawn from `random`, so that every run has the same.
 */
export class PlausibleTimings {
  readonly #network: ReadonlySet<string>;
  readonly #random: Random;
  readonly #warmUntil = new Map<string, number>();

  constructor(networkProviders: readonly string[], random: Random) {
    this.#network = new Set(networkProviders);
    this.#random = random;
  }

  of(check: Check): Check {
    const { address, signals, createdAt } = check;
    const at = Date.parse(createdAt);
    const isWarm = (this.#warmUntil.get(address.domain) ?? 0) > at;
    const hasFailed = Object.values(signals.unknown).some((reason) => reason === 'timeout');
    if (!isWarm && !hasFailed) this.#warmUntil.set(address.domain, at + WARM_MS);
    const timingsUs = Object.fromEntries(
      Object.keys(signals.timingsUs)
        .sort()
        .map((provider) => [provider, this.#us(provider, isWarm, hasFailed)]),
    );
    const durationUs = this.#wholeOf(timingsUs);
    return { ...check, durationUs, signals: { ...signals, timingsUs } };
  }

  /** Local providers run one after the other, network providers side by side; the rest is reading and deciding. */
  #wholeOf(timingsUs: Readonly<Record<string, number>>): number {
    let [inTurn, longest] = [0, 0];
    for (const [provider, us] of Object.entries(timingsUs)) {
      if (this.#network.has(provider)) longest = Math.max(longest, us);
      else inTurn += us;
    }
    return inTurn + longest + Math.round(this.#random.skewed(140, 0.3));
  }

  #us(provider: string, isWarm: boolean, hasFailed: boolean): number {
    if (!this.#network.has(provider)) return Math.round(this.#random.skewed(6, 0.7));
    if (hasFailed) return Math.round(TIMEOUT_US + this.#random.skewed(900));
    // The service records 0 for a kept answer.
    if (isWarm) return 0;
    return Math.round(Math.min(TIMEOUT_US - 1, this.#random.skewed(17_000, 0.7)));
  }
}
