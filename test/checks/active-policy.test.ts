import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ActivePolicy } from '../../src/checks/active-policy.ts';
import { readRules } from '../../src/checks/rule-source.ts';
import { RulesDirectory } from '../../src/checks/rules-directory.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import type { Prepared, Setup, SignalProvider } from '../../src/provider-kit/index.ts';
import { DECISION, group, is, points, when } from '../rules/rules-directory.ts';
import { eventually } from '../support/eventually.ts';
import { aCollector, aFact, aLocalProvider } from '../support/providers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
afterEach(() => vi.useRealTimers());

const facts = [aFact('x.seen', { never_unknown: true })];
const rules = (amount: number, expires = '') =>
  group('a', { r: `${points(amount)}, ${when(is('x.seen', true))}${expires && `, expires: ${expires}`}` });

/** A policy over test files and a test clock. */
async function open(
  files: Readonly<Record<string, string>>,
  more: Partial<SignalProvider> = {},
  downloads: Setup['downloads'] = async () => [],
  challenger?: Readonly<Record<string, string>>,
) {
  const dir = temporaryDirectory();
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  for (const [name, text] of Object.entries({ 'decision.yaml': DECISION, ...files })) write(name, text);
  for (const [name, text] of Object.entries({ 'decision.yaml': DECISION, ...challenger })) {
    if (challenger) write(`challenger/${name}`, text);
  }
  let now = NOON;
  const provider = { ...aLocalProvider('x', { facts }), ...more } as SignalProvider;
  const { collector } = await aCollector([provider]);
  const log = createLogger('silent');
  const policy = await ActivePolicy.open({
    source: new RulesDirectory(dir),
    challengerSource: challenger ? new RulesDirectory(join(dir, 'challenger')) : null,
    providerOptions: {},
    collector,
    downloads,
    clock: { now: () => now },
    log,
    metrics: noMetrics,
  });
  const reader = { collector, clock: { now: () => now } };
  return {
    policy,
    log,
    write,
    reload: () => policy.take(() => readRules(new RulesDirectory(dir), reader), 'sighup'),
    reloadChallenger: () =>
      policy.takeChallenger(() => readRules(new RulesDirectory(join(dir, 'challenger')), reader)),
    challengerPoints: () => policy.current.challenger?.ruleSet.points.map((rule) => rule.points),
    removeAll: () => rmSync(dir, { recursive: true }),
    pointsInForce: () => policy.current.ruleSet.points.map((rule) => rule.points),
    async wait(ms: number) {
      now += ms;
      await vi.advanceTimersByTimeAsync(ms);
    },
  };
}

/** Enough iterations of the event loop to read files of a few lines. */
async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await setImmediate();
}

const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

