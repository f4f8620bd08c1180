import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Address, Context, Count, LocalProvider } from '../../dist/src/provider-kit/index.js';
import { root } from '../support/paths.ts';

/** Facts of other providers that the check needs. */
type Given = Partial<Pick<Context<unknown>, 'needs'>>;

/** A built provider alone, without the pipeline, with the thresholds of `rules/signals.yaml`. */
export async function loneProvider(
  id: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<(address: Address, given?: Given) => unknown> {
  const module: { default: LocalProvider<unknown> } = await import(`../../dist/providers/${id}/index.js`);
  const { prepare, check } = module.default;
  const thresholds = parse(readFileSync(join(root, 'rules', 'signals.yaml'), 'utf8'))[id] ?? {};
  const prepared = await prepare?.({
    options,
    thresholds,
    lists: { allow: [], deny: [] },
    downloads: async () => [],
  });
  const context = {
    needs: {},
    options,
    thresholds,
    state: prepared?.state,
    signal: new AbortController().signal,
  };
  return (address, given) => check(address, given ? { ...context, ...given } : context);
}

export function addressOf(localPart: string, domain: string): Address {
  const address = `${localPart}@${domain}`;
  return {
    raw: address,
    localPart,
    domain,
    domainKind: 'name',
    canonical: { address, localPart, domain, basis: 'generic', changes: [] },
    subaddress: null,
    hasDotsRemoved: false,
    faults: [],
  };
}

/** The `counts` function of a built provider, for a provider without `prepare`. */
export async function loneCounts(
  id: string,
): Promise<(address: Address, needs: Context<unknown>['needs']) => readonly Count[]> {
  const module: { default: LocalProvider<unknown> } = await import(`../../dist/providers/${id}/index.js`);
  const { counts } = module.default;
  if (!counts) throw new Error(`${id} counts nothing`);
  const { signal } = new AbortController();
  return (address, needs) =>
    counts(address, { needs, options: {}, thresholds: {}, state: undefined, signal });
}
