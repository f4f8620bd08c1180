import { StartupError } from '../errors.ts';
import type { SignalProvider } from '../provider-kit/index.ts';
import {
  type AnyLocalProvider,
  type AnyNetworkProvider,
  type Asked,
  type AskedProvider,
  asked,
} from './asked-provider.ts';
import type { Beginning } from './collection.ts';
import type { CataloguedFact, FactCatalogue } from './fact-catalogue.ts';
import { type Ordered, orderByNeeds } from './order-providers.ts';

/** Who runs when; made once at start. */
export interface CollectionPlan {
  /** Those that read the domain alone and need nobody: they come first. */
  readonly byDomain: readonly Asked<AnyLocalProvider>[];
  /** The other local ones that wait for no look-up, in an order in which every need is met. */
  readonly local: readonly Asked<AnyLocalProvider>[];
  /** Network providers and the local ones that wait for them, in an order in which every need is met. */
  readonly later: readonly Later[];
  /** Those of `later` that read the domain alone, and whose answers may be kept together. */
  readonly laterByDomain: readonly AskedProvider[];
  readonly catalogue: FactCatalogue;
  /** What is known before anyone was asked: that what is switched off is not run. */
  readonly blank: Beginning;
}

/** Asked once those of `after` have answered: ids of the others in `later` whose facts it needs. */
export type Later = { readonly after: readonly string[]; readonly isByDomain: boolean } & (
  | { readonly stage: 'local'; readonly provider: Asked<AnyLocalProvider> }
  | { readonly stage: 'network'; readonly provider: Asked<AnyNetworkProvider> }
);

/**
 * Orders the providers by their needs; a missing need or a cycle stops the start. What disabled
 * providers would answer is in the catalogue too, unless an enabled one answers it in their place.
 */
export function planCollection(
  providers: readonly SignalProvider[],
  disabled: readonly SignalProvider[] = [],
): CollectionPlan {
  const facts = new Map<string, CataloguedFact>();
  for (const provider of disabled) {
    for (const fact of provider.facts) facts.set(fact.id, { ...fact, provider: provider.id, disabled: true });
  }
  for (const provider of providers) {
    for (const fact of provider.facts) facts.set(fact.id, { ...fact, provider: provider.id });
  }
  const ordered = orderByNeeds(providers, facts);
  const later = laterOf(ordered);
  const isLater = new Set(later.map(({ provider }) => provider.id));
  const local = ordered.flatMap(({ provider }) =>
    provider.stage === 'local' && !isLater.has(provider.id) ? [provider] : [],
  );
  return {
    byDomain: local.filter(({ cache }) => cache).map(asked),
    local: local.filter(({ cache }) => !cache).map(asked),
    later,
    laterByDomain: later.filter(({ isByDomain }) => isByDomain).map(({ provider }) => provider),
    blank: {
      facts: Object.fromEntries([...facts.keys()].map((id) => [id, null])),
      unknown: Object.fromEntries(
        [...facts.values()].filter((fact) => fact.disabled).map(({ id }) => [id, 'not_run']),
      ),
      evidence: {},
      timingsUs: Object.fromEntries(ordered.map(({ provider }) => [provider.id, 0])),
    },
    catalogue: {
      facts,
      thresholds: new Map(
        [...disabled, ...providers].flatMap(({ id, thresholds: schema, checkThresholds: check }) =>
          schema ? [[id, { schema, check }] as const] : [],
        ),
      ),
    },
  };
}

function laterOf(ordered: readonly Ordered[]): readonly Later[] {
  const later: Later[] = [];
  const faults: string[] = [];
  const byDomain = new Set<string>();
  for (const { provider, needs } of ordered) {
    const stranger = needs.find(({ id }) => !byDomain.has(id));
    const isByDomain = provider.cache?.by === 'domain' && stranger === undefined;
    if (isByDomain) byDomain.add(provider.id);
    else if (provider.stage === 'local' && provider.cache) {
      faults.push(
        `provider "${provider.id}": its answers cannot be kept by domain: it needs facts of "${stranger?.id}", which may tell of the whole address`,
      );
    }
    const after = needs
      .map(({ id }) => id)
      .filter((id) => later.some(({ provider: earlier }) => earlier.id === id));
    if (provider.stage === 'network')
      later.push({ stage: 'network', provider: asked(provider), after, isByDomain });
    else if (after.length > 0) {
      later.push({ stage: 'local', provider: asked(provider), after, isByDomain });
      // Rules may take points away on such a fact, so that an outage that changes its value would raise a score.
      for (const { id, never_unknown } of provider.facts) {
        if (never_unknown) {
          faults.push(
            `provider "${provider.id}": fact "${id}" cannot be never_unknown: it is made of what "${after.join(', ')}" may not find out`,
          );
        }
      }
    }
  }
  if (faults.length > 0) throw new StartupError(faults);
  return later;
}
