import { shownValue } from '../../../app/config/describe-config.ts';
import type { SchemaNode } from '../../../app/config/schema.ts';
import { ACTIVE_POLICY, type ActivePolicy } from '../../../checks/active-policy.ts';
import { inject, injectable } from '../../../di.ts';
import { CLOCK } from '../../../lib/system-clock.ts';
import { byId } from '../../../lib/text.ts';
import { presentData } from '../../../lists/list-status.ts';
import { DNS_SERVERS, type DnsServerState } from '../../../net/name-server.ts';
import type { Clock, NetworkProvider, SignalProvider } from '../../../provider-kit/index.ts';
import { CHECK_DEADLINE_MS, PROVIDER_OPTIONS } from '../../../signals/provider-ports.ts';
import { SignalCollector } from '../../../signals/signal-collector.ts';
import {
  closed,
  FLAG,
  INSTANT,
  INTEGER,
  type LiteralSchema,
  listOf,
  nullable,
  record,
  TEXT,
} from '../../json-types.ts';
import { defineArea, endpointsWith } from '../endpoint.ts';
import { DATA_LIST } from './lists.schema.ts';

const PROVIDER: LiteralSchema = record('provider', {
  id: TEXT,
  description: TEXT,
  stage: { enum: ['local', 'network'] },
  is_enabled: FLAG,
  facts: listOf(
    record('provider_fact', {
      id: TEXT,
      description: TEXT,
      type: { enum: ['boolean', 'integer', 'number', 'string'] },
      values: listOf(TEXT),
      slot: { ...nullable(TEXT), description: 'The member of the response that it fills.' },
      is_never_unknown: FLAG,
      is_personal: { ...FLAG, description: 'It quotes the address.' },
    }),
  ),
  needs: { ...listOf(TEXT), description: 'Facts of other providers that it waits for.' },
  uses: { ...listOf(TEXT), description: 'What it may touch.' },
  source: { ...nullable(TEXT), description: 'The version of its data.' },
  lists: listOf(DATA_LIST),
  options: listOf(closed({ name: TEXT, value: {}, description: nullable(TEXT) })),
  timeout_ms: {
    ...nullable(INTEGER),
    description: 'Null where only the deadline of the check applies.',
  },
  cache: nullable(
    closed({
      by: { enum: ['domain', 'address'] },
      known_seconds: { type: 'number' },
      unknown_seconds: { type: 'number' },
    }),
  ),
});

const PROVIDERS: LiteralSchema = closed({
  providers: listOf(PROVIDER),
  deadline_ms: INTEGER,
  dns_servers: {
    ...listOf(
      record('dns_server', {
        server: TEXT,
        is_out: { ...FLAG, description: 'Its circuit is open: it does not reply, and is only probed.' },
        since: { ...nullable(INSTANT), description: 'Null where it has replied since the start.' },
      }),
    ),
    description: 'The servers that look-ups go to.',
  },
});

@injectable()
export class ProviderServices {
  constructor(
    @inject(SignalCollector) private readonly collector: SignalCollector,
    @inject(ACTIVE_POLICY) private readonly policies: ActivePolicy,
    @inject(DNS_SERVERS) readonly servers: () => readonly DnsServerState[],
    @inject(PROVIDER_OPTIONS)
    private readonly options: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    @inject(CHECK_DEADLINE_MS) readonly deadlineMs: number,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Those that are switched off too. */
  get providers(): readonly SignalProvider[] {
    return [...this.collector.providers, ...this.collector.disabled].toSorted(byId);
  }

  present(provider: SignalProvider) {
    const { id, description, stage, facts, needs = [], uses = [] } = provider;
    // Undefined where it is switched off.
    const prepared = this.policies.current.providers.byId.get(id);
    const { properties = {} } = (provider.options ?? {}) as { properties?: Record<string, OptionSchema> };
    return {
      id,
      description,
      stage,
      needs,
      uses,
      is_enabled: prepared !== undefined,
      facts: facts.map((fact) => ({
        id: fact.id,
        description: fact.description,
        type: fact.type,
        values: fact.values ?? [],
        slot: fact.slot ?? null,
        is_never_unknown: fact.never_unknown === true,
        is_personal: fact.personal === true,
      })),
      source: prepared?.source ?? null,
      lists: (prepared?.lists ?? []).map((list) => presentData([id, list], this.clock.now())),
      options: Object.entries(this.options[id] ?? {}).map(([name, value]) => ({
        name,
        value: shownValue(value, properties[name] ?? {}),
        description: properties[name]?.description ?? null,
      })),
      timeout_ms: provider.stage === 'network' ? (provider.timeoutMs ?? null) : null,
      cache: provider.stage === 'network' && provider.cache ? presentCache(provider.cache) : null,
    };
  }
}

interface OptionSchema extends SchemaNode {
  readonly description?: string;
}

function presentCache({ by, knownSeconds, unknownSeconds }: NonNullable<NetworkProvider['cache']>) {
  return { by, known_seconds: knownSeconds, unknown_seconds: unknownSeconds };
}

const define = endpointsWith<ProviderServices>();

const endpoints = {
  list_providers: define('GET /providers', {
    summary: 'Every provider of signals, and the state of the DNS servers.',
    description: '`GET /overview` has how often and how fast they answer.',
    access: { operator: 'analyst' },
    answer: { description: 'As they are in force now; secrets are hidden.', schema: PROVIDERS },
    handle: (services) => ({
      providers: services.providers.map((provider) => services.present(provider)),
      deadline_ms: services.deadlineMs,
      dns_servers: services.servers().map(({ server, isOut, since }) => ({
        server,
        is_out: isOut,
        since,
      })),
    }),
  }),
};

export const PROVIDERS_AREA = defineArea({
  name: 'providers',
  description: 'Where signals come from.',
  services: ProviderServices,
  endpoints,
});
