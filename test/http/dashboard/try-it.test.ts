import { createSecretKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ActivePolicy } from '../../../src/checks/active-policy.ts';
import { RolloutBuckets } from '../../../src/checks/assessor.ts';
import { RulesDirectory } from '../../../src/checks/rules-directory.ts';
import { TryIt } from '../../../src/checks/try-it.ts';
import { TRY_IT, TrialLimits } from '../../../src/http/dashboard/areas/try-it.route.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { noMetrics } from '../../../src/observability/metrics.ts';
import { hashAddress } from '../../../src/privacy/address-privacy.ts';
import { bucketOf, bucketsInside } from '../../../src/rules/rollout.ts';
import { DECISION, group, is, points, when } from '../../rules/rules-directory.ts';
import { aCollector, aFact, aLocalProvider, aNetworkProvider } from '../../support/providers.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { serveArea } from './serve-area.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const KEY = createSecretKey(Buffer.alloc(32, 7));
const ID = 'chk_01KAGG4Z3M6K1V2J8T5W7Q9XYB';

/** `mx` waits until the test releases it; 80 points where the domain has none, for all people or for a part of them. */
async function start(rollout = '') {
  const dir = temporaryDirectory();
  writeFileSync(join(dir, 'decision.yaml'), DECISION);
  const rule = `${points(80)}, ${rollout}${when(is('mx.has', false))}`;
  writeFileSync(join(dir, 'a.yaml'), group('a', { no_mx: rule }));
  const mx = Promise.withResolvers<void>();
  const check = vi.fn(async () => {
    await mx.promise;
    return { facts: { 'mx.has': false } };
  });
  const { collector } = await aCollector([
    aLocalProvider('list', {
      facts: [aFact('list.kind', { type: 'string', values: ['a', 'b'], never_unknown: true })],
      check: () => ({
        facts: { 'list.kind': 'a' },
        evidence: { list: 'deny', reason: 'A ring.', owner: 'risk' },
      }),
    }),
    aNetworkProvider('mx', { facts: [aFact('mx.has')], check }),
  ]);
  const clock = { now: () => NOON };
  const log = createLogger('silent');
  const policies = await ActivePolicy.open({
    ...{
      source: new RulesDirectory(dir),
      challengerSource: null,
      providerOptions: {},
      collector,
      clock,
      log,
      metrics: noMetrics,
    },
    downloads: async () => [],
  });
  onTestFinished(() => policies.close());
  const buckets = new RolloutBuckets();
  buckets.open(KEY);
  const tryIt = new TryIt(collector, policies, clock, buckets);
  const services = { tryIt, nextId: () => ID, collector, deadlineMs: 500, limits: new TrialLimits() };
  const ask = await serveArea(TRY_IT, services);
  return { ask, mx, check, tryIt };
}
/** Without the intermediate decisions, of which there are more or fewer depending on the speed of the machine. */
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event !== 'so_far');