describe('ActivePolicy', () => {
  it('makes a new set when an expiry passes, although the files are missing or broken by then', async () => {
    fakeTimers();
    const { policy, wait, pointsInForce, removeAll } = await open({
      'a.yaml': rules(10, '2026-11-20T13:00:00Z'),
    });
    const before = policy.current.ruleSet.hash;
    expect(pointsInForce()).toEqual([10]);
    removeAll();
    await wait(HOUR_MS + 1);
    await eventually(() => expect(pointsInForce()).toEqual([]));
    expect(policy.current.ruleSet.hash).not.toBe(before);
  });

  it('makes a new set when a start passes, and another when the rule ends', async () => {
    fakeTimers();
    const dates = '2026-11-20T14:00:00Z, starts: 2026-11-20T13:00:00Z';
    const { wait, pointsInForce } = await open({ 'a.yaml': rules(10, dates) });
    expect(pointsInForce()).toEqual([]);
    await wait(HOUR_MS + 1);
    await eventually(() => expect(pointsInForce()).toEqual([10]));
    await wait(HOUR_MS + 1);
    await eventually(() => expect(pointsInForce()).toEqual([]));
  });

  it('uses edited files when it is reloaded, never because time passes', async () => {
    fakeTimers();
    const { policy, write, reload, wait, pointsInForce } = await open({ 'a.yaml': rules(10, '2026-12-20') });
    const first = policy.current;
    write('a.yaml', rules(20, '2026-12-20'));
    for (let day = 0; day < 3; day++) await wait(DAY_MS);
    await manyTurns();
    expect(policy.current).toBe(first);
    await reload();
    expect(pointsInForce()).toEqual([20]);
  });

  it('keeps the old set when a provider fails to prepare', async () => {
    let fails = false;
    const prepare = (): Prepared<undefined> => {
      if (fails) throw new Error('no data');
      return { state: undefined };
    };
    const { write, reload, pointsInForce } = await open({ 'a.yaml': rules(10) }, { prepare });
    fails = true;
    write('a.yaml', rules(20));
    expect(await reload()).toEqual(['provider "x": cannot prepare: no data']);
    expect(pointsInForce()).toEqual([10]);
    fails = false;
    expect(await reload()).toEqual([]);
    expect(pointsInForce()).toEqual([20]);
  });

  it('reloads one at a time, so that a slow older reload cannot replace a newer one', async () => {
    let running = 0;
    let mostAtOnce = 0;
    const prepare = async (): Promise<Prepared<undefined>> => {
      mostAtOnce = Math.max(mostAtOnce, ++running);
      await manyTurns();
      running--;
      return { state: undefined };
    };
    const { write, reload, pointsInForce } = await open({ 'a.yaml': rules(10) }, { prepare });
    write('a.yaml', rules(20));
    const reloads = [reload(), reload()];
    await manyTurns();
    write('a.yaml', rules(30));
    await Promise.all([...reloads, reload()]);
    expect(pointsInForce()).toEqual([30]);
    expect(mostAtOnce).toBe(1);
  });

  it('makes a new challenger when an expiry in it passes, and keeps one without an expiry', async () => {
    fakeTimers();
    const dated = { 'a.yaml': rules(30, '2026-11-20T13:00:00Z') };
    const { policy, wait, challengerPoints } = await open({ 'a.yaml': rules(10) }, {}, undefined, dated);
    const { hash } = policy.current.ruleSet;
    expect(challengerPoints()).toEqual([30]);
    await wait(HOUR_MS + 1);
    await eventually(() => expect(challengerPoints()).toEqual([]));
    expect(policy.current.ruleSet.hash).toBe(hash);

    const lasting = await open({ 'a.yaml': rules(10, '2026-11-20T13:00:00Z') }, {}, undefined, {
      'a.yaml': rules(30),
    });
    const { challenger } = lasting.policy.current;
    await lasting.wait(HOUR_MS + 1);
    await eventually(() => expect(lasting.pointsInForce()).toEqual([]));
    expect(lasting.policy.current.challenger).toBe(challenger);
  });

  it('keeps the rules when the new ones are invalid, and the challenger when the new one is invalid', async () => {
    const { write, reload, reloadChallenger, pointsInForce, challengerPoints } = await open(
      { 'a.yaml': rules(10) },
      {},
      undefined,
      {
        'a.yaml': rules(30),
      },
    );
    write('a.yaml', 'half edi');
    write('challenger/a.yaml', rules(40));
    expect(await reload()).not.toEqual([]);
    await reloadChallenger();
    expect([pointsInForce(), challengerPoints()]).toEqual([[10], [40]]);
    write('a.yaml', rules(20));
    write('challenger/a.yaml', 'half edi');
    expect(await reload()).toEqual([]);
    await reloadChallenger();
    expect([pointsInForce(), challengerPoints()]).toEqual([[20], [40]]);
  });

  it('uses downloaded lists without reading a rule, and keeps what is in force when they cannot be used', async () => {
    let loads = 0;
    const prepare: SignalProvider['prepare'] = async ({ downloads }) => {
      await downloads();
      if (loads === 3) throw new Error('no room');
      return { state: loads };
    };
    const { policy, log, write } = await open({ 'a.yaml': rules(10) }, { prepare }, async () => {
      loads += 1;
      return [];
    });
    const first = policy.current;
    write('a.yaml', 'half edi');
    expect(await policy.reloadDownloads()).toEqual([]);
    const second = policy.current;
    expect(second.providers.byId.get('x')?.context.state).toBe(2);
    expect(first.providers.byId.get('x')?.context.state).toBe(1);
    expect({ ...second, providers: null }).toEqual({ ...first, providers: null });
    const complain = vi.spyOn(log, 'error');
    const faults = ['provider "x": cannot prepare: no room'];
    expect(await policy.reloadDownloads()).toEqual(faults);
    expect(complain.mock.calls).toEqual([[{ faults }, expect.stringMatching(/^lists not reloaded/)]]);
    expect(policy.current).toBe(second);
  });
});
