import { shownValue } from '../../../app/config/describe-config.ts';
import type { SchemaNode } from '../../../app/config/schema.ts';
import { ACTIVE_POLICY } from '../../../checks/active-policy.ts';
import { placeIn } from '../../../lib/json-schema.ts';
import { byId } from '../../../lib/text.ts';
import { CLOCK } from '../../../lib/time.ts';
import { presentData } from '../../../lists/list-status.ts';
import { DNS_SERVERS } from '../../../net/name-server.ts';
import { FACT_TYPES, type NetworkProvider, type SignalProvider } from '../../../provider-kit/index.ts';
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
import { ANALYSTS } from '../access.ts';
import { areaOf, type Services } from '../endpoint.ts';
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
      type: { enum: FACT_TYPES },
      values: listOf(TEXT),
      slot: nullable(TEXT, 'The member of the response that it fills.'),
      is_never_unknown: FLAG,
      is_personal: { ...FLAG, description: 'It quotes the address.' },
    }),
  ),
  needs: listOf(TEXT, 'Facts of other providers that it waits for.'),
  uses: listOf(TEXT, 'What it may touch.'),
  source: nullable(TEXT, 'The version of its data.'),
  lists: listOf(DATA_LIST),
  options: listOf(closed({ name: TEXT, value: {}, description: nullable(TEXT) })),
  timeout_ms: nullable(INTEGER, 'Null where only the deadline of the check applies.'),
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
  dns_servers: listOf(
    record('dns_server', {
      server: TEXT,
      is_out: { ...FLAG, description: 'Its circuit is open: it does not reply, and is only probed.' },
      since: nullable(INSTANT, 'Null where it has replied since the start.'),
    }),
    'The servers that look-ups go to.',
  ),
});

const NEEDS = {
  collector: SignalCollector,
  policies: ACTIVE_POLICY,
  servers: DNS_SERVERS,
  options: PROVIDER_OPTIONS,
  deadlineMs: CHECK_DEADLINE_MS,
  clock: CLOCK,
};
const { define, area } = areaOf('providers', 'Where signals come from.', NEEDS);

function present(provider: SignalProvider, { policies, options, clock }: Services<typeof NEEDS>) {
  const { id, description, stage, facts, needs = [], uses = [] } = provider;
  // Undefined where the provider is switched off.
  const prepared = policies.current.providers.byId.get(id);
  const { properties = {} } = (provider.options ?? {}) as { properties?: Record<string, SchemaNode> };
  const place = placeIn(provider.options ?? {});
  return {
    id,
    description,
    stage,
    needs,
    uses,
    is_enabled: prepared !== undefined,
    facts: facts.map(({ id, description, type, values = [], slot = null, ...fact }) => ({
      ...{ id, description, type, values, slot },
      is_never_unknown: fact.never_unknown === true,
      is_personal: fact.personal === true,
    })),
    source: prepared?.source ?? null,
    lists: (prepared?.lists ?? []).map((list) => presentData([id, list], clock.now())),
    options: Object.entries(options[id] ?? {}).map(([name, value]) => ({
      name,
      value: shownValue(value, place.below(name)),
      description: properties[name]?.description ?? null,
    })),
    timeout_ms: provider.stage === 'network' ? (provider.timeoutMs ?? null) : null,
    cache: provider.stage === 'network' && provider.cache ? presentCache(provider.cache) : null,
  };
}

function presentCache({ by, knownSeconds, unknownSeconds }: NonNullable<NetworkProvider['cache']>) {
  return { by, known_seconds: knownSeconds, unknown_seconds: unknownSeconds };
}

export const PROVIDERS_AREA = area({
  list_providers: define('GET /providers', {
    summary: 'Every provider of signals, and the state of the DNS servers.',
    description: '`GET /overview` has how often and how fast they answer.',
    access: ANALYSTS,
    answer: { description: 'As they are in force now; secrets are hidden.', schema: PROVIDERS },
    handle: (services) => ({
      // Those that are switched off too.
      providers: [...services.collector.providers, ...services.collector.disabled]
        .toSorted(byId)
        .map((provider) => present(provider, services)),
      deadline_ms: services.deadlineMs,
      dns_servers: services.servers().map(({ server, isOut, since }) => ({ server, is_out: isOut, since })),
    }),
  }),
});