describe('trying an address', () => {
  it('streams each step as it happens, and ends with the decision and the answer that /v1 would have given', async () => {
    const { ask, mx } = await start();
    mx.resolve();
    const { status, text, header } = await ask('analyst', 'POST', '/try-it', { email: 'Jane+x@gmail.com' });
    expect([status, header('content-type')]).toEqual([200, 'application/jsonl']);
    const [begun, list, found, decided, ...more] = linesOf(text);
    expect(more).toEqual([]);
    expect(begun).toMatchObject({
      ...{ event: 'begun', email: 'Jane+x@gmail.com', canonical: 'jane@gmail.com', deadline_ms: 500 },
      providers: [
        { id: 'list', stage: 'local' },
        { id: 'mx', stage: 'network' },
      ],
    });
    expect(list).toMatchObject({
      ...{ event: 'answer', provider: 'list', outcome: 'known', facts: { 'list.kind': 'a' } },
      evidence: { list: 'deny', reason: 'A ring.', owner: 'risk' },
    });
    expect(found).toMatchObject({ provider: 'mx', facts: { 'mx.has': false }, unknown: {}, evidence: null });
    expect(decided).toMatchObject({
      ...{ event: 'decided', facts: { 'list.kind': 'a', 'mx.has': false }, degraded: [] },
      decision: { action: 'BLOCK', risk_score: 80, risk_level: 'high' },
      response: {
        ...{ id: ID, created_at: '2026-11-20T12:00:00.000Z' },
        ...{ summary: { action: 'BLOCK', risk_score: 80, risk_level: 'high' } },
        normalized: { canonical: 'jane@gmail.com', subaddress: 'x' },
      },
    });
    expect(decided.decision.ledger.map(({ kind }: { kind: string }) => kind)).toEqual([
      'rule',
      'level',
      'action',
    ]);
  });

  it('streams the decision on what is known so far, before any other provider has answered', async () => {
    const { tryIt, mx } = await start();
    const told: string[] = [];
    for await (const event of tryIt.begin('jane@gmail.com').events) {
      if (event.event === 'so_far') mx.resolve();
      told.push(
        event.event === 'answer'
          ? event.provider
          : `${event.event} ${event.decision.action} ${event.decision.score}`,
      );
    }
    expect([told.slice(0, 3), told.at(-1)]).toEqual([['list', 'so_far ALLOW 0', 'mx'], 'decided BLOCK 80']);
  });

  it("hides from members of an account the reasons of the operator's list entries", async () => {
    const { ask, mx } = await start();
    mx.resolve();
    const { text } = await ask('viewer', 'POST', '/try-it', { email: 'jane@gmail.com' });
    expect(linesOf(text)[1]).toMatchObject({ provider: 'list', evidence: { list: 'deny' } });
    expect(text).not.toContain('ring');
  });

  it('refuses a text that is not an address before any provider is asked', async () => {
    const { ask, check } = await start();
    const { status, json } = await ask('viewer', 'POST', '/try-it', { email: 'jane' });
    expect([status, json.error.code, json.error.details[0].fault]).toEqual([
      422,
      'unparseable_email',
      'no_at',
    ]);
    expect(check).not.toHaveBeenCalled();
  });

  it('limits each person to thirty a minute, without affecting other people', async () => {
    const { ask, mx } = await start();
    mx.resolve();
    const statuses = await Promise.all(
      Array.from(
        { length: 31 },
        async () => (await ask('viewer', 'POST', '/try-it', { email: 'a@b.example' })).status,
      ),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await ask('owner', 'POST', '/try-it', { email: 'a@b.example' })).status).toBe(200);
  });

  it('requires a session', async () => {
    const { ask } = await start();
    for (const [method, path, body] of [
      ['GET', '/try-it', undefined],
      ['POST', '/try-it', { email: 'a@b.example' }],
      ['POST', '/try-it/decision', { facts: {} }],
    ] as const) {
      expect((await ask('anonymous', method, path, body)).status).toBe(401);
    }
  });
});

