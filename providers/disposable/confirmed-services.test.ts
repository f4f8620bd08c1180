import { expect, it } from 'vitest';
import { confirmedServices } from './confirmed-services.ts';
import { loadShipped } from './load.ts';

/** The domains of a service: the first `named` of them are on reviewed lists, the others are not. */
const seenAt = (service: string, named: number, others: number) =>
  [
    ...Array.from({ length: named }, (_, at) => `named-${at}.${service}`),
    ...Array.from({ length: others }, (_, at) => `other-${at}.${service}`),
  ].map((domain) => [domain, service] as const);
const confirmed = (...seen: readonly (readonly [string, string | undefined])[]) => [
  ...confirmedServices(
    seen,
    (domain) => domain.startsWith('named-'),
    (domain) => domain === 'firm.com',
  ),
];

it('are services of whose domains at least half are named by other lists', () => {
  expect(confirmed(...seenAt('own.com', 10, 10), ...seenAt('typed.com', 9, 11))).toEqual(['own.com']);
});

it('exclude services with too few domains for a reliable share', () => {
  expect(confirmed(...seenAt('small.com', 19, 0))).toEqual([]);
  expect(confirmed(...seenAt('large.com', 20, 0))).toEqual(['large.com']);
});

it('exclude services that show the domain of a firm, a school or an authority', () => {
  expect(confirmed(...seenAt('mixed.com', 50, 0), ['firm.com', 'mixed.com'])).toEqual([]);
  expect(confirmed(...seenAt('own.com', 50, 0), ['firm.com', undefined])).toEqual(['own.com']);
});

it('have a vote only beside the vote of the list that saw their domains', () => {
  const { ballots, sizes } = loadShipped();
  let domains = 0;
  for (const [ballot, votes] of ballots.entries()) {
    const ids = votes.map(({ source }) => source);
    if (!ids.includes('confirmed_services')) continue;
    domains += sizes[ballot] ?? 0;
    expect(ids).toContain('fakefilter');
  }
  // At least half of them are named by the lists that confirm the services.
  expect(domains).toBeGreaterThan(500);
  expect(domains).toBeLessThan(2_000);
});
