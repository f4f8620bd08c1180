import catchAll from '../../providers/catch-all/index.ts';
import type {
  Address,
  DnsAnswer,
  MxRecord,
  ProviderStore,
  SmtpAnswer,
  SmtpProber,
  SmtpQuestion,
} from '../../src/provider-kit/index.ts';
import { anAddress } from './addresses.ts';
import { withDefaults } from './check-with.ts';

export const T0 = Date.parse('2026-11-21T12:00:00.000Z');
export const DAY_MS = 86_400_000;

/** A store in memory; entries expire by `clock`. */
export function aStore(clock: { now(): number }): ProviderStore & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  const ends = new Map<string, number>();
  return {
    values,
    get: async (key) => ((ends.get(key) ?? 0) > clock.now() ? values.get(key) : undefined),
    set: async (key, value, lifeSeconds) => {
      values.set(key, value);
      ends.set(key, clock.now() + lifeSeconds * 1000);
    },
  };
}

export interface WorldOptions {
  readonly mode?: string;
  readonly helo_name?: string | null;
  readonly daily_probes?: number;
  readonly daily_probes_per_domain?: number;
  /** Mail exchanges by domain, the most preferred first. */
  readonly mx?: Readonly<Record<string, readonly string[]>>;
  /** Replaces the answers from `mx`. */
  readonly answer?: DnsAnswer<MxRecord>;
  readonly ttlSeconds?: number;
  /** Null for none, as in commands. */
  readonly smtp?: SmtpProber | null;
  readonly store?: ProviderStore;
  readonly now?: number;
}

/** The provider with ports that answer from memory. Mail for a domain that is not in `mx` goes to `mx.<domain>`. */
export async function aMailWorld(world: WorldOptions = {}) {
  const { mode = 'cached', helo_name = 'probe.example.net', mx = {}, answer, ttlSeconds } = world;
  const { daily_probes = 1_000, daily_probes_per_domain = 4 } = world;
  let now = world.now ?? T0;
  const clock = { now: () => now };
  const exchangesOf = new Map(Object.entries(mx));
  const lookedUp: string[] = [];
  const asked: SmtpQuestion[] = [];
  const warnings: string[] = [];
  const open: PromiseWithResolvers<SmtpAnswer>[] = [];
  const dns = {
    mx: async (domain: string): Promise<DnsAnswer<MxRecord>> => {
      lookedUp.push(domain);
      const exchanges = exchangesOf.get(domain) ?? [`mx.${domain}`];
      const records = exchanges.map((exchange, preference) => ({ exchange, preference }));
      return answer ?? { outcome: 'found', records, ...(ttlSeconds !== undefined && { ttlSeconds }) };
    },
    addresses: async () => ({ outcome: 'error' }) as const,
  };
  const inMemory: SmtpProber = {
    probe: (question) => {
      asked.push(question);
      const one = Promise.withResolvers<SmtpAnswer>();
      open.push(one);
      return one.promise;
    },
  };
  const smtp = world.smtp === undefined ? inMemory : world.smtp;
  const store = world.store ?? aStore(clock);
  const log = { info: () => undefined, warn: (_: unknown, message: string) => void warnings.push(message) };
  const options = withDefaults(catchAll.options, { mode, helo_name, daily_probes, daily_probes_per_domain });
  const prepare = async () => {
    const prepared = await catchAll.prepare?.({
      options,
      thresholds: {},
      lists: { allow: [], deny: [] },
      downloads: async () => [],
    });
    if (!prepared) throw new Error('the provider prepares nothing');
    return prepared.state;
  };
  let state = await prepare();
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  return {
    asked,
    lookedUp,
    warnings,
    store,
    clock,
    pass: (ms: number) => {
      now += ms;
    },
    moveMail: (domain: string, exchanges: readonly string[]) => exchangesOf.set(domain, exchanges),
    /** Prepares the provider again, as the host does at SIGHUP. */
    reload: async () => {
      state = await prepare();
    },
    ask: async (
      domain: string,
      domainKind: Address['domainKind'] = 'name',
      signal: AbortSignal = new AbortController().signal,
    ) => {
      const ports = { dns, ...(smtp && { smtp }), store, clock, log };
      const context = { ...ports, needs: {}, options, thresholds: {}, state, signal };
      const found = await catchAll.check(anAddress('jane', domain, { domainKind }), context);
      await turn();
      return found;
    },
    /** Answers the oldest open question to a mail host. */
    reply: async (found: SmtpAnswer) => {
      const next = open.shift();
      if (!next) throw new Error('no mail host was asked');
      next.resolve(found);
      await turn();
    },
    fail: async (error: Error) => {
      open.shift()?.reject(error);
      await turn();
    },
  };
}

export const YES = { outcome: 'all_accepted', step: 'rcpt', code: 250 } as const;
export const NO = { outcome: 'no_such_mailbox', step: 'rcpt', code: 550, enhancedCode: '5.1.1' } as const;

/** The findings where no probe ran, nor will for `ttlSeconds`. */
export const notRun = (why: string, ttlSeconds = 3_600) => ({
  facts: { 'domain.is_catch_all': { unknown: 'not_run' } },
  evidence: { unknown: why },
  ttlSeconds,
});
