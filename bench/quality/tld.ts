import { type Contestants, countHits } from './metric.ts';
import { notDisposable } from './not-disposable.ts';
import type { SignalQuality } from './signal-quality.ts';

export const tld: SignalQuality = {
  peers: [],
  async measure(data, postern) {
    const hagezi = new Set(data.column('tld-hagezi.txt'));
    const has = (domain: string, level: string) =>
      postern.says(`x@${domain}`, 'domain.tld_risk_level', level);
    const contestants: Contestants<string> = {
      'Postern, medium or high': async (domain) => !(await has(domain, 'low')),
      'Postern, high': (domain) => has(domain, 'high'),
      "HaGeZi's list, for measuring only": (domain) => hagezi.has(domain.slice(domain.lastIndexOf('.') + 1)),
    };
    return [
      await countHits('abused domains found', 'high', data.column('abused-domains.tsv'), contestants),
      await countHits('big free providers named', 'low', data.column('free-top.txt'), contestants),
      await countHits('not disposable ones named', 'low', notDisposable(data).ordinary, contestants),
    ];
  },
};
