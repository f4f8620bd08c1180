import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { idOf } from '../../src/lists/list-store.ts';
import { sinkOf } from '../cli/world.ts';
import { parseExposition, sampleOf } from '../observability/exposition.ts';
import { eventually } from '../support/eventually.ts';
import { type ListServer, plainList, startListServer } from '../support/list-server.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { SHARED_STATES } from '../support/service-database.ts';

const TOKEN = 'a-token-of-sixteen-characters';
const THROWN_AWAY = 'brand-new-throw-away.example';
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `d${i}.example`);

let service: TestService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

async function start(server: ListServer): Promise<TestService> {
  service = await startTestService({
    lists: { urls: [server.url], allow_private_addresses: true },
    metrics: { token: TOKEN },
  });
  return service;
}

const isDisposable = async (running: TestService, email: string) =>
  (await running.check(email)).json.signals.domain.is_known_disposable;

const readyz = (running: TestService) =>
  running.send({ method: 'GET', path: '/readyz', headers: { authorization: `Bearer ${TOKEN}` } });

/** `postern` as another process on the same data directory. */
async function postern(running: TestService, ...argv: readonly string[]) {
  let stdout = '';
  const code = await run(
    [...argv, '--data-dir', running.dataDir, '--config', join(running.dataDir, 'test.yaml')],
    {
      stdout: sinkOf((text) => (stdout += text)),
      stderr: sinkOf(() => undefined),
      env: {},
      cwd: running.dataDir,
    },
  );
  return { code, stdout };
}

describe('a service with lists.urls', () => {
  it('uses a list as soon as it is downloaded, and reports its age', async () => {
    const server = await startListServer(plainList([THROWN_AWAY, ...numbered(20)]));
    const running = await start(server);
    await eventually(async () => expect(await isDisposable(running, `jane@${THROWN_AWAY}`)).toBe(true));
    expect(await isDisposable(running, 'jane@gmail.com')).toBe(false);
    expect((await readyz(running)).json).toEqual({
      ...{
        status: 'ready',
        states: {
          storage: 'ok',
          rules: 'ok',
          retention: 'ok',
          lists: 'ok',
          accepting: 'ok',
          ...SHARED_STATES,
        },
        reasons: {},
      },
    });
    const page = await running.send({
      ...{ method: 'GET', path: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } },
    });
    const list = idOf(server.url);
    const families = parseExposition(page.text);
    expect(sampleOf(families, `postern_list_refreshes_total{list="${list}",result="taken"}`)).toBe(1);
    expect(sampleOf(families, `postern_list_refreshes_total{list="${list}",result="refused"}`)).toBe(0);
    const confirmed = sampleOf(families, `postern_list_confirmed_timestamp_seconds{list="${list}"}`) ?? 0;
    expect(Math.abs(Date.now() / 1000 - confirmed)).toBeLessThan(60);
  });

  it('uses what a command downloaded or rolled back', async () => {
    const server = await startListServer(plainList(numbered(20)));
    const running = await start(server);
    await eventually(async () => expect((await readyz(running)).json.states.lists).toBe('ok'));
    server.answer = plainList([THROWN_AWAY, ...numbered(20)]);
    expect(await postern(running, 'lists', 'update')).toMatchObject({ code: 0 });
    // As SIGHUP does.
    await running.reload();
    expect(await isDisposable(running, `jane@${THROWN_AWAY}`)).toBe(true);
    expect(await postern(running, 'lists', 'rollback')).toMatchObject({ code: 0 });
    await running.reload();
    expect(await isDisposable(running, `jane@${THROWN_AWAY}`)).toBe(false);
  });

  it('is ready without its list, and reports why that is missing', async () => {
    const server = await startListServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    });
    const running = await start(server);
    await eventually(async () =>
      expect((await readyz(running)).json.reasons.lists).toContain('it is HTML, not a list'),
    );
    const { status, json } = await readyz(running);
    expect({ status, states: json.states }).toEqual({
      status: 200,
      states: {
        storage: 'ok',
        rules: 'ok',
        retention: 'ok',
        lists: 'degraded',
        accepting: 'ok',
        ...SHARED_STATES,
      },
    });
  });
});
