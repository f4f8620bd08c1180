import { describe, expect, it } from 'vitest';
import { aMailWorld, aStore, DAY_MS, T0, YES } from '../../test/support/catch-all-world.ts';

describe('the daily budget', () => {
  it('stops the probes of one registered domain and of all names below it until the next UTC day', async () => {
    const { ask, reply, pass, asked } = await aMailWorld({ daily_probes_per_domain: 2 });
    for (const domain of ['a.firm.co.uk', 'b.firm.co.uk']) {
      await ask(domain);
      await reply(YES);
    }
    await ask('c.firm.co.uk');
    await ask('firm.co.uk');
    expect(asked).toHaveLength(2);
    // Another registered domain under the same public suffix.
    await ask('other.co.uk');
    expect(asked).toHaveLength(3);
    pass(DAY_MS / 2);
    await ask('c.firm.co.uk');
    expect(asked).toHaveLength(4);
  });

  it('stops all probes once the total is used up, and logs that once a day', async () => {
    const { ask, pass, asked, warnings } = await aMailWorld({ daily_probes: 3 });
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => ask(`${name}.example`)));
    expect(asked).toHaveLength(3);
    expect(warnings).toEqual([expect.stringContaining('daily budget')]);
    pass(DAY_MS);
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ask(`${name}2.example`)));
    expect(asked).toHaveLength(6);
    expect(warnings).toHaveLength(2);
  });

  it.each([{ daily_probes: 0 }, { daily_probes_per_domain: 0 }])('of %j allows no probe', async (budget) => {
    const { ask, asked } = await aMailWorld({ ...budget, mode: 'live' });
    expect(await ask('firm.example')).toEqual({
      unknown: 'not_run',
      detail: 'the daily budget is used up',
    });
    expect(asked).toEqual([]);
  });

  it('is not reset by a restart or a reload', async () => {
    const store = aStore({ now: () => T0 });
    const first = await aMailWorld({ store, daily_probes: 2 });
    await first.ask('a.example');
    await first.reload();
    await first.ask('b.example');
    await first.ask('c.example');
    expect(first.asked).toHaveLength(2);
    const second = await aMailWorld({ store, daily_probes: 2 });
    await second.ask('d.example');
    expect(second.asked).toEqual([]);
  });

  it('is shared by all instances over one store', async () => {
    const store = aStore({ now: () => T0 });
    const [one, other] = [
      await aMailWorld({ store, daily_probes: 4 }),
      await aMailWorld({ store, daily_probes: 4 }),
    ];
    for (const name of ['a', 'b', 'c', 'd']) {
      await one.ask(`${name}1.example`);
      await other.ask(`${name}2.example`);
    }
    expect([one.asked.length, other.asked.length]).toEqual([2, 2]);
  });

  it('counts as used up when it cannot be counted', async () => {
    const store = { get: async () => undefined, set: () => Promise.reject(new Error('disk full')) };
    const { ask, asked } = await aMailWorld({ store, mode: 'live' });
    expect(await ask('firm.example')).toMatchObject({ unknown: 'not_run' });
    expect(asked).toEqual([]);
  });
});
