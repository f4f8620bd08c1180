import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InsightsBusy, InsightsTimeout } from '../../src/insights/insights-queries.ts';
import {
  FRESH_MS,
  InsightsQueue,
  type InsightsQueueOptions,
  MOST_OF_ONE,
  MOST_WAITING,
} from '../../src/insights/insights-queue.ts';
import { ChildExited } from '../../src/jobs/child-dialogue.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { ordinaryFacts } from '../../src/rules/described-facts.ts';
import { explainDecision } from '../../src/rules/explain-decision.ts';
import { catalogue } from '../rules/catalogue.ts';
import { compile, group, is, points, when } from '../rules/rules-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { PROVIDER_OF, someRecords } from './records.ts';

const DAY = { since: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z' };
const OTHER_DAY = { since: '2026-11-21T00:00:00.000Z', until: '2026-11-22T00:00:00.000Z' };

function aRoom(options: Partial<InsightsQueueOptions>) {
  const now = { ms: 0 };
  const kept: unknown[] = [];
  const room = new InsightsQueue({
    file: '/nonexistent/postern.db',
    providerOf: PROVIDER_OF,
    hours: { keep: async (hours) => void kept.push(...hours) },
    clock: { now: () => now.ms },
    log: createLogger('silent'),
    ...options,
  });
  onTestFinished(() => room.close());
  return { room, now, kept };
}

/** Another program: `text` says what comes of a message `m`, which is the `n`th; `answer` sends. */
function aProgram(text: string): URL {
  const file = join(temporaryDirectory(), 'program.mjs');
  writeFileSync(
    file,
    `let n = 0;
     const answer = (answer, isAnswered = true, fresh = [], isFinal = true) =>
       process.send({ turn: { answer, isAnswered, fresh, isFinal } });
     process.on('message', (m) => { if ('file' in m) return; n += 1; ${text} });
     process.on('disconnect', () => process.exit());`,
  );
  return pathToFileURL(file);
}

describe('InsightsQueue', () => {
  it('reads in a process of its own, which is not there before it is asked', async () => {
    const records = await someRecords();
    await records.add({ id: 'chk_1', action: 'BLOCK', risk_level: 'high' });
    const { room } = aRoom({ file: records.file, hours: records.storage.checkHours });
    expect(room.pid).toBeUndefined();
    const [overview, found, one] = await Promise.all([
      room.ask('overview', DAY),
      room.ask('search', { limit: 5 }),
      room.ask('check', { id: 'chk_1' }),
    ]);
    expect(room.pid).not.toBe(process.pid);
    expect(overview.decisions.BLOCK.high).toBe(1);
    expect(found.checks.map(({ id }) => id)).toEqual(['chk_1']);
    expect(one?.row.id).toBe('chk_1');
    expect(records.hours()).toEqual(['2026-11-20T10']);
  });

  it('explains there what rules make of facts, which comes to what it does here', async () => {
    const records = await someRecords();
    const { room } = aRoom({ file: records.file });
    const facts = { ...ordinaryFacts(catalogue), 'domain.is_known_disposable': true };
    const ruleSet = compile({
      'group.yaml': group('group', {
        disposable: `${points(50)}, ${when(is('domain.is_known_disposable', true))}`,
        mail: `${points(20)}, ${when(is('domain.has_mx', false))}`,
      }),
    });
    const explained = await room.ask('explain', { ruleSet, known: catalogue.facts, facts });
    expect(explained).toEqual(await explainDecision(ruleSet, catalogue.facts, facts));
    expect(explained.outlook.flips.map(({ changes }) => changes)).toEqual([{ 'domain.has_mx': false }]);
  });

  it('says why it cannot read', async () => {
    const { room } = aRoom({});
    await expect(room.ask('overview', DAY)).rejects.toThrow('unable to open database file');
  });

  it('answers the same question once for all who ask it, until the answer is some seconds old', async () => {
    const { room, now } = aRoom({ program: aProgram('answer(n)') });
    expect(await Promise.all([room.ask('overview', DAY), room.ask('overview', DAY)])).toEqual([1, 1]);
    now.ms = FRESH_MS - 1;
    expect([await room.ask('overview', DAY), await room.ask('overview', OTHER_DAY)]).toEqual([1, 2]);
    now.ms = FRESH_MS;
    expect(await room.ask('overview', DAY)).toBe(3);
  });

  it('keeps no answer that another one goes beyond', async () => {
    const { room } = aRoom({ program: aProgram(`answer(n, true, ['hour ' + n], n > 2)`) });
    const asked = [1, 2, 3, 4].map(() => () => room.ask('overview', DAY));
    const answers: unknown[] = [];
    for (const ask of asked) answers.push(await ask());
    expect(answers).toEqual([1, 2, 3, 3]);
  });

  it('keeps no failure, and no search', async () => {
    const { room } = aRoom({ program: aProgram(`n === 1 ? process.send({ failure: 'first' }) : answer(n)`) });
    await expect(room.ask('overview', DAY)).rejects.toThrow('first');
    expect(await room.ask('overview', DAY)).toBe(2);
    expect([await room.ask('search', { limit: 1 }), await room.ask('search', { limit: 1 })]).toEqual([3, 4]);
  });

  it('lets a short question in between two turns of a long one, and stores what each turn counted', async () => {
    const { room, kept } = aRoom({
      program: aProgram(
        `m.kind === 'overview' ? answer('turn ' + n, n > 2, ['hour ' + n]) : answer('short ' + n)`,
      ),
    });
    const long = room.ask('overview', DAY);
    expect(await room.ask('search', { limit: 1 })).toBe('short 2');
    expect(await long).toBe('turn 3');
    expect(kept).toEqual(['hour 1', 'hour 3']);
  });

  it('goes on where what was counted cannot be stored', async () => {
    const { room } = aRoom({
      program: aProgram(`answer(n, n > 1, ['hour'])`),
      hours: { keep: () => Promise.reject(new Error('no room on the disk')) },
    });
    expect(await room.ask('overview', DAY)).toBe(2);
  });

  it('gives up a long question when the last who asked has left, not before', async () => {
    const { room } = aRoom({ program: aProgram(`answer(n, m.kind !== 'overview' || n > 3)`) });
    const [one, other] = [new AbortController(), new AbortController()];
    const first = room.ask('overview', DAY, { signal: one.signal });
    const second = room.ask('overview', DAY, { signal: other.signal });
    one.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    expect(await second).toBe(4);
    const third = room.ask('overview', OTHER_DAY, { signal: one.signal });
    await expect(third).rejects.toThrow('left');
    const left = new AbortController();
    const waits = [
      room.ask('search', { limit: 1 }),
      room.ask('search', { limit: 2 }, { signal: left.signal }),
    ];
    left.abort(new Error('left too'));
    await expect(waits[1]).rejects.toThrow('left too');
    // What nobody waits for is not read: this is the next.
    expect([await waits[0], await room.ask('search', { limit: 3 })]).toEqual([5, 6]);
  });

  it('reads once for all who wait for the same search, unless its reading has begun', async () => {
    const { room } = aRoom({ program: aProgram('answer(n)') });
    const [begun, ...waits] = [1, 2, 3].map(() => room.ask('search', { limit: 1 }));
    expect([await begun, ...(await Promise.all(waits))]).toEqual([1, 2, 2]);
  });

  it('lets so many wait and no more', async () => {
    const { room } = aRoom({ program: aProgram('answer(n)') });
    const asked = Array.from({ length: MOST_WAITING + 1 }, (_, limit) => room.ask('search', { limit }));
    await expect(room.ask('search', { limit: -1 })).rejects.toBeInstanceOf(InsightsBusy);
    expect(await Promise.all(asked)).toHaveLength(MOST_WAITING + 1);
    expect(await room.ask('search', { limit: -1 })).toBe(MOST_WAITING + 2);
  });

  it('lets one person take some places and no more, so that others find theirs', async () => {
    const { room } = aRoom({ program: aProgram('answer(n)') });
    const ask = (limit: number, personId: string) => room.ask('search', { limit }, { personId });
    const leaving = new AbortController();
    const asked = Array.from({ length: MOST_OF_ONE - 1 }, (_, limit) => ask(limit, 'per_1'));
    const left = room.ask('search', { limit: 98 }, { personId: 'per_1', signal: leaving.signal });
    await expect(ask(99, 'per_1')).rejects.toThrow(`${MOST_OF_ONE} of your own questions wait already`);
    asked.push(ask(99, 'per_2'));
    // What is read anyway takes no place.
    asked.push(ask(99, 'per_1'));
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await expect(ask(97, 'per_1')).rejects.toBeInstanceOf(InsightsBusy);
    await Promise.all(asked);
    expect(await ask(97, 'per_1')).toBe(MOST_OF_ONE + 1);
  });

  it('lets in what goes on with something begun, however many wait, and counts it as nobody’s', async () => {
    const { room } = aRoom({ program: aProgram('answer(n)') });
    let limit = 0;
    const ask = (personId: string, goesOn = false) =>
      room.ask('search', { limit: ++limit }, { personId, goesOn });
    const askAll = (length: number, personId: string) => Array.from({ length }, () => ask(personId));
    const asked = [ask('per_1', true), ask('per_1', true), ...askAll(MOST_OF_ONE, 'per_1')];
    await expect(ask('per_1')).rejects.toThrow('of your own questions');
    for (let left = MOST_WAITING - MOST_OF_ONE - 1; left > 0; left -= 1) asked.push(ask(`per_${left + 1}`));
    await expect(ask('per_0')).rejects.toThrow('of several people');
    asked.push(ask('per_1', true));
    expect(await Promise.all(asked)).toContain(MOST_WAITING + 2);
  });

  it('breaks off what takes too long, and begins anew with the next', async () => {
    const { room } = aRoom({
      program: aProgram(`if (m.question.limit !== 1) answer(n)`),
      limitMs: 2_500,
    });
    const [stuck, next] = [room.ask('search', { limit: 1 }), room.ask('search', { limit: 2 })];
    await expect(stuck).rejects.toBeInstanceOf(InsightsTimeout);
    expect(await next).toBe(1);
  });

  it('tells of a process that fell, and starts another', async () => {
    const { room } = aRoom({
      program: aProgram(`m.question.limit === 1 ? process.exit(3) : answer(n)`),
    });
    const [lost, next] = [room.ask('search', { limit: 1 }), room.ask('search', { limit: 2 })];
    await expect(lost).rejects.toThrow(
      new ChildExited('the process that reads records ended with 3 before it answered'),
    );
    expect(await next).toBe(1);
  });

  it('ends the process when nobody has asked for a while', async () => {
    const { room } = aRoom({ program: aProgram('answer(n)'), idleMs: 1 });
    await room.ask('search', { limit: 1 });
    await expect.poll(() => room.pid).toBeUndefined();
  });

  it('rejects what waits when it is closed, and all that is asked after', async () => {
    const { room } = aRoom({ program: aProgram('') });
    const asked = [room.ask('search', { limit: 1 }), room.ask('overview', DAY)];
    const rejected = Promise.all(asked.map((answer) => expect(answer).rejects.toThrow()));
    await room.close();
    await rejected;
    await expect(room.ask('overview', DAY)).rejects.toThrow('closed');
    expect(room.pid).toBeUndefined();
  });
});
