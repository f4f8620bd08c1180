import type { Config } from '../app/config/config.ts';
import { download } from '../net/http-download.ts';
import type { Clock, DnsResolver, ListEntry } from '../provider-kit/index.ts';
import { Canaries } from './canaries.ts';
import type { ListResult } from './list-state.ts';
import type { ListStore } from './list-store.ts';
import type { UpdateTools } from './update-list.ts';

export interface UpdateSurroundings {
  readonly config: Config['lists'];
  readonly store: ListStore;
  readonly dns: DnsResolver;
  readonly clock: Clock;
  /** The entries of `allow.yaml` that are in force. */
  readonly allowed: readonly ListEntry[];
  /** From 0 to 1, 1 excluded. */
  readonly random?: () => number;
}

const HOUR_MS = 3_600_000;
/** Of a list that cannot be had: soon enough to make up for a bad moment, seldom enough for a server in trouble. */
export const RETRY_MS = HOUR_MS / 2;
/** For a list of the largest size over a slow line. */
const TIMEOUT_MS = 60_000;
/** Each way: services that were started together must not ask together for ever. */
const JITTER = 0.1;

/** Between two attempts, at the most. */
export function longestWaitMs({ refreshHours }: Config['lists']): number {
  return refreshHours * HOUR_MS * (1 + JITTER);
}

/** What updates are made with. Made for each round of them: the allow list may have changed. */
export function createUpdateTools(surroundings: UpdateSurroundings): UpdateTools {
  const { config, store, dns, clock, allowed, random = Math.random } = surroundings;
  const { refreshHours, maxBytes, maxChangePercent, allowPrivateAddresses } = config;
  return {
    store,
    clock,
    bounds: { canaries: new Canaries(allowed), maxChangePercent },
    download: (url, validators) =>
      download(url, validators, { dns, allowPrivateAddresses, maxBytes, timeoutMs: TIMEOUT_MS }),
    waitMs: (result: ListResult) => {
      const usual = refreshHours * HOUR_MS;
      const wait = result === 'failed' ? Math.min(RETRY_MS, usual) : usual;
      return Math.round(wait * (1 - JITTER + 2 * JITTER * random()));
    },
  };
}
