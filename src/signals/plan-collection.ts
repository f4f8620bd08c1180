import { StartupError } from '../errors.ts';
import type { SignalProvider } from '../provider-kit/index.ts';
import type { AnyLocalProvider } from './ask-provider.ts';
import type { CataloguedFact, FactCatalogue, Signals } from './signals.ts';

/** A provider that is asked once those in `after` have answered: the ids of the providers in `later` whose facts it needs. */
interface Later {
  readonly provider: SignalProvider;
  readonly after: readonly string[];
}

/**
 * Which provider is asked when; made once at start. Throws one StartupError that names each missing need, each cycle, and each
 * declaration that its needs contradict. The catalogue has the facts of disabled providers too, unless an enabled one answers the fact.
 */
export function planCollection(
  providers: readonly SignalProvider[],
  disabled: readonly SignalProvider[] = [],
) {
  const all = [...disabled, ...providers];
  const facts = new Map<string, CataloguedFact>();
  for (const provider of all) {
    const origin = { provider: provider.id, ...(disabled.includes(provider) && { disabled: true as const }) };
    for (const fact of provider.facts) facts.set(fact.id, { ...fact, ...origin });
  }
  const { ids, local, later } = orderByNeeds(providers, facts);
  const off = [...facts.values()].filter((fact) => fact.disabled);
  /** What is known before any provider is asked: every fact is null, and those of disabled providers are `not_run`. */
  const blank: Pick<Signals, 'facts' | 'unknown' | 'timingsUs'> = {
    facts: Object.fromEntries([...facts.keys()].map((id) => [id, null])),
    unknown: Object.fromEntries(off.map(({ id }) => [id, 'not_run'])),
    timingsUs: Object.fromEntries(ids.map((id) => [id, 0])),
  };
  const catalogue: FactCatalogue = {
    facts,
    never: all.flatMap(({ never = [] }) => never),
    thresholds: new Map(
      all.flatMap(({ id, thresholds: schema, checkThresholds: check }) =>
        schema ? [[id, { schema, check }] as const] : [],
      ),
    ),
  };
  return {
    /** Local providers that wait for no look-up, in an order in which every need is met. */
    local: local.filter(({ counts }) => !counts),
    /** Network providers and the local ones that wait for them, in an order in which every need is met. */
    later,
    /** Local providers that count: asked last, when every other fact is there or known to be unknown. */
    counting: local.filter(({ counts }) => counts),
    catalogue,
    blank,
  };
}

/** Puts the providers into an order in which every need is met; a need of a disabled provider's fact is always unknown. */
function orderByNeeds(providers: readonly SignalProvider[], facts: ReadonlyMap<string, CataloguedFact>) {
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  const local: AnyLocalProvider[] = [];
  const later: Later[] = [];
  const faults: string[] = [];
  const visited = new Set<string>();
  const visiting = new Set<string>();

  const ownersOf = ({ id: needy, needs = [] }: SignalProvider): readonly SignalProvider[] =>
    needs.flatMap((id) => {
      const fact = facts.get(id);
      if (!fact) faults.push(`provider "${needy}": needs the fact "${id}", which no provider answers`);
      // A provider that is switched off is not waited for: its facts are unknown.
      return byId.get(fact?.provider ?? '') ?? [];
    });

  const visit = (provider: SignalProvider): void => {
    const { id } = provider;
    if (visited.has(id)) return;
    if (visiting.has(id)) {
      faults.push(`provider "${id}": its needs lead back to itself`);
      return;
    }
    visiting.add(id);
    const needs = ownersOf(provider);
    for (const owner of needs) visit(owner);
    visited.add(id);
    const counted = needs.find((need) => need.stage === 'local' && need.counts);
    if (counted)
      faults.push(`provider "${id}": needs facts of "${counted.id}", which counts and so is asked last`);
    const after = needs
      .map((need) => need.id)
      .filter((need) => later.some(({ provider: earlier }) => earlier.id === need));
    if (provider.stage === 'network') later.push({ provider, after });
    else if (after.length === 0 || provider.counts) local.push(provider);
    else {
      later.push({ provider, after });
      // Rules may take points away on a never_unknown fact: an outage that changed its value would raise a score.
      for (const fact of provider.facts.filter(({ never_unknown }) => never_unknown)) {
        faults.push(
          `provider "${id}": fact "${fact.id}" cannot be never_unknown: it is made of what "${after.join(', ')}" may not find out`,
        );
      }
    }
  };
  for (const provider of providers) visit(provider);
  if (faults.length > 0) throw new StartupError(faults);
  return { ids: [...visited], local, later };
}
