import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Router from '@koa/router';
import { pino } from 'pino';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { createHall } from '../../src/http/hall.ts';
import { DiskWait, MANY } from '../../src/http/server/disk-wait.ts';
import type { RequestState } from '../../src/http/state.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { startTestService } from '../support/service.ts';

afterEach(() => void vi.restoreAllMocks());

it('the line of a request waits, where waits are long, and says what was when the request was over', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) });
  const wait = new DiskWait();
  const deferred: (() => void)[] = [];
  vi.spyOn(wait, 'meanwhile').mockImplementation((task) => void deferred.push(task));
  const server = createServer(createHall(log, noMetrics, new Router<RequestState>(), [], wait).callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const asked = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/nowhere`, { headers: { connection: 'close' } });
  expect(answer.status).toBe(404);
  expect(lines).toEqual([]);
  const took = performance.now() - asked;
  await sleep(took + 20);
  for (const task of deferred) task();
  expect(lines).toMatchObject([{ msg: 'request', method: 'GET', status: 404, code: 'not_found' }]);
  expect(lines[0]?.duration_ms).toBeLessThan(took);
});

it('the door, the hall and the store of a service know of the same waits', async () => {
  const told = { begin: new Set(), isLong: new Set(), meanwhile: new Set() };
  const { begin, meanwhile } = DiskWait.prototype;
  vi.spyOn(DiskWait.prototype, 'begin').mockImplementation(function (this: DiskWait, answers) {
    told.begin.add(this);
    begin.call(this, answers);
  });
  vi.spyOn(DiskWait.prototype, 'meanwhile').mockImplementation(function (this: DiskWait, task) {
    told.meanwhile.add(this);
    meanwhile.call(this, task);
  });
  vi.spyOn(DiskWait.prototype, 'isLong', 'get').mockImplementation(function (this: DiskWait) {
    told.isLong.add(this);
    return false;
  });
  const service = await startTestService();
  onTestFinished(() => service.stop());
  expect((await service.check('jane@example.com')).status).toBe(200);
  const [one] = told.begin;
  expect(told).toEqual({ begin: new Set([one]), isLong: new Set([one]), meanwhile: new Set([one]) });
});

it('lines that were put off are written when the process ends by itself, and not kept for that after a stop', async () => {
  const before = process.listeners('exit');
  const service = await startTestService();
  const added = process.listeners('exit').filter((listener) => !before.includes(listener));
  const waits: DiskWait[] = [];
  const { begin } = DiskWait.prototype;
  vi.spyOn(DiskWait.prototype, 'begin').mockImplementation(function (this: DiskWait, answers) {
    waits.push(this);
    begin.call(this, answers);
  });
  await service.check('jane@example.com');
  const [wait] = waits;
  wait?.begin(MANY);
  wait?.end();
  let isDone = false;
  wait?.meanwhile(() => {
    isDone = true;
  });
  for (const listener of added) listener(0);
  expect(isDone).toBe(true);
  await service.stop();
  expect(process.listeners('exit').filter((listener) => added.includes(listener))).toEqual([]);
});
