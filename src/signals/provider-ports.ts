import { stdSerializers } from 'pino';
import type { ProviderOptions } from '../app/config/config.ts';
import type { InjectionToken } from '../di.ts';
import { kindOfThrown } from '../lib/thrown.ts';
import type { JsonClient } from '../net/json-client.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import {
  type Clock,
  type DnsResolver,
  HTTP_OUTCOMES,
  type JsonHttp,
  type Ports,
  type ProviderLog,
  type ProviderStore,
  type SignalProvider,
  type SmtpProber,
} from '../provider-kit/index.ts';
import type { ProviderValueStore } from '../storage/ports.ts';
import { originsOf } from './check-provider.ts';
import { isTracked, lent } from './plugin-work.ts';
import { checkQuestion, checkRequest, checkStored } from './read-answer.ts';

/** Ports as the process has them; each provider gets a log and a store of its own. */
export interface HostPorts extends Omit<Ports, 'log' | 'store' | 'smtp' | 'http'> {
  /** Null in commands. */
  readonly smtp: SmtpProber | null;
  /** The port `http` of a provider, whose options may name its origins. Rejects where such an option holds no `https:` URL. */
  httpFor(provider: SignalProvider, options: Readonly<Record<string, unknown>>): Promise<JsonHttp>;
  storeFor(provider: string): ProviderStore;
  logFor(provider: string): ProviderLog;
}

/** What providers may be granted. */
export const PORTS: InjectionToken<HostPorts> = Symbol('Ports');

/** Each enabled signal provider; registered once per provider, collected by `injectAll`. */
export const SIGNAL_PROVIDER: InjectionToken<SignalProvider> = Symbol('SignalProvider');

/** Each built-in provider that is switched off: its facts stay known by name. */
export const DISABLED_PROVIDER: InjectionToken<SignalProvider> = Symbol('DisabledProvider');

/** `check.deadline_ms`. */
export const CHECK_DEADLINE_MS: InjectionToken<number> = Symbol('CheckDeadlineMs');

/** `providers.<id>` by id, checked and with defaults. */
export const PROVIDER_OPTIONS: InjectionToken<ProviderOptions> = Symbol('ProviderOptions');

/**
 * The log of a provider. In the service, an error is logged without its message, which may quote the address. A command shows the message:
 * its reader has given the address.
 */
export function providerLog(log: Logger, provider: string, isService: boolean): ProviderLog {
  const inFull = (error: Error) => {
    try {
      return stdSerializers.err(error);
    } catch {
      return kindOfThrown(error);
    }
  };
  return log.child(
    { provider },
    { serializers: { err: isService ? kindOfThrown : inFull }, formatters: { log: withoutOurs } },
  );
}

/** Renames the provider's fields that the log line has itself: readers take the last of two, so a provider could pass for another. */
function withoutOurs(fields: object): Record<string, unknown> {
  const OURS = ['level', 'time', 'provider', 'msg'];
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [OURS.includes(name) ? `_${name}` : name, value]),
  );
}

/** The ports that a provider names in `uses`. */
export async function grantPorts(
  provider: SignalProvider,
  options: Readonly<Record<string, unknown>>,
  ports: HostPorts,
): Promise<Partial<Ports>> {
  const { id, uses = [] } = provider;
  const asked = new Set(uses);
  const granted = {
    ...(asked.has('dns') && { dns: ports.dns }),
    ...(asked.has('smtp') && ports.smtp !== null && { smtp: ports.smtp }),
    ...(asked.has('http') && { http: await ports.httpFor(provider, options) }),
    ...(asked.has('store') && { store: ports.storeFor(id) }),
    ...(asked.has('clock') && { clock: ports.clock }),
    ...(asked.has('log') && { log: ports.logFor(id) }),
  };
  return isTracked(provider) ? lent(holdingArguments(granted)) : granted;
}

/** Ports that reject where a plugin, which may be plain JavaScript, gives arguments of a wrong type. */
function holdingArguments({ dns, http, ...others }: Partial<Ports>): Partial<Ports> {
  return {
    ...others,
    ...(dns && {
      dns: {
        mx: async (domain, signal) => {
          checkQuestion(domain, signal);
          return dns.mx(domain, signal);
        },
        addresses: async (host, signal) => {
          checkQuestion(host, signal);
          return dns.addresses(host, signal);
        },
      },
    }),
    ...(http && {
      http: {
        getJson: async (url, request) => {
          checkRequest(request);
          return http.getJson(url, request);
        },
        request: async (url, request) => {
          checkRequest(request);
          return http.request(url, request);
        },
      },
    }),
  };
}

/**
 * The stores of all providers. They are handed out before there is a database, which opens only when everything that
 * can be at fault has been looked at; until then, and once it is closed, nothing is kept.
 */
export class ProviderStores {
  #values: ProviderValueStore | undefined;

  constructor(private readonly clock: Clock) {}

  open(values: ProviderValueStore): void {
    this.#values = values;
  }

  close(): void {
    this.#values = undefined;
  }

  of(provider: string): ProviderStore {
    return {
      get: async (key) => {
        checkStored(key);
        return this.#values?.find(provider, key, this.clock.now());
      },
      set: async (key, value, lifeSeconds) => {
        checkStored(key, value, lifeSeconds);
        const now = this.clock.now();
        await this.#values?.keep(provider, key, value, now + Math.ceil(lifeSeconds * 1000), now);
      },
    };
  }
}

type Options = Readonly<Record<string, unknown>>;

export interface HttpClientParts {
  readonly dns: DnsResolver;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** `providers.private_origins`. */
  readonly privateOrigins: readonly string[];
  /** `check.deadline_ms`, for providers without a time of their own. */
  readonly deadlineMs: number;
}

const CONCURRENCY = 8;
const MAX_BYTES = 262_144;

/** The port `http` of each provider. One client for each, so that a reload forgets neither connections nor failures. */
export class HttpClients {
  readonly #clients = new Map<string, JsonClient>();

  constructor(private readonly parts: HttpClientParts) {}

  /** Rejects where an option that names an origin holds no `https:` URL. */
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
    // Imported here: most installations have no provider that uses `http`.
    const { JsonClient } = await import('../net/json-client.ts');
    const { dns, log, metrics, privateOrigins, deadlineMs } = this.parts;
    const { id, http, timeoutMs = deadlineMs } = provider as Extract<SignalProvider, { stage: 'network' }>;
    const { concurrency = CONCURRENCY, maxBytes = MAX_BYTES } = http ?? {};
    const open = new Set<string>();
    const gauge = () => metrics.set('postern_http_origins_left_alone', { provider: id }, open.size);
    gauge();
    for (const outcome of HTTP_OUTCOMES)
      metrics.count('postern_http_requests_total', { provider: id, outcome }, 0);
    return new JsonClient({
      dns,
      concurrency,
      maxBytes,
      timeoutMs,
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
