import { createContainer } from '../../src/di.ts';
import { METRICS, type Metrics, noMetrics } from '../../src/observability/metrics.ts';
import type {
  FactDeclaration,
  LocalProvider,
  NetworkProvider,
  SignalProvider,
} from '../../src/provider-kit/index.ts';
import { fakeDns, fakeHttp, fakeStore } from '../../src/provider-kit/testing/index.ts';
import {
  CHECK_DEADLINE_MS,
  DISABLED_PROVIDER,
  type HostPorts,
  PORTS,
  SIGNAL_PROVIDER,
} from '../../src/signals/provider-ports.ts';
import { SignalCollector } from '../../src/signals/signal-collector.ts';

/** A boolean fact by default. */
export function aFact(id: string, more: Partial<FactDeclaration> = {}): FactDeclaration {
  return { id, type: 'boolean', description: 'A fact of a test.', example: true, ...more };
}

export function aLocalProvider(id: string, more: Partial<LocalProvider> = {}): LocalProvider {
  return {
    id,
    apiVersion: 1,
    description: 'A provider of a test.',
    stage: 'local',
    facts: [aFact(`${id}.seen`)],
    check: () => ({ facts: { [`${id}.seen`]: true } }),
    ...more,
  };
}

export function aNetworkProvider(id: string, more: Partial<NetworkProvider> = {}): NetworkProvider {
  return {
    id,
    apiVersion: 1,
    description: 'A provider of a test.',
    stage: 'network',
    facts: [aFact(`${id}.seen`)],
    check: async () => ({ facts: { [`${id}.seen`]: true } }),
    ...more,
  };
}

/** A warning that a provider caused. */
export interface SeenWarning {
  readonly provider: string;
  readonly message: string;
}

/** A collector over these providers, in a new container, already prepared. */
export async function aCollector(
  providers: readonly SignalProvider[],
  options: {
    deadlineMs?: number;
    disabled?: readonly SignalProvider[];
    ports?: Partial<HostPorts>;
    metrics?: Metrics;
  } = {},
) {
  const warnings: SeenWarning[] = [];
  const ports: HostPorts = {
    clock: { now: () => 0 },
    dns: fakeDns('error'),
    smtp: null,
    httpFor: async () => fakeHttp('error'),
    storeFor: () => fakeStore(),
    logFor: (provider) => ({
      info: () => undefined,
      warn: (_fields, message) => warnings.push({ provider, message }),
    }),
    ...options.ports,
  };
  const container = createContainer();
  for (const provider of providers) container.registerInstance(SIGNAL_PROVIDER, provider);
  for (const provider of options.disabled ?? []) container.registerInstance(DISABLED_PROVIDER, provider);
  container.registerInstance(PORTS, ports);
  container.registerInstance(METRICS, options.metrics ?? noMetrics);
  container.registerInstance(CHECK_DEADLINE_MS, options.deadlineMs ?? 500);
  const collector = container.resolve(SignalCollector);
  const prepared = await collector.prepare({ options: {}, thresholds: {}, lists: { allow: [], deny: [] } });
  return {
    collector,
    prepared,
    warnings,
    collect: async (address: Parameters<typeof collector.collect>[0]) => collector.collect(address, prepared),
  };
}
