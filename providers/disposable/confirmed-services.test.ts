import { expect, it } from 'vitest';
import { confirmedServices } from './confirmed-services.ts';
import { loadShipped } from './load.ts';

/** So many domains of a service, of which so many are named by lists that are looked through. */
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

it('are those of whose domains half are named by other lists', () => {
  expect(confirmed(...seenAt('own.com', 10, 10), ...seenAt('typed.com', 9, 11))).toEqual(['own.com']);
});

it('are none with so few domains that their share says little', () => {
  expect(confirmed(...seenAt('small.com', 19, 0))).toEqual([]);
  expect(confirmed(...seenAt('large.com', 20, 0))).toEqual(['large.com']);
});

it('are none that show the domain of a firm, a school or an authority', () => {
  expect(confirmed(...seenAt('mixed.com', 50, 0), ['firm.com', 'mixed.com'])).toEqual([]);
  expect(confirmed(...seenAt('own.com', 50, 0), ['firm.com', undefined])).toEqual(['own.com']);
});

it('have a vote only beside that of the list that saw their domains', () => {
  const { ballots, sizes } = loadShipped();
  let domains = 0;
  for (const [ballot, votes] of ballots.entries()) {
    const ids = votes.map(({ source }) => source);
    if (!ids.includes('confirmed_services')) continue;
    domains += sizes[ballot] ?? 0;
    expect(ids).toContain('fakefilter');
  }
  // Half of them at least are named by the lists that confirm the services.
  expect(domains).toBeGreaterThan(500);
  expect(domains).toBeLessThan(2_000);
});
