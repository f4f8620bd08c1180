import { describe, expect, it } from 'vitest';
import { aMailWorld, aStore, NO, T0, YES } from '../../test/support/catch-all-world.ts';
import { LIFE_SECONDS, readVerdict, writeVerdict } from './verdict.ts';

const BEING_ASKED = { unknown: 'not_run', detail: 'being asked' };

describe('a stored result', () => {
  it.each([
    ['yes', YES, LIFE_SECONDS.yes],
    ['no', NO, LIFE_SECONDS.no],
    ['unknown', { outcome: 'deferred', code: 450 } as const, LIFE_SECONDS.unknown],
  ])('is valid for the lifetime of its state: %s', async (_state, answer, seconds) => {
    const { ask, reply, pass, asked } = await aMailWorld();
    await ask('firm.example');
    await reply(answer);
    pass(seconds * 1000 - 1);
    expect(await ask('firm.example')).not.toEqual(BEING_ASKED);
    pass(1);
    expect(await ask('firm.example')).toEqual(BEING_ASKED);
    expect(asked).toHaveLength(2);
  });

  it('is valid for days where the host answered, and for hours where it is unknown', () => {
    expect([LIFE_SECONDS.yes / 86_400, LIFE_SECONDS.no / 86_400, LIFE_SECONDS.unknown / 3_600]).toEqual([
      7, 7, 4,
    ]);
  });

  it('gets a cache lifetime that ends when the stored result expires', async () => {
    const { ask, reply, pass } = await aMailWorld({ ttlSeconds: 3_600 });
    await ask('firm.example');
    await reply(YES);
    pass((LIFE_SECONDS.yes - 60) * 1000);
    expect(await ask('firm.example')).toMatchObject({ ttlSeconds: 60 });
  });

  it('is valid for the same exchanges in any order, and for no other set', async () => {
    const { ask, reply, moveMail, asked } = await aMailWorld({
      mx: { 'firm.example': ['a.example', 'b.example'] },
    });
    await ask('firm.example');
    await reply(YES);
    moveMail('firm.example', ['b.example', 'a.example']);
    expect(await ask('firm.example')).toMatchObject({ facts: { 'domain.is_catch_all': true } });
    moveMail('firm.example', ['a.example']);
    expect(await ask('firm.example')).toEqual(BEING_ASKED);
    await reply(NO);
    expect(await ask('firm.example')).toMatchObject({ facts: { 'domain.is_catch_all': false } });
    // The result of the first set of exchanges is still stored.
    moveMail('firm.example', ['a.example', 'b.example']);
    expect(await ask('firm.example')).toMatchObject({ facts: { 'domain.is_catch_all': true } });
    expect(asked).toHaveLength(2);
  });

  it('survives a restart of the process', async () => {
    const clock = { now: () => T0 };
    const store = aStore(clock);
    const first = await aMailWorld({ store });
    await first.ask('firm.example');
    await first.reply(NO);
    const second = await aMailWorld({ store });
    expect(await second.ask('firm.example')).toMatchObject({ facts: { 'domain.is_catch_all': false } });
    expect(second.asked).toEqual([]);
  });

  it('contains no domain in clear text', async () => {
    const store = aStore({ now: () => T0 });
    const { ask, reply } = await aMailWorld({ store });
    await ask('firm.example');
    await reply(NO);
    expect(store.values.size).toBe(3);
    expect(JSON.stringify([...store.values])).not.toContain('firm');
  });

  it.each([
    '',
    'null',
    '{}',
    '{"outcome":"maybe","reply":"","at":1}',
    '{"outcome":"timeout","reply":1,"at":1}',
  ])('is ignored when it is %j', (text) => expect(readVerdict(text)).toBeUndefined());

  it('is read as it was written', () => {
    const verdict = { state: 'no', outcome: 'no_such_mailbox', reply: '550 5.1.1', at: T0 } as const;
    expect(readVerdict(writeVerdict(verdict))).toEqual(verdict);
  });

  it('that cannot be stored is logged once, the domain is asked again, and no check fails', async () => {
    const values = aStore({ now: () => T0 });
    const store = {
      get: values.get,
      set: async (key: string, ...rest: [string, number]) => {
        if (key.startsWith('verdict')) throw new Error('disk full');
        await values.set(key, ...rest);
      },
    };
    const { ask, reply, asked, warnings } = await aMailWorld({ store, mode: 'live' });
    const answer = ask('firm.example');
    await new Promise((resolve) => setImmediate(resolve));
    await reply(YES);
    expect(await answer).toMatchObject({ facts: { 'domain.is_catch_all': true } });
    expect(warnings).toEqual([expect.stringContaining('could not be kept')]);
    void ask('firm.example');
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toHaveLength(2);
  });
});
