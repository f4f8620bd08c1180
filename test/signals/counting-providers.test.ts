import { expect, it, vi } from 'vitest';
import { countInSandbox } from '../../src/checks/sandbox.ts';
import { AppError } from '../../src/errors.ts';
import { type Count, unknown } from '../../src/provider-kit/index.ts';
import { planCollection } from '../../src/signals/plan-collection.ts';
import type { CountAll } from '../../src/signals/signal-collector.ts';
import { anAddress } from '../support/addresses.ts';
import { aCollector, aFact, aLocalProvider, aNetworkProvider } from '../support/providers.ts';

type Local = Parameters<typeof aLocalProvider>[1];

const counting = (id = 'counting', more: Local = {}) =>
  aLocalProvider(id, {
    facts: [aFact(`${id}.seen`, { type: 'integer', example: 1 })],
    counts: ({ domain }) => [{ facts: { [`${id}.seen`]: '1h' }, text: domain }],
    check: (_address, { counted }) => (counted ? { facts: { ...counted } } : unknown('not_run')),
    ...more,
  });

/** Answers with the number of calls so far. */
function aCounter() {
  const seen: (readonly Count[])[] = [];
  const countAll: CountAll = async (counts) => {
    seen.push(counts);
    const before = seen.flat().length - counts.length;
    const facts = counts.flatMap((count) => Object.keys(count.facts));
    return Object.fromEntries(facts.map((fact, n) => [fact, before + n + 1]));
  };
  return { seen, countAll };
}

it('counts for all providers in one call for each check', async () => {
  const { collector, prepared } = await aCollector([counting(), counting('other')]);
  const { seen, countAll } = aCounter();
  for (const turn of [1, 3, 5]) {
    const signals = await collector.collect(anAddress(), prepared, countAll);
    expect(signals.facts).toEqual({ 'counting.seen': turn, 'other.seen': turn + 1 });
  }
  expect(seen).toHaveLength(3);
  expect(seen[0]).toEqual([
    { facts: { 'counting.seen': '1h' }, text: 'example.com' },
    { facts: { 'other.seen': '1h' }, text: 'example.com' },
  ]);
});

it('counts once after the look-ups on which the counts may depend', async () => {
  const late = counting('counting', {
    needs: ['net.seen'],
    counts: (_address, { needs }) => [{ facts: { 'counting.seen': '24h' }, text: `${needs['net.seen']}` }],
  });
  const { collector, prepared } = await aCollector([late, aNetworkProvider('net')]);
  const { seen, countAll } = aCounter();
  await collector.collect(anAddress(), prepared, countAll);
  expect(seen).toEqual([[{ facts: { 'counting.seen': '24h' }, text: 'true' }]]);
});

it('sets no timer where only counting is awaited', async () => {
  const { collector, prepared } = await aCollector([counting()]);
  const setTimer = vi.spyOn(globalThis, 'setTimeout');
  await collector.collect(anAddress(), prepared, aCounter().countAll);
  expect(setTimer).not.toHaveBeenCalled();
  setTimer.mockRestore();
});

it('gives no numbers where nothing is counted, and none to a provider that counts nothing', async () => {
  const check = vi.fn(() => ({ facts: { 'other.seen': true } }));
  const { collector, prepared } = await aCollector([counting(), aLocalProvider('other', { check })]);
  expect(await collector.collect(anAddress(), prepared)).toMatchObject({
    facts: { 'counting.seen': null },
    unknown: { 'counting.seen': 'not_run' },
    degraded: [],
  });
  await collector.collect(anAddress(), prepared, aCounter().countAll);
  for (const [, context] of check.mock.calls as unknown as [unknown, object][]) {
    expect(context).not.toHaveProperty('counted');
  }
});

it('gives the prepared number where no network is used', async () => {
  const { collector, prepared } = await aCollector([counting()]);
  const { facts } = await collector.collectLocal(anAddress(), prepared, { countAll: countInSandbox });
  expect(facts).toEqual({ 'counting.seen': 1 });
  const { unknown } = await collector.collectLocal(anAddress(), prepared);
  expect(unknown).toEqual({ 'counting.seen': 'not_run' });
});

it('that fails makes the facts unknown, names the provider as degraded, and fails no check', async () => {
  const { collector, prepared, warnings } = await aCollector([counting(), aLocalProvider('other')]);
  const failing: CountAll = () => Promise.reject(new Error('away'));
  expect(await collector.collect(anAddress(), prepared, failing)).toMatchObject({
    facts: { 'counting.seen': null, 'other.seen': true },
    unknown: { 'counting.seen': 'error' },
    degraded: ['counting'],
  });
  expect(warnings).toEqual([{ provider: 'counting', message: 'checks cannot be counted' }]);
});

it('that cannot reach the counters does the same without a log line, because the counters log it', async () => {
  const { collector, prepared, warnings } = await aCollector([counting()]);
  const away: CountAll = () => Promise.reject(new AppError('unavailable'));
  expect(await collector.collect(anAddress(), prepared, away)).toMatchObject({
    unknown: { 'counting.seen': 'error' },
    degraded: ['counting'],
  });
  expect(warnings).toEqual([]);
});

it.each<[string, Local]>([
  [
    'throws',
    {
      counts: () => {
        throw new Error('bug');
      },
    },
  ],
  ['counts for a fact of another', { counts: () => [{ facts: { 'other.seen': '1h' }, text: 'x' }] }],
  ['names no window', { counts: () => [{ facts: { 'counting.seen': '2h' as never }, text: 'x' }] }],
  ['names no fact', { counts: () => [{ facts: {}, text: 'x' }] }],
  [
    'counts values that are no text',
    { counts: () => [{ facts: { 'counting.seen': '1h' }, text: 'x', distinct: 7 as never }] },
  ],
  [
    'counts more than 16 texts',
    {
      counts: () =>
        Array.from({ length: 17 }, (_, n) => ({ facts: { 'counting.seen': '1h' }, text: `${n}` }) as const),
    },
  ],
])('a provider that %s is unknown, and the others are counted', async (_case, broken) => {
  const { collector, prepared, warnings } = await aCollector([
    counting('counting', broken),
    counting('sound'),
  ]);
  expect(await collector.collect(anAddress(), prepared, aCounter().countAll)).toMatchObject({
    facts: { 'counting.seen': null, 'sound.seen': 1 },
    unknown: { 'counting.seen': 'error' },
    degraded: ['counting'],
  });
  expect(warnings).toHaveLength(1);
});

it('runs last: a provider that needs its facts stops the start', () => {
  const late = aLocalProvider('late', { needs: ['counting.seen'] });
  expect(() => planCollection([counting(), late])).toThrow(
    'provider "late": needs facts of "counting", which counts and so is asked last',
  );
});
