import { readFileSync } from 'node:fs';
import { closestSuffix } from 'postern/provider-kit';
import { parse } from 'yaml';

/** A mail host behind throw-away mail services. */
export interface Backend {
  readonly host: string;
  /** Domains on lists, of all that were seen to name the host. Left out for a service's own host. */
  readonly listed?: number;
  readonly resolved?: number;
  /** Who calls it the service's own, where there are no counts. */
  readonly source?: string;
}

/** What a host must come to before it is taken for a backend. */
export interface RatioTest {
  readonly minDomains: number;
  readonly minShare: number;
}

type SharedHosts = Readonly<Record<string, { readonly source: string; readonly hosts: readonly string[] }>>;

export function loadBackends(): readonly Backend[] {
  return parse(readFileSync(new URL('./data/backends.yaml', import.meta.url), 'utf8'));
}

export function loadSharedHosts(): ReadonlySet<string> {
  const table: SharedHosts = parse(readFileSync(new URL('./data/shared.yaml', import.meta.url), 'utf8'));
  return new Set(Object.values(table).flatMap(({ hosts }) => hosts));
}

/** Those that pass the test and are not shared hosts, by host. */
export function passing(
  backends: readonly Backend[],
  shared: ReadonlySet<string>,
  { minDomains, minShare }: RatioTest,
): ReadonlyMap<string, Backend> {
  const isPassing = ({ host, listed, resolved }: Backend) => {
    if (closestSuffix(host, shared) !== undefined) return false;
    if (listed === undefined || resolved === undefined) return true;
    return listed >= minDomains && listed / resolved >= minShare;
  };
  return new Map(backends.filter(isPassing).map((backend) => [backend.host, backend]));
}
