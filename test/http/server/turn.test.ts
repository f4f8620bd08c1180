import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { ENOUGH, letInByTurns } from '../../../src/http/server/turn.ts';

const NO_ANSWER = {} as ServerResponse;

let letIn: (n: number, method?: string) => void;
/** By turn, those who were let in at its end; not those turns that let nobody in. */
let groups: number[][];
let group: number[] | undefined;

beforeEach(() => {
  groups = [];
  group = undefined;
  const door = letInByTurns((req) => {
    if (!group) {
      group = [];
      groups.push(group);
    }
    group.push(Number(req.url));
  });
  letIn = (n, method = 'POST') => void door({ url: String(n), method } as IncomingMessage, NO_ANSWER);
});

/** Requests that one turn of the event loop reads. */
async function read(...requests: number[]): Promise<void> {
  for (const request of requests) letIn(request);
  await turn();
  group = undefined;
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
    'that are not posted do not wait, and keep nobody waiting: %s',
    async (method) => {
      letIn(1, method);
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
