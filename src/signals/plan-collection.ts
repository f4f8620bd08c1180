import { StartupError } from '../errors.ts';
import type { SignalProvider } from '../provider-kit/index.ts';
import type { AnyLocalProvider } from './ask-provider.ts';
import type { Beginning } from './collection.ts';
import type { CataloguedFact, FactCatalogue } from './signals.ts';

/** A provider, and those whose facts it needs. */
interface Ordered {
  readonly provider: SignalProvider;
  readonly needs: readonly SignalProvider[];
}

/**
 * The providers in an order in which every need is met; a need of a disabled provider's fact is always unknown. Throws one
 * StartupError that names each missing need and each provider whose needs form a cycle.
 */
function orderByNeeds(
  providers: readonly SignalProvider[],
  facts: ReadonlyMap<string, CataloguedFact>,
): readonly Ordered[] {
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  const faults: string[] = [];
  const ordered = new Map<SignalProvider, Ordered>();
  const visiting = new Set<string>();

  const ownersOf = (provider: SignalProvider): SignalProvider[] =>
    (provider.needs ?? []).flatMap((id) => {
      const fact = facts.get(id);
      if (!fact) faults.push(`provider "${provider.id}": needs the fact "${id}", which no provider answers`);
      // A provider that is switched off is not waited for: its facts are unknown.
      const owner = byId.get(fact?.provider ?? '');
      return owner ? [owner] : [];
    });

  const visit = (provider: SignalProvider): void => {
    if (ordered.has(provider)) return;
    if (visiting.has(provider.id)) {
      faults.push(`provider "${provider.id}": its needs lead back to itself`);
      return;
    }
    visiting.add(provider.id);
    const needs = ownersOf(provider);
    for (const owner of needs) visit(owner);
    visiting.delete(provider.id);
    ordered.set(provider, { provider, needs });
  };
  for (const provider of providers) visit(provider);
  if (faults.length > 0) throw new StartupError(faults);
  return [...ordered.values()];
}

/** Which provider is asked when; made once at start. */
export interface CollectionPlan {
  /** Local providers that wait for no look-up, in an order in which every need is met. */
  readonly local: readonly AnyLocalProvider[];
  /** Network providers and the local ones that wait for them, in an order in which every need is met. */
  readonly later: readonly Later[];
  /** Local providers that count: asked last, when every other fact is there or known to be unknown. */
  readonly counting: readonly AnyLocalProvider[];
  readonly catalogue: FactCatalogue;
  /** What is known before a provider was asked: that what is switched off is not run. */
  readonly blank: Beginning;
}

/** Asked once those of `after` have answered: ids of the others in `later` whose facts it needs. */
interface Later {
  readonly provider: SignalProvider;
  readonly after: readonly string[];
}

/**
 * Orders the providers by their needs; throws one StartupError that names each missing need, each cycle, and each declaration
 * that its needs contradict. What disabled providers would answer is in the catalogue too, unless an enabled one answers it.
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
    local: local.filter(({ counts }) => !counts),
    later,
    counting: local.filter(({ counts }) => counts),
    blank: {
      facts: Object.fromEntries([...facts.keys()].map((id) => [id, null])),
      unknown: Object.fromEntries(
        [...facts.values()].filter((fact) => fact.disabled).map(({ id }) => [id, 'not_run']),
      ),
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
  for (const { provider, needs } of ordered) {
    const { id } = provider;
    const counted = needs.find((need) => need.stage === 'local' && need.counts);
    if (counted)
      faults.push(`provider "${id}": needs facts of "${counted.id}", which counts and so is asked last`);
    const after = needs
      .map((need) => need.id)
      .filter((need) => later.some(({ provider: earlier }) => earlier.id === need));
    if (provider.stage === 'network') later.push({ provider, after });
    else if (after.length > 0 && !provider.counts) {
      later.push({ provider, after });
      // Rules may take points away on such a fact, so that an outage that changes its value would raise a score.
      for (const fact of provider.facts) {
        if (fact.never_unknown) {
          faults.push(
            `provider "${id}": fact "${fact.id}" cannot be never_unknown: it is made of what "${after.join(', ')}" may not find out`,
          );
        }
      }
    }
  }
  if (faults.length > 0) throw new StartupError(faults);
  return later;
}
