import { StartupError } from '../errors.ts';
import type { SignalProvider } from '../provider-kit/index.ts';
import { type AnyLocalProvider, type AnyNetworkProvider, type Asked, asked } from './asked-provider.ts';
import type { Beginning } from './collection.ts';
import type { CataloguedFact, FactCatalogue } from './fact-catalogue.ts';

/** Who runs when; made once at start. */
export interface CollectionPlan {
  /** Those that read the domain alone and need nobody: they come first. */
  readonly byDomain: readonly Asked<AnyLocalProvider>[];
  /** The other local ones, in an order in which every need is met. */
  readonly local: readonly Asked<AnyLocalProvider>[];
  /** Each with the network providers whose facts it needs, by id. */
  readonly network: readonly {
    readonly provider: Asked<AnyNetworkProvider>;
    readonly after: readonly string[];
  }[];
  readonly catalogue: FactCatalogue;
  /** What is known before anyone was asked: that what is switched off is not run. */
  readonly blank: Beginning;
}

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
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  const faults: string[] = [];
  const ordered: SignalProvider[] = [];
  const visiting = new Set<string>();

  const needed = (provider: SignalProvider): SignalProvider[] =>
    (provider.needs ?? []).flatMap((id) => {
      const owner = byId.get(facts.get(id)?.provider ?? '');
      if (!owner)
        faults.push(`provider "${provider.id}": needs the fact "${id}", which no enabled provider answers`);
      else if (provider.stage === 'local' && owner.stage === 'network') {
        faults.push(
          `provider "${provider.id}": is local and cannot wait for "${id}" of the network provider "${owner.id}"`,
        );
      }
      return owner ? [owner] : [];
    });

  const visit = (provider: SignalProvider): void => {
    if (ordered.includes(provider)) return;
    if (visiting.has(provider.id)) {
      faults.push(`provider "${provider.id}": its needs lead back to itself`);
      return;
    }
    visiting.add(provider.id);
    for (const owner of needed(provider)) visit(owner);
    visiting.delete(provider.id);
    ordered.push(provider);
  };
  for (const provider of providers) visit(provider);
  if (faults.length > 0) throw new StartupError(faults);

  const local = ordered.filter((provider) => provider.stage === 'local');
  return {
    byDomain: local.filter(({ cache }) => cache).map(asked),
    local: local.filter(({ cache }) => !cache).map(asked),
    network: ordered
      .filter((provider) => provider.stage === 'network')
      .map((provider) => ({
        provider: asked(provider),
        after: needed(provider)
          .filter((owner) => owner.stage === 'network')
          .map((owner) => owner.id),
      })),
    blank: {
      facts: Object.fromEntries([...facts.keys()].map((id) => [id, null])),
      unknown: Object.fromEntries(
        [...facts.values()].filter((fact) => fact.disabled).map(({ id }) => [id, 'not_run']),
      ),
      evidence: {},
      timingsUs: Object.fromEntries(ordered.map(({ id }) => [id, 0])),
    },
    catalogue: {
      facts,
      thresholdSchemas: new Map(
        [...disabled, ...providers].flatMap(({ id, thresholds }) =>
          thresholds ? [[id, thresholds] as const] : [],
        ),
      ),
    },
  };
}
