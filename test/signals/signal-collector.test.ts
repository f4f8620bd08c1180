import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { START_PATIENCE_MS, WAIT_TOLD_MS } from '../../src/lib/time.ts';
import { type Answer, unknown } from '../../src/provider-kit/index.ts';
import { tracked } from '../../src/signals/plugin-work.ts';
import { anAddress } from '../support/addresses.ts';
import { aCollector, aFact, aLocalProvider, aNetworkProvider } from '../support/providers.ts';

const never = () => new Promise<Answer>(() => undefined);
const address = anAddress();

beforeEach(() => {
  // setImmediate stays real: it stands for an event-loop iteration, not for time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  // lru-cache treats a start of 0 as "no time to live".
  vi.advanceTimersByTime(1);
});
afterEach(() => vi.useRealTimers());

describe('SignalCollector', () => {
  it('answers every declared fact of every provider, with its timing', async () => {
    const { collect } = await aCollector([aLocalProvider('one'), aNetworkProvider('two')]);
    const signals = await collect(address);
    expect(signals.facts).toEqual({ 'one.seen': true, 'two.seen': true });
    expect(Object.keys(signals.timingsUs).sort()).toEqual(['one', 'two']);
    expect(signals.degraded).toEqual([]);
  });

  it('works with no provider at all', async () => {
    const { collect } = await aCollector([]);
    expect((await collect(address)).facts).toEqual({});
  });

  it('starts network providers concurrently, not one after the other', async () => {
    const started: string[] = [];
    const waiting = (id: string) =>
      aNetworkProvider(id, {
        check: () => {
          started.push(id);
          return never();
        },
      });
    const { collect } = await aCollector([waiting('a'), waiting('b')]);
    const signals = collect(address);
    expect(started).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(500);
    await signals;
  });

  it('answers at the deadline and names the providers that had not answered, in order', async () => {
    const { collect } = await aCollector(
      [
        aNetworkProvider('slow', { check: never }),
        aNetworkProvider('dead', { check: never }),
        aNetworkProvider('quick'),
      ],
      { deadlineMs: 200 },
    );
    let settled = false;
    const signals = collect(address).finally(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(199);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await signals).toMatchObject({
      facts: { 'slow.seen': null, 'dead.seen': null, 'quick.seen': true },
      unknown: { 'slow.seen': 'timeout', 'dead.seen': 'timeout' },
      degraded: ['dead', 'slow'],
    });
  });

  it('names no provider as failed that still waited for what it needs when the deadline passed', async () => {
    const { collect } = await aCollector(
      [aNetworkProvider('slow', { check: never }), aNetworkProvider('waiting', { needs: ['slow.seen'] })],
      { deadlineMs: 200 },
    );
    const signals = collect(address);
    await vi.advanceTimersByTimeAsync(200);
    expect(await signals).toMatchObject({
      unknown: { 'slow.seen': 'timeout', 'waiting.seen': 'not_run' },
      degraded: ['slow'],
    });
  });

  it('ends a provider at its own time-out and fires its abort signal', async () => {
    let aborted = false;
    const provider = aNetworkProvider('slow', {
      timeoutMs: 50,
      check: (_address, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        return never();
      },
    });
    const { collect } = await aCollector([provider]);
    const signals = collect(address);
    await vi.advanceTimersByTimeAsync(50);
    expect((await signals).unknown).toEqual({ 'slow.seen': 'timeout' });
    expect(aborted).toBe(true);
  });

  it.each([
    ['rejects', async () => Promise.reject(new Error('boom'))],
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
  ])('treats a network provider that %s as unknown, and logs it', async (_how, check) => {
    const { collect, warnings } = await aCollector([aNetworkProvider('bad', { check })]);
    expect(await collect(address)).toMatchObject({ unknown: { 'bad.seen': 'error' }, degraded: ['bad'] });
    expect(warnings).toEqual([{ provider: 'bad', message: 'provider failed' }]);
  });

  it('treats a local provider that throws as unknown', async () => {
    const bad = aLocalProvider('bad', {
      check: () => {
        throw new TypeError('boom');
      },
    });
    const { collect, collector, prepared, warnings } = await aCollector([bad]);
    expect(await collect(address)).toMatchObject({ unknown: { 'bad.seen': 'error' }, degraded: ['bad'] });
    expect(warnings).toEqual([{ provider: 'bad', message: 'provider failed' }]);
    // The same for test keys and for checks that send no packet.
    expect(await collector.collectLocal(address, prepared)).toMatchObject({
      unknown: { 'bad.seen': 'error' },
    });
  });

  describe.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'yes'],
    ['no facts', {}],
    ['facts that are null', { facts: null }],
    ['unknown for a reason of its own', { unknown: 'tired' }],
    ['a fact that is unknown for a reason of its own', { facts: { 'bad.seen': { unknown: 'tired' } } }],
  ])('a provider that answers %s', (_what, answer) => {
    // A compiler would refuse these, but plain JavaScript allows them.
    const answers = answer as unknown as Answer;
    const life = { by: 'domain', knownSeconds: 60, unknownSeconds: 60 } as const;
    it.each([
      ['local', aLocalProvider('bad', { check: () => answers })],
      ['network', aNetworkProvider('bad', { check: async () => answers })],
      ['cached', aNetworkProvider('bad', { check: async () => answers, cache: life })],
    ])('is unknown, degraded and logged, and fails no check (%s)', async (_kind, bad) => {
      const { collect, warnings } = await aCollector([bad, aLocalProvider('good')]);
      expect(await collect(address)).toMatchObject({
        facts: { 'bad.seen': null, 'good.seen': true },
        unknown: { 'bad.seen': 'error' },
        degraded: ['bad'],
      });
      expect(warnings.map(({ provider }) => provider)).toEqual(['bad']);
    });
  });

  it('treats a local provider that answers with a promise as unknown, and handles its rejection', async () => {
    const check = (() => Promise.reject(new Error('late'))) as unknown as () => Answer;
    const { collect } = await aCollector([aLocalProvider('bad', { check })]);
    expect(await collect(address)).toMatchObject({ unknown: { 'bad.seen': 'error' }, degraded: ['bad'] });
  });

  it('leaves out evidence that no record can hold, and keeps the facts', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const long = { hosts: Array.from({ length: 400 }, (_, place) => `mx${place}.example`) };
    for (const evidence of [{ big: 1n }, cycle, 'text' as never, ['text'] as never, long]) {
      const check = () => ({ facts: { 'odd.seen': true }, evidence });
      const { collect, warnings } = await aCollector([aLocalProvider('odd', { check })]);
      expect(await collect(address)).toMatchObject({ facts: { 'odd.seen': true }, evidence: {} });
      expect(warnings).toHaveLength(1);
    }
  });

  it('cuts the detail of an unknown at 500 characters', async () => {
    const check = () => unknown('error', 'x'.repeat(501));
    const { collect } = await aCollector([aLocalProvider('odd', { check })]);
    expect((await collect(address)).evidence).toEqual({ odd: { unknown: 'x'.repeat(500) } });
  });

  it('treats not_run for a never unknown fact as a failure', async () => {
    const facts = [aFact('liar.seen', { never_unknown: true })];
    const { collect } = await aCollector([
      aLocalProvider('liar', { facts, check: () => unknown('not_run') }),
    ]);
    expect(await collect(address)).toMatchObject({ unknown: { 'liar.seen': 'error' }, degraded: ['liar'] });
  });

  it('does not list a not_run provider as degraded', async () => {
    const { collect } = await aCollector([aLocalProvider('idle', { check: () => unknown('not_run') })]);
    expect(await collect(address)).toMatchObject({ unknown: { 'idle.seen': 'not_run' }, degraded: [] });
  });

  it('keeps the facts of a disabled provider unknown, not run and not degraded', async () => {
    const { collect } = await aCollector([aLocalProvider('on')], { disabled: [aLocalProvider('off')] });
    expect(await collect(address)).toMatchObject({
      facts: { 'on.seen': true, 'off.seen': null },
      unknown: { 'off.seen': 'not_run' },
      degraded: [],
    });
  });

  it('keeps the known facts of an answer beside an unknown one', async () => {
    const half = aNetworkProvider('half', {
      facts: [aFact('half.known'), aFact('half.lost')],
      check: async () => ({ facts: { 'half.known': true, 'half.lost': unknown('servfail') } }),
    });
    const { collect } = await aCollector([half]);
    expect(await collect(address)).toMatchObject({
      facts: { 'half.known': true, 'half.lost': null },
      unknown: { 'half.lost': 'servfail' },
      degraded: ['half'],
    });
  });

  it.each([
    ['a missing fact', {}, 'did not answer "odd.seen"'],
    [
      'a misspelt fact',
      { 'odd.sene': true },
      'did not answer "odd.seen" provider breaks its declaration: answered 1 fact that it does not declare',
    ],
    [
      'a value of another type',
      { 'odd.seen': 'yes' },
      'answered "odd.seen" with a value that is not of its type: it must be true or false',
    ],
  ])('reports %s against the declaration and treats it as unknown', async (_what, facts, message) => {
    const { collect, warnings } = await aCollector([aLocalProvider('odd', { check: () => ({ facts }) })]);
    expect((await collect(address)).unknown).toEqual({ 'odd.seen': 'error' });
    expect(warnings.map((warning) => warning.message).join(' ')).toContain(message);
  });

  it('reports a promise in place of the answer of a local provider, and what to declare', async () => {
    const check = (async () => ({ facts: { 'odd.seen': true } })) as never;
    const { collect, warnings } = await aCollector([aLocalProvider('odd', { check })]);
    expect((await collect(address)).unknown).toEqual({ 'odd.seen': 'error' });
    expect(warnings.map((warning) => warning.message)).toEqual([
      'provider breaks its declaration: answered a promise, which a local provider may not: declare stage: "network"',
    ]);
  });

  it.each([
    [2.123456, 2.1235],
    [1e305, 1e305],
    [-Number.MAX_VALUE, -Number.MAX_VALUE],
  ])('rounds %d to four decimals, so that a record replays exactly', async (value, rounded) => {
    const facts = [aFact('n.value', { type: 'number', example: 1 })];
    const { collect } = await aCollector([
      aLocalProvider('n', { facts, check: () => ({ facts: { 'n.value': value } }) }),
    ]);
    expect((await collect(address)).facts).toEqual({ 'n.value': rounded });
  });

  it('stores minus zero as 0, as records do', async () => {
    const facts = [
      aFact('n.value', { type: 'number', example: 1 }),
      aFact('n.count', { type: 'integer', example: 1 }),
    ];
    const { collect } = await aCollector([
      aLocalProvider('n', { facts, check: () => ({ facts: { 'n.value': -0.00001, 'n.count': -0 } }) }),
    ]);
    expect((await collect(address)).facts).toEqual({ 'n.value': 0, 'n.count': 0 });
  });

  it('gives a provider the facts it needs, in any order of declaration', async () => {
    const second = aLocalProvider('second', {
      needs: ['first.seen'],
      check: (_address, { needs }) => ({ facts: { 'second.seen': needs['first.seen'] === true } }),
    });
    const { collect } = await aCollector([second, aLocalProvider('first')]);
    expect((await collect(address)).facts['second.seen']).toBe(true);
  });

  it('starts a network provider as soon as its needs are there', async () => {
    const slow = aNetworkProvider('slow', {
      check: () => new Promise((resolve) => setTimeout(() => resolve({ facts: { 'slow.seen': true } }), 100)),
    });
    const needed: unknown[] = [];
    const after = aNetworkProvider('after', {
      needs: ['slow.seen'],
      check: async (_address, { needs }) => {
        needed.push(needs['slow.seen']);
        return { facts: { 'after.seen': true } };
      },
    });
    const { collect } = await aCollector([after, slow, aNetworkProvider('stuck', { check: never })]);
    const signals = collect(address);
    await vi.advanceTimersByTimeAsync(99);
    expect(needed).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(needed).toEqual([true]);
    await vi.advanceTimersByTimeAsync(400);
    await signals;
  });

  it('gives a provider the ports that it names, and no other', async () => {
    let granted: string[] = [];
    const provider = aLocalProvider('modest', {
      uses: ['clock'],
      check: (_address, context) => {
        granted = Object.keys(context);
        return { facts: { 'modest.seen': true } };
      },
    });
    const { collect } = await aCollector([provider]);
    await collect(address);
    expect(granted).toContain('clock');
    expect(granted).not.toContain('dns');
    expect(granted).not.toContain('log');
    expect(granted).not.toContain('smtp');
    expect(granted).not.toContain('store');
  });

  it('gives each provider a store of its own, and the SMTP port where there is one', async () => {
    const probe = async () => ({ outcome: 'all_accepted' }) as const;
    const storeFor = (provider: string) => ({ get: async () => provider, set: async () => undefined });
    const seen: [unknown, unknown][] = [];
    const provider = (id: string) =>
      aLocalProvider(id, {
        uses: ['smtp', 'store'],
        check: (_address, { smtp, store }) => {
          seen.push([store?.get(''), smtp?.probe]);
          return { facts: { [`${id}.seen`]: true } };
        },
      });
    const smtp = { probe };
    await (await aCollector([provider('a'), provider('b')], { ports: { smtp, storeFor } })).collect(address);
    // As in commands.
    await (await aCollector([provider('c')], { ports: { storeFor } })).collect(address);
    expect(await Promise.all(seen.map(async ([name, ask]) => [await name, ask]))).toEqual([
      ['a', probe],
      ['b', probe],
      ['c', undefined],
    ]);
  });

  it('ends by timeout for a provider that never finishes preparing', async () => {
    const endless = aLocalProvider('endless', { prepare: () => new Promise<never>(() => undefined) });
    const refused = expect(aCollector([endless])).rejects.toMatchObject({
      faults: ['provider "endless": cannot prepare: is not ready after 30 seconds'],
    });
    await vi.advanceTimersByTimeAsync(START_PATIENCE_MS);
    await refused;
  });

  it('names each provider that still prepares after five seconds, at a reload too', async () => {
    let isStuck = false;
    const slow = (id: string) =>
      aLocalProvider(id, {
        prepare: () => (isStuck ? new Promise<never>(() => undefined) : { state: undefined }),
      });
    const { collector, warnings } = await aCollector([slow('one'), slow('two'), aLocalProvider('three')]);
    isStuck = true;
    const inputs = { options: {}, thresholds: {}, lists: { allow: [], deny: [] } };
    const refused = expect(collector.prepare(inputs)).rejects.toMatchObject({
      faults: [
        'provider "one": cannot prepare: is not ready after 30 seconds',
        'provider "two": cannot prepare: is not ready after 30 seconds',
      ],
    });
    await vi.advanceTimersByTimeAsync(WAIT_TOLD_MS - 1);
    expect(warnings).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(warnings).toEqual([
      { provider: 'one', message: 'still waiting for provider one: its prepare has not finished' },
      { provider: 'two', message: 'still waiting for provider two: its prepare has not finished' },
    ]);
    await vi.advanceTimersByTimeAsync(START_PATIENCE_MS);
    await refused;
  });

  it('quotes an exception of prepare until the plugin has received an address, and then only its place', async () => {
    let seen: string | undefined;
    const refusing = aLocalProvider('gossip', {
      prepare: () => {
        throw new TypeError('no data');
      },
    });
    await expect(aCollector([tracked(refusing)])).rejects.toMatchObject({
      faults: ['provider "gossip": cannot prepare: no data'],
    });
    const { collector, collect } = await aCollector([
      tracked(
        aLocalProvider('gossip', {
          prepare: () => {
            if (seen !== undefined) throw new TypeError(seen);
            return { state: undefined };
          },
          check: ({ raw }) => {
            seen = raw;
            return { facts: { 'gossip.seen': true } };
          },
        }),
      ),
    ]);
    await collect(address);
    expect(seen).toBe(address.raw);
    const inputs = { options: {}, thresholds: {}, lists: { allow: [], deny: [] } };
    await expect(collector.prepare(inputs)).rejects.toMatchObject({
      faults: [
        expect.stringMatching(
          /^provider "gossip": cannot prepare: TypeError at \/.*signal-collector\.test\.ts:\d+:\d+$/,
        ),
      ],
    });
  });

  it.each([
    ['no list', 'its lists are no list'],
    [[{ name: 'one' }], 'its lists must have a name and a number of entries each'],
    [[{ name: 'one', entries: 'many' }], 'its lists must have a name and a number of entries each'],
    [[{ name: 'one', entries: 1, date: 5 }], 'its lists must have a name and a number of entries each'],
    [[null], 'its lists must have a name and a number of entries each'],
  ])('refuses lists that no page could show: %j', async (lists, message) => {
    const prepare = () => ({ state: undefined, lists: lists as never });
    await expect(aCollector([aLocalProvider('odd', { prepare })])).rejects.toMatchObject({
      faults: [`provider "odd": cannot prepare: ${message}`],
    });
  });

  it('names every provider that could not prepare', async () => {
    const bad = (id: string) =>
      aLocalProvider(id, {
        prepare: () => {
          throw new Error('no data');
        },
      });
    await expect(aCollector([bad('one'), bad('two')])).rejects.toMatchObject({
      faults: ['provider "one": cannot prepare: no data', 'provider "two": cannot prepare: no data'],
    });
  });
});
