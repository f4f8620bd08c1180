import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  FRESH_MS,
  InsightsQueue,
  type InsightsQueueOptions,
  MOST_OF_ONE,
  MOST_WAITING,
} from '../../src/insights/insights-queue.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { ordinaryFacts } from '../../src/rules/described-facts.ts';
import { explainDecision } from '../../src/rules/explain-decision.ts';
import { catalogue } from '../rules/catalogue.ts';
import { compile, group, is, points, when } from '../rules/rules-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { PROVIDER_OF, someRecords } from './records.ts';

const DAY = { since: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z' };
const OTHER_DAY = { since: '2026-11-21T00:00:00.000Z', until: '2026-11-22T00:00:00.000Z' };

const BUSY = { code: 'busy', retryAfterMs: 2_000 };
const refusal = (text: string) => ({ ...BUSY, details: [{ message: expect.stringContaining(text) }] });

function aQueue(options: Partial<InsightsQueueOptions>) {
  const now = { ms: 0 };
  const kept: unknown[] = [];
  const queue = new InsightsQueue({
    file: '/nonexistent/postern.db',
    providerOf: PROVIDER_OF,
    hours: { keep: async (hours) => void kept.push(...hours) },
    clock: { now: () => now.ms },
    log: createLogger('silent'),
    ...options,
  });
  onTestFinished(() => queue.close());
  return { queue, now, kept };
}

/** Another program: `text` says what comes of a message `m`, which is the `n`th; `answer` sends. */
function aProgram(text: string): URL {
  const file = join(temporaryDirectory(), 'program.mjs');
  writeFileSync(
    file,
    `let n = 0;
     const answer = (answer, isAnswered = true, fresh = [], isFinal = true) =>
       process.send({ output: { answer, isAnswered, fresh, isFinal } });
     process.on('message', ({ input: m }) => { if (m === undefined) return; n += 1; ${text} });
     process.on('disconnect', () => process.exit());`,
  );
  return pathToFileURL(file);
}

describe('InsightsQueue', () => {
  it('reads in a process of its own, which is not there before it is asked', async () => {
    const records = await someRecords();
    await records.add({ id: 'chk_1', action: 'BLOCK', risk_level: 'high' });
    const { queue } = aQueue({ file: records.file, hours: records.storage.checkHours });
    expect(queue.pid).toBeUndefined();
    const [overview, found, one] = await Promise.all([
      queue.ask('overview', DAY),
      queue.ask('search', { limit: 5 }),
      queue.ask('check', { id: 'chk_1' }),
    ]);
    expect(queue.pid).not.toBe(process.pid);
    expect(overview.decisions.BLOCK.high).toBe(1);
    expect(found.checks.map(({ id }) => id)).toEqual(['chk_1']);
    expect(one?.row.id).toBe('chk_1');
    expect(records.hours()).toEqual(['2026-11-20T10']);
  });

  it('explains there what rules make of facts, which comes to what it does here', async () => {
    const records = await someRecords();
    const { queue } = aQueue({ file: records.file });
    const facts = { ...ordinaryFacts(catalogue), 'domain.is_known_disposable': true };
    const ruleSet = compile({
      'group.yaml': group('group', {
        disposable: `${points(50)}, ${when(is('domain.is_known_disposable', true))}`,
        mail: `${points(20)}, ${when(is('domain.has_mx', false))}`,
      }),
    });
    const explained = await queue.ask('explain', { ruleSet, known: catalogue.facts, facts });
    expect(explained).toEqual(await explainDecision(ruleSet, catalogue.facts, facts));
    expect(explained.outlook.flips.map(({ changes }) => changes)).toEqual([{ 'domain.has_mx': false }]);
  });

  it('says why it cannot read', async () => {
    const { queue } = aQueue({});
    await expect(queue.ask('overview', DAY)).rejects.toThrow('unable to open database file');
  });

  it('answers the same question once for all who ask it, until the answer is some seconds old', async () => {
    const { queue, now } = aQueue({ entry: aProgram('answer(n)') });
    expect(await Promise.all([queue.ask('overview', DAY), queue.ask('overview', DAY)])).toEqual([1, 1]);
    now.ms = FRESH_MS - 1;
    expect([await queue.ask('overview', DAY), await queue.ask('overview', OTHER_DAY)]).toEqual([1, 2]);
    now.ms = FRESH_MS;
    expect(await queue.ask('overview', DAY)).toBe(3);
  });

  it('keeps no answer that another one goes beyond', async () => {
    const { queue } = aQueue({ entry: aProgram(`answer(n, true, ['hour ' + n], n > 2)`) });
    const asked = [1, 2, 3, 4].map(() => () => queue.ask('overview', DAY));
    const answers: unknown[] = [];
    for (const ask of asked) answers.push(await ask());
    expect(answers).toEqual([1, 2, 3, 3]);
  });

  it('keeps no failure, and no search', async () => {
    const { queue } = aQueue({
      entry: aProgram(`n === 1 ? process.send({ failure: { message: 'first' } }) : answer(n)`),
    });
    await expect(queue.ask('overview', DAY)).rejects.toThrow('first');
    expect(await queue.ask('overview', DAY)).toBe(2);
    expect([await queue.ask('search', { limit: 1 }), await queue.ask('search', { limit: 1 })]).toEqual([
      3, 4,
    ]);
  });

  it('lets a short question in between two turns of a long one, and stores what each turn counted', async () => {
    const { queue, kept } = aQueue({
      entry: aProgram(
        `m.kind === 'overview' ? answer('turn ' + n, n > 2, ['hour ' + n]) : answer('short ' + n)`,
      ),
    });
    const long = queue.ask('overview', DAY);
    expect(await queue.ask('search', { limit: 1 })).toBe('short 2');
    expect(await long).toBe('turn 3');
    expect(kept).toEqual(['hour 1', 'hour 3']);
  });

  it('goes on where what was counted cannot be stored', async () => {
    const { queue } = aQueue({
      entry: aProgram(`answer(n, n > 1, ['hour'])`),
      hours: { keep: () => Promise.reject(new Error('no room on the disk')) },
    });
    expect(await queue.ask('overview', DAY)).toBe(2);
  });

  it('gives up a long question when the last who asked has left, not before', async () => {
    const { queue } = aQueue({ entry: aProgram(`answer(n, m.kind !== 'overview' || n > 3)`) });
    const [one, other] = [new AbortController(), new AbortController()];
    const first = queue.ask('overview', DAY, { signal: one.signal });
    const second = queue.ask('overview', DAY, { signal: other.signal });
    one.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    expect(await second).toBe(4);
    const third = queue.ask('overview', OTHER_DAY, { signal: one.signal });
    await expect(third).rejects.toThrow('left');
    const left = new AbortController();
    const waits = [
      queue.ask('search', { limit: 1 }),
      queue.ask('search', { limit: 2 }, { signal: left.signal }),
    ];
    left.abort(new Error('left too'));
    await expect(waits[1]).rejects.toThrow('left too');
    // What nobody waits for is not read: this is the next.
    expect([await waits[0], await queue.ask('search', { limit: 3 })]).toEqual([5, 6]);
  });

  it('reads once for all who wait for the same search, unless its reading has begun', async () => {
    const { queue } = aQueue({ entry: aProgram('answer(n)') });
    const [begun, ...waits] = [1, 2, 3].map(() => queue.ask('search', { limit: 1 }));
    expect([await begun, ...(await Promise.all(waits))]).toEqual([1, 2, 2]);
  });

  it('lets so many wait and no more', async () => {
    const { queue } = aQueue({ entry: aProgram('answer(n)') });
    const asked = Array.from({ length: MOST_WAITING + 1 }, (_, limit) => queue.ask('search', { limit }));
    await expect(queue.ask('search', { limit: -1 })).rejects.toMatchObject(BUSY);
    expect(await Promise.all(asked)).toHaveLength(MOST_WAITING + 1);
    expect(await queue.ask('search', { limit: -1 })).toBe(MOST_WAITING + 2);
  });

  it('lets one person take some places and no more, so that others find theirs', async () => {
    const { queue } = aQueue({ entry: aProgram('answer(n)') });
    const ask = (limit: number, personId: string) => queue.ask('search', { limit }, { personId });
    const leaving = new AbortController();
    const asked = Array.from({ length: MOST_OF_ONE - 1 }, (_, limit) => ask(limit, 'per_1'));
    const left = queue.ask('search', { limit: 98 }, { personId: 'per_1', signal: leaving.signal });
    await expect(ask(99, 'per_1')).rejects.toMatchObject(
      refusal(`${MOST_OF_ONE} of your own questions wait already`),
    );
    asked.push(ask(99, 'per_2'));
    // What is read anyway takes no place.
    asked.push(ask(99, 'per_1'));
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await expect(ask(97, 'per_1')).rejects.toMatchObject(BUSY);
    await Promise.all(asked);
    expect(await ask(97, 'per_1')).toBe(MOST_OF_ONE + 1);
  });

  it('lets in what goes on with something begun, however many wait, and counts it as nobody’s', async () => {
    const { queue } = aQueue({ entry: aProgram('answer(n)') });
    let limit = 0;
    const ask = (personId: string, goesOn = false) =>
      queue.ask('search', { limit: ++limit }, { personId, goesOn });
    const askAll = (length: number, personId: string) => Array.from({ length }, () => ask(personId));
    const asked = [ask('per_1', true), ask('per_1', true), ...askAll(MOST_OF_ONE, 'per_1')];
    await expect(ask('per_1')).rejects.toMatchObject(refusal('of your own questions'));
    for (let left = MOST_WAITING - MOST_OF_ONE - 1; left > 0; left -= 1) asked.push(ask(`per_${left + 1}`));
    await expect(ask('per_0')).rejects.toMatchObject(refusal('of several people'));
    asked.push(ask('per_1', true));
    expect(await Promise.all(asked)).toContain(MOST_WAITING + 2);
  });

  it('breaks off what takes too long, and begins anew with the next', async () => {
    const { queue } = aQueue({
      entry: aProgram(`if (m.question.limit !== 1) answer(n)`),
      limitMs: 2_500,
    });
    const [stuck, next] = [queue.ask('search', { limit: 1 }), queue.ask('search', { limit: 2 })];
    await expect(stuck).rejects.toMatchObject({
      ...BUSY,
      details: [{ message: 'records were not read within 2.5 s' }],
    });
    expect(await next).toBe(1);
  });

  it('tells of a process that fell, and starts another', async () => {
    const { queue } = aQueue({
      entry: aProgram(`m.question.limit === 1 ? process.exit(3) : answer(n)`),
    });
    const [lost, next] = [queue.ask('search', { limit: 1 }), queue.ask('search', { limit: 2 })];
    await expect(lost).rejects.toMatchObject({
      ...BUSY,
      details: [{ message: 'the process that reads records ended with 3 before it answered' }],
    });
    expect(await next).toBe(1);
  });

  it('ends the process when nobody has asked for a while', async () => {
    const { queue } = aQueue({ entry: aProgram('answer(n)'), idleMs: 1 });
    await queue.ask('search', { limit: 1 });
    await expect.poll(() => queue.pid).toBeUndefined();
  });

  it('rejects what waits when it is closed, and all that is asked after', async () => {
    const { queue } = aQueue({ entry: aProgram('') });
    const asked = [queue.ask('search', { limit: 1 }), queue.ask('overview', DAY)];
    const rejected = Promise.all(asked.map((answer) => expect(answer).rejects.toThrow()));
    await queue.close();
    await rejected;
    await expect(queue.ask('overview', DAY)).rejects.toThrow('closed');
    expect(queue.pid).toBeUndefined();
  });
});
