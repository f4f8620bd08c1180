import { createRequire } from 'node:module';
import { isDisposableEmail } from 'disposable-email-domains-js';
import MailChecker from 'mailchecker';
import { listOf, namesDomain } from './domain-lists.ts';
import type { MeasuringData } from './measuring-data.ts';
import { type Contestants, countHits } from './metric.ts';
import { notDisposable } from './not-disposable.ts';
import type { SignalQuality } from './signal-quality.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** From how many listed domains under the host that gave a subdomain out the README of the provider speaks of a signal. */
const SIBLINGS = 3;

/** How long before the last day known a domain was last seen abused, in days. */
const WINDOWS: readonly (readonly [what: string, from: number, to: number])[] = [
  ['abused on the last day known', 0, 0],
  ['last abused 1 to 7 days before', 1, 7],
  ['last abused 8 to 30 days before', 8, 30],
  ['last abused longer ago', 31, Number.POSITIVE_INFINITY],
  ['abused on any day', 0, Number.POSITIVE_INFINITY],
];

export const disposable: SignalQuality = {
  peers: [
    'disposable-domains',
    'disposable-email-domains-js',
    'mailchecker',
    'disposable-email-domains',
    'fakefilter',
  ],
  async measure(data, postern) {
    const plain = listOf('disposable-domains');
    const old = new Set([
      ...listOf('disposable-email-domains'),
      ...listOf('disposable-email-domains/wildcard.json'),
    ]);
    const fake = fakefilterDomains();
    const isNamed = (domain: string) => postern.says(`x@${domain}`, 'domain.is_known_disposable', true);
    const hasSiblings = async (domain: string) => {
      const assessment = await postern.assess(`x@${domain}`);
      return Number(assessment?.signals.facts['disposable.listed_siblings']) >= SIBLINGS;
    };
    const contestants: Contestants<string> = {
      Postern: isNamed,
      [`Postern, or ${SIBLINGS} listed siblings`]: async (domain) =>
        (await isNamed(domain)) || (await hasSiblings(domain)),
      'disposable-domains': (domain) => namesDomain(plain, domain),
      'disposable-email-domains-js': (domain) => isDisposableEmail(`x@${domain}`),
      mailchecker: (domain) => namesDomain(MailChecker.blacklist(), domain),
      'disposable-email-domains': (domain) => namesDomain(old, domain),
      fakefilter: (domain) => namesDomain(fake, domain),
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

/** With the days from when each was last seen to the last day of all. */
function abusedDomains(data: MeasuringData): readonly { readonly domain: string; readonly days: number }[] {
  const seen = data
    .rows('abused-domains.tsv')
    .map(([domain = '', , last = '']) => ({ domain, at: Date.parse(last) }));
  const end = Math.max(...seen.map(({ at }) => at));
  return seen.map(({ domain, at }) => ({ domain, days: Math.round((end - at) / DAY_MS) }));
}

/** Its own look-up makes a RegExp for each of its domains, each time: the list is the same. */
function fakefilterDomains(): ReadonlySet<string> {
  const { domains }: { domains: Readonly<Record<string, unknown>> } = createRequire(import.meta.url)(
    'fakefilter/json/data.json',
  );
  return new Set(Object.keys(domains));
}
