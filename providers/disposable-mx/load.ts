import { readFileSync } from 'node:fs';
import { closestSuffix } from 'postern/provider-kit';
import { parse } from 'yaml';

/** A mail host behind throw-away mail services. */
export interface Backend {
  readonly host: string;
  /** Domains on lists, among the `resolved` ones that were seen to name the host. Both are left out for a service's own host. */
  readonly listed?: number;
  readonly resolved?: number;
  /** The source that calls the host a service's own, where there are no counts. */
  readonly source?: string;
}

/** The counts that a host must reach to be taken for a backend. */
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

/** The backends that pass the test and are not shared hosts, by host. */
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
