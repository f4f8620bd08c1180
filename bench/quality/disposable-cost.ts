import { type Cost, measureCosts } from './cost.ts';
import { DISPOSABLE_PEERS } from './disposable-peers.ts';
import { addressOf, loneProvider } from './lone-provider.ts';
import type { MeasuringData } from './measuring-data.ts';

/** As many abused domains as ordinary ones: who finds something has more to do. */
const EACH = 250;

/** The provider alone, and the packages whose answers come at once. */
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
