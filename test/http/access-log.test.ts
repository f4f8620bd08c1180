import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createHall } from '../../src/http/hall.ts';
import type { RequestState } from '../../src/http/state.ts';
import { noMetrics } from '../../src/observability/metrics.ts';

it('a request has one line in the log when it is over, with its status, code and duration', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) });
  const server = createServer(createHall(log, noMetrics, new Router<RequestState>()).callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const asked = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/nowhere`, { headers: { connection: 'close' } });
  const took = performance.now() - asked;
  expect(answer.status).toBe(404);
  expect(lines).toMatchObject([
    {
      msg: 'request',
      request_id: answer.headers.get('request-id'),
      method: 'GET',
      status: 404,
      code: 'not_found',
    },
  ]);
  expect(lines[0]?.duration_ms).toBeGreaterThan(0);
  expect(lines[0]?.duration_ms).toBeLessThan(took);
});
