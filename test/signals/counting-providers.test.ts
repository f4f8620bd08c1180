import { expect, it } from 'vitest';
import { type Counters, unknown } from '../../src/provider-kit/index.ts';
import { anAddress } from '../support/addresses.ts';
import { aCollector, aFact, aLocalProvider, aNetworkProvider } from '../support/providers.ts';

const counting = (more: Parameters<typeof aLocalProvider>[1] = {}) =>
  aLocalProvider('counting', {
    uses: ['counters'],
    facts: [aFact('counting.seen', { type: 'integer', example: 1 })],
    check: ({ domain }, { counters }) =>
      counters
        ? { facts: { 'counting.seen': counters.count('counting.seen', domain, '1h') } }
        : unknown('not_run'),
    ...more,
  });

/** Says its turn. */
function aTurnCounter(): Counters & { turn: number } {
  return {
    turn: 0,
    count() {
      return ++this.turn;
    },
  };
}

it('gives the counters of each check to who uses them, and asks anew each time', async () => {
  const { collector, prepared } = await aCollector([counting()]);
  const counters = aTurnCounter();
  for (const turn of [1, 2, 3]) {
    const signals = await collector.collect(anAddress(), prepared, counters);
    expect(signals.facts['counting.seen']).toBe(turn);
  }
  expect((await collector.collect(anAddress(), prepared, aTurnCounter())).facts['counting.seen']).toBe(1);
});

it('gives them to who needs what a look-up tells, beside its needs', async () => {
  const late = counting({
    needs: ['net.seen'],
    check: (_address, { counters, needs }) => ({
      facts: {
        'counting.seen': needs['net.seen'] === true ? (counters?.count('x.y', 'text', '24h') ?? -1) : -2,
      },
    }),
  });
  const { collector, prepared } = await aCollector([late, aNetworkProvider('net')]);
  const signals = await collector.collect(anAddress(), prepared, aTurnCounter());
  expect(signals.facts['counting.seen']).toBe(1);
});

it('gives none where nothing is counted, and none to who does not name them', async () => {
  const { collector, prepared } = await aCollector([
    counting(),
    { ...counting({ uses: [] }), id: 'other', facts: [aFact('other.seen')] },
  ]);
  expect(await collector.collect(anAddress(), prepared)).toMatchObject({
    facts: { 'counting.seen': null },
    unknown: { 'counting.seen': 'not_run' },
    degraded: [],
  });
  expect((await collector.collect(anAddress(), prepared, aTurnCounter())).unknown).toEqual({
    'other.seen': 'not_run',
  });
});