describe('trying an address where a rule is rolled out', () => {
  const PERCENT = 50;
  const sides = new Set(bucketsInside({ percent: PERCENT, salt: 'no_mx' }));
  const bucketOfPerson = (name: string) => bucketOf(hashAddress(KEY, `${name}@b.example`)) ?? '';
  const NAMES = Array.from({ length: 50 }, (_, n) => `jane${n}`);
  const someone = (isInside: boolean) =>
    NAMES.find((name) => sides.has(bucketOfPerson(name)) === isInside) ?? '';

  it('shows the side of the address, during the trial and at its end', async () => {
    const { ask, mx, tryIt } = await start(`rollout: { percent: ${PERCENT} }, `);
    for await (const event of tryIt.begin(`${someone(true)}@b.example`).events) {
      if (event.event !== 'so_far') continue;
      expect(event.rollouts).toEqual([{ rule: 'no_mx', percent: PERCENT, inside: true }]);
      mx.resolve();
    }
    for (const isInside of [true, false]) {
      const { text } = await ask('viewer', 'POST', '/try-it', { email: `${someone(isInside)}@B.example` });
      expect(linesOf(text).at(-1)).toMatchObject({
        decision: {
          action: isInside ? 'BLOCK' : 'ALLOW',
          rollouts: [
            { inside: isInside, told: `${isInside ? 'inside' : 'outside'} the 50 % of its rollout` },
          ],
        },
        facts: { 'rollout.bucket': bucketOfPerson(someone(isInside)) },
      });
    }
  });

  it('keeps the address on its side while its facts are changed', async () => {
    const { ask, mx } = await start(`rollout: { percent: ${PERCENT} }, `);
    mx.resolve();
    for (const isInside of [true, false]) {
      const { text } = await ask('viewer', 'POST', '/try-it', { email: `${someone(isInside)}@b.example` });
      const { facts } = linesOf(text).at(-1);
      const decide = async (changes: object) =>
        (await ask('viewer', 'POST', '/try-it/decision', { facts: { ...facts, ...changes } })).json.decision;
      expect((await decide({ 'list.kind': 'b' })).risk_score).toBe(isInside ? 80 : 0);
      expect((await decide({ 'list.kind': 'b' })).rollouts).toMatchObject([{ inside: isInside }]);
      expect(await decide({ 'mx.has': true })).toMatchObject({ risk_score: 0, rollouts: [] });
    }
  });

  it('skips the rule for facts without a bucket, and refuses an invalid bucket', async () => {
    const { ask } = await start(`rollout: { percent: ${PERCENT} }, `);
    const decide = (more: object) =>
      ask('viewer', 'POST', '/try-it/decision', { facts: { 'list.kind': 'a', 'mx.has': false, ...more } });
    for (const more of [{}, { 'rollout.bucket': null }]) {
      const { decision } = (await decide(more)).json;
      expect(decision.ledger[0]).toMatchObject({ kind: 'stood_aside', unknown: ['rollout.bucket'] });
      expect(decision.rollouts).toMatchObject([{ inside: null }]);
    }
    for (const bucket of ['1000', '-1', '01', '', 'x', 7, true]) {
      const { status, json } = await decide({ 'rollout.bucket': bucket });
      expect([status, json.error?.details], JSON.stringify(bucket)).toEqual([
        400,
        [
          {
            path: 'body/facts/rollout.bucket',
            message: 'rollout.bucket is text of a number from 0 to 999, or null where it is unknown',
          },
        ],
      ]);
    }
  });

  it('accepts a bucket where no rule is rolled out any more, and shows no side', async () => {
    const { ask, mx } = await start();
    mx.resolve();
    const { text } = await ask('viewer', 'POST', '/try-it', { email: 'jane@b.example' });
    expect(Object.keys(linesOf(text).at(-1).facts)).not.toContain('rollout.bucket');
    const facts = { 'list.kind': 'a', 'mx.has': false, 'rollout.bucket': '7' };
    const { json } = await ask('viewer', 'POST', '/try-it/decision', { facts });
    expect(json.decision).toMatchObject({ risk_score: 80, rollouts: [] });
  });
});

describe('trying facts', () => {
  it('names the available facts', async () => {
    const { ask } = await start();
    const { json } = await ask('viewer', 'GET', '/try-it');
    expect(json.facts).toMatchObject([
      { id: 'list.kind', provider: 'list', type: 'string', values: ['a', 'b'], never_unknown: true },
      { id: 'mx.has', provider: 'mx', type: 'boolean', values: [], never_unknown: false, disabled: false },
    ]);
  });

  it('decides on the given facts by the rules in force; missing facts are unknown', async () => {
    const { ask } = await start();
    const score = async (facts: object) =>
      (await ask('viewer', 'POST', '/try-it/decision', { facts: { 'list.kind': 'b', ...facts } })).json
        .decision;
    expect(await score({ 'mx.has': false })).toMatchObject({ action: 'BLOCK', risk_score: 80 });
    expect(await score({ 'mx.has': true })).toMatchObject({ action: 'ALLOW', risk_score: 0 });
    expect((await score({})).ledger).toContainEqual({
      kind: 'stood_aside',
      points: 0,
      id: 'no_mx',
      unknown: ['mx.has'],
    });
  });

  it('describes for every invalid fact what it must be', async () => {
    const { ask } = await start();
    const { status, json } = await ask('viewer', 'POST', '/try-it/decision', {
      facts: { 'mx.has': 3, 'mx.hass': true, __proto__: null },
    });
    expect([status, json.error.code]).toEqual([400, 'invalid_request']);
    expect(json.error.details).toEqual([
      { path: 'body/facts/list.kind', message: 'list.kind is one of a, b; it is never unknown' },
      { path: 'body/facts/mx.has', message: 'mx.has is true or false, or null where it is unknown' },
      { path: 'body/facts/mx.hass', message: 'no provider answers this fact; did you mean mx.has?' },
    ]);
  });

  it('lists twenty faults of hundreds, and compares no long id with others', async () => {
    const { ask } = await start();
    const long = 'mx.has'.padEnd(101, 's');
    const many = Array.from({ length: 300 }, (_, n) => [`${long}${n}`, true]);
    const { json } = await ask('viewer', 'POST', '/try-it/decision', { facts: Object.fromEntries(many) });
    expect(json.error.details).toHaveLength(20);
    expect(json.error.details[1].message).toBe('no provider answers this fact');
  });
});
