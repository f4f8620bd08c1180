import type { Clock, ProviderStore } from '../provider-kit/index.ts';
import type { ProviderValueStore } from '../storage/ports.ts';

/**
 * The stores of all providers. They are handed out before there is a database, which opens only when everything that
 * can be at fault has been looked at; until then, and once it is closed, nothing is kept.
 */
export class ProviderStores {
  readonly #clock: Clock;
  #values: ProviderValueStore | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(values: ProviderValueStore): void {
    this.#values = values;
  }

  close(): void {
    this.#values = undefined;
  }

  of(provider: string): ProviderStore {
    return {
      get: (key) => this.#values?.find(provider, key, this.#clock.now()),
      set: async (key, value, lifeSeconds) => {
        const now = this.#clock.now();
        await this.#values?.keep(provider, key, value, now + Math.ceil(lifeSeconds * 1000), now);
      },
    };
  }
}
