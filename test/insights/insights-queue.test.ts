import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InsightsQueue, type InsightsQueueOptions, MOST_WAITING } from '../../src/insights/insights-queue.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { ordinaryFacts } from '../../src/rules/described-facts.ts';
import { explainDecision } from '../../src/rules/explain-decision.ts';
import { MutexJobLock } from '../../src/storage/job-lock.ts';
import type { CheckHour } from '../../src/storage/ports.ts';
import { catalogue } from '../rules/catalogue.ts';
import { compile, group, is, points, when } from '../rules/rules-directory.ts';
import { watchChildren } from '../support/child-processes.ts';
import { describePostgres } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { PROVIDER_OF, somePostgresRecords, someRecords } from './records.ts';

const DAY = { since: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z' };

const BUSY = { code: 'busy', retryAfterMs: 2_000 };

function aQueue(options: Partial<InsightsQueueOptions>) {
  const kept: unknown[] = [];
  const queue = new InsightsQueue({
    url: '/nonexistent/postern.db',
    providerOf: PROVIDER_OF,
    hours: { keep: async (hours) => void kept.push(...hours) },
    jobLock: { runExclusive: (_name, job) => job() },
    log: createLogger('silent'),
    ...options,
  });
  onTestFinished(() => queue.close());
  return { queue, kept };
}

/** Another program: `text` is its code for the `n`th message `m`; `answer` sends. */
function aProgram(text: string): URL {
  const file = join(temporaryDirectory(), 'program.mjs');
  writeFileSync(
    file,
    `let n = 0;
     const answer = (output) => process.send({ output });
     process.on('message', ({ job: kind, input: m }) => { if (m === undefined) return; n += 1; ${text} });
     process.on('disconnect', () => process.exit());`,
  );
  return pathToFileURL(file);
}

describe('InsightsQueue', () => {
  it('reads in a process of its own, which is started by the first question', async () => {
    const records = await someRecords();
    await records.add({ id: 'chk_1', action: 'BLOCK', risk_level: 'high' });
    const children = watchChildren();
    const { queue } = aQueue({ url: records.url, hours: records.storage.checkHours });
    expect(children()).toEqual([]);
    await queue.countHours();
    const [overview, found, one] = await Promise.all([
      queue.ask('overview', DAY),
      queue.ask('search', { limit: 5 }),
      queue.ask('check', { id: 'chk_1' }),
    ]);
    expect(children()).toHaveLength(1);
    expect(overview.blocked).toBe(1);
    expect(found.checks.map(({ id }) => id)).toEqual(['chk_1']);
    expect(one?.row.id).toBe('chk_1');
    expect(await records.hours()).toEqual(['2026-11-20T10']);
  });

  it('counts under the lock that instances share, and waits for it until it is closed at the longest', async () => {
    const jobLock = new MutexJobLock();
    const { queue, kept } = aQueue({ jobLock, entry: aProgram(`answer({ hours: ['hour'], isDone: true })`) });
    const other = Promise.withResolvers<void>();
    const counted = jobLock.runExclusive('hours', () => other.promise);
    const counting = queue.countHours();
    expect(await queue.ask('search', { limit: 1 })).toEqual({ hours: ['hour'], isDone: true });
    expect(kept).toEqual([]);
    queue.close();
    other.resolve();
    await Promise.all([counted, counting]);
    expect(kept).toEqual([]);
  });

  it('explains in that process the decision on facts, with the same result as in this process', async () => {
    const records = await someRecords();
    const { queue } = aQueue({ url: records.url });
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

  it('explains in a new process after the previous one was killed', async () => {
    const records = await someRecords();
    const { queue } = aQueue({ url: records.url });
    const ruleSet = compile({
      'group.yaml': group('group', {
        disposable: `${points(50)}, ${when(is('domain.is_known_disposable', true))}`,
      }),
    });
    const explain = () =>
      queue.ask('explain', { ruleSet, known: catalogue.facts, facts: ordinaryFacts(catalogue) });
    const children = watchChildren();
    const before = await explain();
    const [pid = Number.NaN, ...others] = children();
    expect(others).toEqual([]);
    process.kill(pid, 'SIGKILL');
    await expect.poll(children).toEqual([]);
    expect(await explain()).toEqual(before);
    expect(children()).toHaveLength(1);
    expect(children()).not.toContain(pid);
  });

  it('reports why it cannot read', async () => {
    const { queue } = aQueue({});
    await expect(queue.ask('overview', DAY)).rejects.toThrow('unable to open database file');
  });

  it('reads again for each question', async () => {
    const { queue } = aQueue({ entry: aProgram('answer(n)') });
    expect(await Promise.all([queue.ask('overview', DAY), queue.ask('overview', DAY)])).toEqual([1, 2]);
  });

  it('goes on after a failure', async () => {
    const { queue } = aQueue({
      entry: aProgram(`n === 1 ? process.send({ failure: { message: 'first' } }) : answer(n)`),
    });
    await expect(queue.ask('overview', DAY)).rejects.toThrow('first');
    expect(await queue.ask('overview', DAY)).toBe(2);
  });

  it('counts hours in slices, stores each slice, and answers a short question in between', async () => {
    const { queue, kept } = aQueue({
      entry: aProgram(
        `kind === 'count' ? answer({ hours: ['hour ' + n], isDone: n > 2 }) : answer('short ' + n)`,
      ),
    });
    const counting = queue.countHours();
    // It waits for one slice.
    expect(await queue.ask('search', { limit: 1 })).toBe('short 2');
    await counting;
    expect(kept).toEqual(['hour 1', 'hour 3']);
  });

  it('counts what an answer lacked, once for all who ask', async () => {
    const { queue, kept } = aQueue({
      entry: aProgram(
        `kind === 'count' ? answer({ hours: ['hour ' + n], isDone: true }) : answer({ counted_share: n === 4 ? 1 : 0.5 })`,
      ),
    });
    await Promise.all([queue.ask('overview', DAY), queue.ask('usage', DAY)]);
    await queue.countHours();
    expect(kept).toEqual(['hour 3']);
    await queue.ask('overview', DAY);
    expect(await queue.ask('overview', DAY)).toEqual({ counted_share: 0.5 });
    await queue.countHours();
    expect(kept).toEqual(['hour 3', 'hour 6']);
  });

  it('counts each hour as it ends, without a question', async () => {
    let now = Date.parse('2026-11-20T12:01:59Z');
    let look = (): void => undefined;
    const children = watchChildren();
    const { queue, kept } = aQueue({ entry: aProgram(`answer({ hours: ['hour ' + n], isDone: true })`) });
    queue.begin({ now: () => now }, (_ms, run) => {
      look = run;
      return () => undefined;
    });
    look();
    await queue.countHours();
    look();
    await queue.countHours();
    // The second hour was only counted because it was requested here.
    expect(kept).toEqual(['hour 1', 'hour 2']);
    now += 1_000;
    look();
    expect(children()).toHaveLength(1);
    await queue.countHours();
    expect(kept).toEqual(['hour 1', 'hour 2', 'hour 3']);
  });

  it('answers where counts cannot be stored, logs that, and counts again for the next question', async () => {
    const lines: string[] = [];
    const { queue } = aQueue({
      entry: aProgram(
        `kind === 'count' ? answer({ hours: ['hour'], isDone: false }) : answer({ counted_share: n })`,
      ),
      hours: { keep: () => Promise.reject(new Error('no room on the disk')) },
      log: pino({}, { write: (line: string) => void lines.push(line) }),
    });
    expect(await queue.ask('overview', DAY)).toEqual({ counted_share: 1 });
    await queue.countHours();
    await queue.countHours();
    expect(lines.map((line) => JSON.parse(line).err.message)).toEqual(Array(2).fill('no room on the disk'));
  });

  it('cancels a question whose client has disconnected', async () => {
    const { queue } = aQueue({ entry: aProgram('answer(n)') });
    const left = new AbortController();
    const [first, second] = [
      queue.ask('search', { limit: 1 }),
      queue.ask('search', { limit: 2 }, { signal: left.signal }),
    ];
    left.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    // A question without a waiting client is not read: this is the next one.
    expect([await first, await queue.ask('search', { limit: 3 })]).toEqual([1, 2]);
  });

  it('limits the waiting questions of one person, so that other people find a place', async () => {
    const { queue } = aQueue({ entry: aProgram('answer(n)') });
    const ask = (asker: string) => queue.ask('search', { limit: 1 }, { asker });
    const asked = Array.from({ length: MOST_WAITING + 1 }, () => ask('per_1'));
    await expect(ask('per_1')).rejects.toMatchObject(BUSY);
    asked.push(ask('per_2'));
    await Promise.all(asked);
    expect(await ask('per_1')).toBe(MOST_WAITING + 3);
  });

  it('accepts the continuation of an answer that has begun, however many questions of that person wait', async () => {
    const { queue } = aQueue({ entry: aProgram('answer(n)') });
    const ask = (asker = 'per_1') => queue.ask('search', { limit: 1 }, { asker });
    const asked = Array.from({ length: MOST_WAITING + 1 }, () => ask());
    await expect(ask()).rejects.toMatchObject(BUSY);
    // The question that is being read and one more of that person come first.
    expect(await ask('per_1 goes on')).toBe(3);
    await Promise.all(asked);
  });

  it('cancels a question that takes too long, and starts a new process for the next', async () => {
    const { queue } = aQueue({
      entry: aProgram(`if (m.limit !== 1) answer(n)`),
      limitMs: 2_500,
    });
    const [stuck, next] = [queue.ask('search', { limit: 1 }), queue.ask('search', { limit: 2 })];
    await expect(stuck).rejects.toMatchObject({
      ...BUSY,
      details: [{ message: 'records were not read within 2.5 s' }],
    });
    expect(await next).toBe(1);
  });

  it('reports a process that crashed, and starts another', async () => {
    const { queue } = aQueue({
      entry: aProgram(`m.limit === 1 ? process.exit(3) : answer(n)`),
    });
    const [lost, next] = [queue.ask('search', { limit: 1 }), queue.ask('search', { limit: 2 })];
    await expect(lost).rejects.toMatchObject({
      ...BUSY,
      details: [{ message: 'the process that reads records ended with 3 before it answered' }],
    });
    expect(await next).toBe(1);
  });

  it('ends the process after an idle time', async () => {
    const children = watchChildren();
    const { queue } = aQueue({ entry: aProgram('answer(n)'), idleMs: 1 });
    await queue.ask('search', { limit: 1 });
    await expect.poll(children).toEqual([]);
  });

  it('rejects waiting questions when it is closed, and all later ones', async () => {
    const children = watchChildren();
    const { queue } = aQueue({ entry: aProgram('') });
    const asked = [queue.ask('search', { limit: 1 }), queue.ask('overview', DAY)];
    const rejected = Promise.all(asked.map((answer) => expect(answer).rejects.toThrow('closed')));
    queue.close();
    await rejected;
    await expect(queue.ask('overview', DAY)).rejects.toThrow('closed');
    await expect.poll(children).toEqual([]);
  });
});

describePostgres('InsightsQueue, over PostgreSQL', (server) => {
  it('reads in a process of its own; of two instances one counts the hours, and the other finds none left', async () => {
    const records = await somePostgresRecords(server);
    await records.add(
      { id: 'chk_1', action: 'BLOCK', risk_level: 'high' },
      { id: 'chk_2', created_at: '2026-11-20T08:00:00.000Z' },
    );
    const instances = [1, 2].map(() => {
      const kept: CheckHour[] = [];
      const keep = async (hours: readonly CheckHour[]) => {
        kept.push(...hours);
        await records.storage.checkHours.keep(hours);
      };
      const { jobLock } = records.storage;
      return { ...aQueue({ url: server.url, hours: { keep }, jobLock }), kept };
    });
    await Promise.all(instances.map(({ queue }) => queue.countHours()));
    expect(instances.map(({ kept }) => kept.length).toSorted()).toEqual([0, 2]);
    expect(await records.hours()).toEqual(['2026-11-20T08', '2026-11-20T10']);
    const overview = await instances[0]?.queue.ask('overview', DAY);
    expect(overview).toMatchObject({ blocked: 1, checks: 2, counted_share: 1 });
  });

  it('refuses a question with Retry-After where the server is unreachable', async () => {
    const { queue } = aQueue({ url: 'postgres://127.0.0.1:1/none' });
    await expect(queue.ask('overview', DAY)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
