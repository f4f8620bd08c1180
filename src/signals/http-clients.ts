import type { JsonClient } from '../net/http/json-client.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import {
  type DnsResolver,
  HTTP_OUTCOMES,
  type JsonHttp,
  type SignalProvider,
} from '../provider-kit/index.ts';

type Options = Readonly<Record<string, unknown>>;

export interface HttpClientParts {
  readonly dns: DnsResolver;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** `providers.private_origins`. */
  readonly privateOrigins: readonly string[];
  /** `check.deadline_ms`, for providers without a time of their own. */
  readonly deadlineMs: number;
  readonly ca?: string;
}

const CONCURRENCY = 8;
const MAX_BYTES = 262_144;

/** The port `http` of each provider. One client for each, so that a reload forgets neither connections nor failures. */
export class HttpClients {
  readonly #clients = new Map<string, JsonClient>();

  constructor(private readonly parts: HttpClientParts) {}

  /** Rejects where an option holds no address that could be asked. */
  async of(provider: SignalProvider, options: Options): Promise<JsonHttp> {
    const kept = this.#clients.get(provider.id);
    if (kept) return kept;
    const client = await this.#open(provider, options);
    this.#clients.set(provider.id, client);
    return client;
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
  }

  async #open(provider: SignalProvider, options: Options): Promise<JsonClient> {
    // Most installations have no provider that asks.
    const { JsonClient } = await import('../net/http/json-client.ts');
    const { dns, log, metrics, privateOrigins, deadlineMs, ca } = this.parts;
    const { id, http, timeoutMs = deadlineMs } = provider as Extract<SignalProvider, { stage: 'network' }>;
    const { concurrency = CONCURRENCY, maxBytes = MAX_BYTES } = http ?? {};
    const open = new Set<string>();
    const gauge = () => metrics.set('postern_http_origins_left_alone', { provider: id }, open.size);
    gauge();
    for (const outcome of HTTP_OUTCOMES)
      metrics.count('postern_http_requests_total', { provider: id, outcome }, 0);
    return new JsonClient({
      ...{ dns, concurrency, maxBytes, timeoutMs },
      ...(ca !== undefined && { ca }),
      origins: originsOf(http?.origins ?? [], options),
      privateOrigins: new Set(privateOrigins),
      onAnswer: (outcome) => metrics.count('postern_http_requests_total', { provider: id, outcome }),
      onBreaker: (origin, isOpen) => {
        if (isOpen) open.add(origin);
        else open.delete(origin);
        gauge();
        const told = { provider: id, origin };
        if (isOpen)
          log.warn(told, 'a server that a provider asks fails again and again: it is left alone for a while');
        else log.info(told, 'a server that a provider asks answers again');
      },
    });
  }
}

function originsOf(
  declared: NonNullable<SignalProvider['http']>['origins'],
  options: Options,
): ReadonlySet<string> {
  const origins = declared.flatMap((entry) => {
    if (typeof entry === 'string') return [new URL(entry).origin];
    const value = options[entry.option] ?? null;
    if (value === null) return [];
    const url = URL.parse(String(value));
    if (url?.protocol !== 'https:') throw new Error(`its option ${entry.option} is no https: URL`);
    return [url.origin];
  });
  return new Set(origins);
}
