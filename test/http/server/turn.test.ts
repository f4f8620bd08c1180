import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DiskWait, MANY, PATIENCE_MS } from '../../../src/http/server/disk-wait.ts';
import { ENOUGH, GAP_MS, letInByTurns } from '../../../src/http/server/turn.ts';

const NO_ANSWER = {} as ServerResponse;

let letIn: (n: number, method?: string) => void;
/** By turn, those who were let in at its end; not those turns that let nobody in. */
let groups: number[][];
let group: number[] | undefined;
let disk: DiskWait;

beforeEach(() => {
  groups = [];
  group = undefined;
  disk = new DiskWait();
  const door = letInByTurns((req) => {
    if (!group) {
      group = [];
      groups.push(group);
    }
    group.push(Number(req.url));
  }, disk);
  letIn = (n, method = 'POST') => void door({ url: String(n), method } as IncomingMessage, NO_ANSWER);
  // Turns of the event loop are real ones, and take no time here.
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Requests that one turn of the event loop reads. */
async function read(...requests: number[]): Promise<void> {
  for (const request of requests) letIn(request);
  await turn();
  group = undefined;
}

/** None of those who were answered asks again. */
async function gap(): Promise<void> {
  vi.advanceTimersByTime(GAP_MS);
  await read();
}

describe('requests', () => {
  it('of one turn are let in together, in the order they came, after a turn that reads no more', async () => {
    await read(1, 2, 3);
    expect(groups).toEqual([]);
    await read();
    expect(groups).toEqual([[1, 2, 3]]);
  });

  it('are gathered while each turn reads some more', async () => {
    await read(1);
    await read(2, 3);
    await read(4);
    expect(groups).toEqual([]);
    await read();
    expect(groups).toEqual([[1, 2, 3, 4]]);
  });

  it(`are not kept waiting once ${ENOUGH} are there`, async () => {
    for (let n = 1; n < ENOUGH; n += 1) await read(n);
    expect(groups).toEqual([]);
    await read(ENOUGH);
    expect(groups).toEqual([Array.from({ length: ENOUGH }, (_, n) => n + 1)]);
  });

  it('that come after begin anew', async () => {
    await read(1, 2);
    await read();
    await read(3);
    expect(groups).toEqual([[1, 2]]);
    await read(4);
    await read();
    expect(groups).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])(
    'that are not posted wait for the end of their turn alone, and keep nobody waiting: %s',
    async (method) => {
      letIn(1, method);
      expect(groups).toEqual([]);
      await read();
      expect(groups).toEqual([[1]]);
      await read(2);
      letIn(3, method);
      await read();
      expect(groups.flat().sort()).toEqual([1, 2, 3]);
    },
  );

  it('that one turn reads are let in at its end when they are enough', async () => {
    const many = Array.from({ length: ENOUGH + 5 }, (_, n) => n);
    await read(...many);
    expect(groups).toEqual([many]);
  });
});

describe('while many answers wait for the disk', () => {
  beforeEach(() => disk.begin(MANY));

  it('requests wait too, and are let in with those who ask again when they have their answers', async () => {
    await read(1, 2);
    await read();
    await read();
    expect(groups).toEqual([]);
    disk.end();
    await read();
    await read(3);
    await read(4);
    expect(groups).toEqual([]);
    await gap();
    expect(groups).toEqual([[1, 2, 3, 4]]);
  });

  it('requests that were being gathered when it began wait as well', async () => {
    disk.end();
    await read(1);
    disk.begin(MANY);
    await read();
    await read();
    expect(groups).toEqual([]);
    disk.end();
    await read();
    await read(2);
    await gap();
    expect(groups).toEqual([[1, 2]]);
  });

  it(`requests are let in once ${ENOUGH} are there`, async () => {
    for (let n = 1; n < ENOUGH; n += 1) await read(n);
    expect(groups).toEqual([]);
    await read(ENOUGH);
    expect(groups).toEqual([Array.from({ length: ENOUGH }, (_, n) => n + 1)]);
    disk.end();
    await read();
    expect(groups).toHaveLength(1);
  });

  it('a group that came when others were enough is gathered as any other', async () => {
    await read(0);
    await read();
    await read(...Array.from({ length: ENOUGH - 1 }, (_, n) => n + 1));
    await read();
    expect(groups.map(({ length }) => length)).toEqual([ENOUGH]);
    disk.end();
    await read(99);
    await read();
    expect(groups).toHaveLength(1);
    await gap();
    expect(groups).toHaveLength(2);
  });

  it('requests wait for one commit, not for the one that follows it', async () => {
    await read(1);
    await read();
    disk.end();
    disk.begin(MANY);
    await read();
    await read();
    await gap();
    expect(groups).toEqual([[1]]);
  });

  it('each group waits anew', async () => {
    await read(1);
    await read();
    disk.end();
    await read();
    await read();
    await gap();
    expect(groups).toEqual([[1]]);
    disk.begin(MANY);
    await read(2);
    await read();
    await gap();
    expect(groups).toEqual([[1]]);
    disk.end();
    await read();
    await read();
    await gap();
    expect(groups).toEqual([[1], [2]]);
  });

  it('requests are let in though the disk hangs', async () => {
    await read(1);
    await read();
    await sleep(2 * PATIENCE_MS);
    await read();
    await read();
    await read();
    expect(groups).toEqual([[1]]);
  });

  it('what is not posted is let in at once', async () => {
    letIn(1, 'GET');
    await read();
    expect(groups).toEqual([[1]]);
  });
});

describe('when many answers have left', () => {
  const many = Array.from({ length: MANY }, (_, n) => n);

  beforeEach(() => {
    disk.begin(MANY);
    disk.end();
  });

  it('requests wait for those who got them, as long as one comes soon after the other', async () => {
    for (const n of many) {
      expect(groups).toEqual([]);
      await read(n);
      await read();
      vi.advanceTimersByTime(GAP_MS - 0.01);
    }
    await read();
    expect(groups).toEqual([many]);
  });

  it('requests do not wait when all who got them are there', async () => {
    await read(...many);
    await read();
    expect(groups).toEqual([many]);
  });

  it(`requests are let in when nobody has come for ${GAP_MS} ms`, async () => {
    await read(1);
    await read();
    vi.advanceTimersByTime(GAP_MS - 0.01);
    await read();
    expect(groups).toEqual([]);
    vi.advanceTimersByTime(0.01);
    await read();
    expect(groups).toEqual([[1]]);
  });

  it('those who stay away are waited for once', async () => {
    await read(1);
    await read();
    await gap();
    await read(2);
    await read();
    expect(groups).toEqual([[1], [2]]);
  });

  it('those who waited meanwhile wait for them too', async () => {
    disk.begin(MANY);
    await read(98, 99);
    await read();
    disk.end();
    await read();
    await read();
    await read(...many);
    await read();
    expect(groups).toEqual([[98, 99, ...many]]);
  });

  it('what is not posted neither waits nor counts as one of them', async () => {
    await read(...many.slice(1));
    letIn(100, 'GET');
    await read();
    expect(groups).toEqual([[100]]);
    await gap();
    expect(groups).toEqual([[100], many.slice(1)]);
  });
});

it('requests do not wait for a commit of few', async () => {
  disk.begin(MANY - 1);
  await read(1);
  await read();
  expect(groups).toEqual([[1]]);
});
