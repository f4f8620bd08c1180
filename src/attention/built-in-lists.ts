import { presentData } from '../lists/list-status.ts';
import { listsOf, type PreparedProviders } from '../signals/prepare-providers.ts';
import type { FactCatalogue } from '../signals/signals.ts';

/** The age in days of the youngest list of throw-away services that comes with Postern; null where no list says its day. */
export function youngestListDays(
  { facts }: Pick<FactCatalogue, 'facts'>,
  providers: PreparedProviders,
  now: number,
): number | null {
  const voter = facts.get('domain.is_known_disposable')?.provider;
  const ages = listsOf(providers)
    .filter(([provider]) => provider === voter)
    .flatMap((list) => presentData(list, now).age_days ?? []);
  return ages.length === 0 ? null : Math.min(...ages);
}
