import { StartupError } from '../errors.ts';
import type { SignalProvider } from '../provider-kit/index.ts';
import type { CataloguedFact } from './fact-catalogue.ts';

/** A provider, and those whose facts it needs. */
export interface Ordered {
  readonly provider: SignalProvider;
  readonly needs: readonly SignalProvider[];
}

/**
 * The providers in an order in which every need is met; a need of a disabled provider's fact is always unknown. Throws one
 * StartupError that names each missing need and each provider whose needs form a cycle.
 */
export function orderByNeeds(
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
      // Of a provider that is switched off there is nobody to wait for: its facts are unknown.
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
