import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { AT_MOST, letInByTurns } from '../../../src/http/server/turn.ts';

const NO_ANSWER = {} as ServerResponse;

let letIn: (n: number) => void;
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
  letIn = (n) => void door({ url: String(n) } as IncomingMessage, NO_ANSWER);
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

  it(`are not kept waiting once ${AT_MOST} are there`, async () => {
    for (let n = 1; n < AT_MOST; n += 1) await read(n);
    expect(groups).toEqual([]);
    await read(AT_MOST);
    expect(groups).toEqual([Array.from({ length: AT_MOST }, (_, n) => n + 1)]);
  });

  it('that come after begin anew', async () => {
    await read(1, 2);
    await read();
    await read(3);
    await read();
    await read(4);
    await read();
    expect(groups).toEqual([[1, 2], [3], [4]]);
  });

  it('that one turn reads are let in at its end when they are enough', async () => {
    const many = Array.from({ length: AT_MOST + 5 }, (_, n) => n);
    await read(...many);
    expect(groups).toEqual([many]);
  });
});
