import type { Ports, ProviderLog, ProviderStore, SignalProvider, SmtpProber } from '../provider-kit/index.ts';

/** Ports as the process has them; each provider gets a log and a store of its own. */
export interface HostPorts extends Omit<Ports, 'counters' | 'log' | 'store' | 'smtp'> {
  /** Null in commands. */
  readonly smtp: SmtpProber | null;
  storeFor(provider: string): ProviderStore;
  logFor(provider: string): ProviderLog;
}

/** What a provider has asked for. Counters are those of one check, and are granted with it. */
export function grantPorts({ id, uses = [] }: SignalProvider, ports: HostPorts): Partial<Ports> {
  const asked = new Set(uses);
  return {
    ...(asked.has('dns') && { dns: ports.dns }),
    ...(asked.has('smtp') && ports.smtp !== null && { smtp: ports.smtp }),
    ...(asked.has('store') && { store: ports.storeFor(id) }),
    ...(asked.has('clock') && { clock: ports.clock }),
    ...(asked.has('log') && { log: ports.logFor(id) }),
  };
}
