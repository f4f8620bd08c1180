import { abusedDomains } from './abused-domains.ts';
import { disposableCosts } from './disposable-cost.ts';
import { DISPOSABLE_PEERS } from './disposable-peers.ts';
import { type Contestants, countHits } from './metric.ts';
import { notDisposable } from './not-disposable.ts';
import type { SignalQuality } from './signal-quality.ts';

/** Ranges of days between a domain's last sighting and the last day known. */
const WINDOWS: readonly (readonly [what: string, from: number, to: number])[] = [
  ['abused on the last day known', 0, 0],
  ['last abused 1 to 7 days before', 1, 7],
  ['last abused 8 to 30 days before', 8, 30],
  ['last abused longer ago', 31, Number.POSITIVE_INFINITY],
  ['abused on any day', 0, Number.POSITIVE_INFINITY],
];

export const disposable: SignalQuality = {
  peers: Object.keys(DISPOSABLE_PEERS),
  costs: disposableCosts,
  async measure(data, postern) {
    const asked = Object.fromEntries(Object.entries(DISPOSABLE_PEERS).map(([name, load]) => [name, load()]));
    const either = [asked['disposable-domains'], asked['disposable-email-domains-js']];
    const contestants: Contestants<string> = {
      Postern: (domain) => postern.says(`x@${domain}`, 'domain.is_known_disposable', true),
      ...asked,
      'the first two together': async (domain) => {
        for (const asks of either) if (await asks?.(domain)) return true;
        return false;
      },
    };
    const abused = abusedDomains(data);
    const found = WINDOWS.map(([what, from, to]) =>
      countHits(
        `${what}, found`,
        'high',
        abused.filter(({ days }) => days >= from && days <= to).map(({ domain }) => domain),
        contestants,
      ),
    );
    const { ordinary, relays } = notDisposable(data);
    return [
      ...(await Promise.all(found)),
      await countHits('big free providers named', 'low', data.column('free-top.txt'), contestants),
      await countHits('not disposable ones named', 'low', ordinary, contestants),
      await countHits('relays named', 'low', relays, contestants),
    ];
  },
};
