import { shownValue } from '../../../app/config/describe-config.ts';
import type { SchemaNode } from '../../../app/config/schema.ts';
import type { DnsServerState } from '../../../net/name-server.ts';
import type { SignalProvider } from '../../../provider-kit/index.ts';
import type { PreparedProvider } from '../../../signals/prepare-providers.ts';
import { presentData } from '../lists/lists.presenter.ts';

export interface ShownProvider {
  readonly provider: SignalProvider;
  /** Undefined where it is switched off. */
  readonly prepared: PreparedProvider | undefined;
  /** Checked, with defaults. */
  readonly options: Readonly<Record<string, unknown>>;
}

interface OptionSchema extends SchemaNode {
  readonly description?: string;
}

export function presentProvider({ provider, prepared, options }: ShownProvider, now: number) {
  const { id, description, stage, facts, needs = [], uses = [] } = provider;
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
    lists: (prepared?.lists ?? []).map((list) => presentData([id, list], now)),
    options: Object.entries(options).map(([name, value]) => ({
      name,
      value: shownValue(value, properties[name] ?? {}),
      description: properties[name]?.description ?? null,
    })),
    timeout_ms: provider.stage === 'network' ? (provider.timeoutMs ?? null) : null,
    cache: provider.cache ? presentCache(provider.cache) : null,
  };
}

function presentCache(cache: NonNullable<SignalProvider['cache']>) {
  const { by } = cache;
  const isTimed = 'knownSeconds' in cache;
  return {
    by,
    known_seconds: isTimed ? cache.knownSeconds : null,
    unknown_seconds: isTimed ? cache.unknownSeconds : null,
  };
}

export function presentServer({ server, isOut, since }: DnsServerState) {
  return { server, is_out: isOut, since };
}
