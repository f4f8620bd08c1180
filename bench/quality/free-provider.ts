import { createRequire } from 'node:module';
import { listOf } from './domain-lists.ts';
import { type Contestants, countHits } from './metric.ts';
import { notDisposable } from './not-disposable.ts';
import type { SignalQuality } from './signal-quality.ts';

interface Freemail {
  isFree(email: string): boolean;
  isDisposable(email: string): boolean;
}

const freemail: Freemail = createRequire(import.meta.url)('freemail');

export const freeProvider: SignalQuality = {
  peers: ['email-providers', 'freemail'],
  async measure(data, postern) {
    const emailProviders = listOf('email-providers/all.json');
    const contestants: Contestants<string> = {
      Postern: (domain) => postern.says(`x@${domain}`, 'domain.is_known_free_provider', true),
      'email-providers': (domain) => emailProviders.has(domain),
      // The package's isFree() also accepts domains that it calls disposable.
      'freemail isFree, not isDisposable': (domain) =>
        freemail.isFree(`x@${domain}`) && !freemail.isDisposable(`x@${domain}`),
    };
    const { relays } = notDisposable(data);
    return [
      await countHits('big free providers found', 'high', data.column('free-top.txt'), contestants),
      await countHits('abused domains named', 'low', data.column('abused-domains.tsv'), contestants),
      await countHits('relays named', 'low', relays, contestants),
    ];
  },
};
