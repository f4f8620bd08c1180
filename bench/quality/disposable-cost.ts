import { type Cost, measureCosts } from './cost.ts';
import { DISPOSABLE_PEERS } from './disposable-peers.ts';
import { addressOf, loneProvider } from './lone-provider.ts';
import type { MeasuringData } from './measuring-data.ts';

/** Equal numbers of abused and ordinary domains, as a hit may cost more than a miss. */
const EACH = 250;

/** Costs of the provider alone and of the packages that answer synchronously. */
export function disposableCosts(data: MeasuringData): Promise<readonly Cost[]> {
  const inputs = ['abused-domains.tsv', 'free-top.txt'].flatMap((file) => data.column(file).slice(0, EACH));
  const { 'deep-email-validator': _, ...peers } = DISPOSABLE_PEERS;
  return measureCosts(
    {
      'Postern, disposable': async () => {
        const check = await loneProvider('disposable');
        return (domain) => check(addressOf('x', domain));
      },
      ...Object.fromEntries(Object.entries(peers).map(([name, load]) => [name, async () => load()])),
    },
    inputs,
  );
}
