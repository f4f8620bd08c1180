import { ACTIVE_POLICY, type ActivePolicy } from '../../../checks/active-policy.ts';
import { inject, injectable } from '../../../di.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import { DNS_HEALTH, type DnsHealth, type DnsServerState } from '../../../net/name-server.ts';
import type { Clock } from '../../../provider-kit/index.ts';
import { byId } from '../../../rules/by-id.ts';
import { CHECK_DEADLINE_MS, PROVIDER_OPTIONS } from '../../../signals/host-ports.ts';
import { SignalCollector } from '../../../signals/signal-collector.ts';
import type { ShownProvider } from './providers.presenter.ts';

/** What the endpoints of providers are handled with. */
@injectable()
export class ProviderServices {
  readonly deadlineMs: number;
  readonly clock: Clock;
  readonly #collector: SignalCollector;
  readonly #policies: ActivePolicy;
  readonly #health: DnsHealth;
  readonly #options: Readonly<Record<string, Readonly<Record<string, unknown>>>>;

  constructor(
    @inject(SignalCollector) collector: SignalCollector,
    @inject(ACTIVE_POLICY) policies: ActivePolicy,
    @inject(DNS_HEALTH) health: DnsHealth,
    @inject(PROVIDER_OPTIONS) options: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    @inject(CHECK_DEADLINE_MS) deadlineMs: number,
    @inject(CLOCK) clock: Clock,
  ) {
    this.#collector = collector;
    this.#policies = policies;
    this.#health = health;
    this.#options = options;
    this.deadlineMs = deadlineMs;
    this.clock = clock;
  }

  /** Those that are switched off too. */
  get providers(): readonly ShownProvider[] {
    const prepared = this.#policies.current.providers.byId;
    return [...this.#collector.providers, ...this.#collector.disabled].toSorted(byId).map((provider) => ({
      provider,
      prepared: prepared.get(provider.id),
      options: this.#options[provider.id] ?? {},
    }));
  }

  get servers(): readonly DnsServerState[] {
    return this.#health.servers;
  }
}
