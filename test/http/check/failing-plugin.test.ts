import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

let service: TestService;
afterEach(() => service.stop());

/** The folder of a plugin with this code as its check. */
function aPlugin(check: string): string {
  const folder = join(temporaryDirectory(), 'liar');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(folder, 'index.js'),
    `export default {
      id: 'liar', apiVersion: 1, description: 'Breaks its word.', stage: 'local',
      facts: [{ id: 'liar.seen', type: 'boolean', description: 'Seen.', example: true, never_unknown: true }],
      check: ${check},
    };`,
  );
  return folder;
}

const CHECK = `(address) => {
  if (address.localPart !== 'margaret.roebuck') return { facts: { 'liar.seen': true } };
  throw new Error('no such mailbox ' + encodeURIComponent(address.raw), { cause: address.localPart });
}`;

it('a plugin that throws for one address is degraded only for that address', async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
  const settings = { providers: { paths: [aPlugin(CHECK)] }, metrics: { port: 0 } };
  service = await startTestService(settings, { log });
  const well = await service.check('ann.smith@example.com');
  expect(well.headers).not.toHaveProperty('postern-degraded');
  const { status, headers, json } = await service.check('margaret.roebuck@example.com');
  expect(status).toBe(200);
  expect(headers['postern-degraded']).toBe('liar');
  expect(json.summary).toEqual(well.json.summary);

  const [row] = await service.rows('SELECT facts, unknown FROM checks WHERE id = ?', json.id);
  expect(JSON.parse(String(row?.facts))['liar.seen']).toBe(null);
  expect(JSON.parse(String(row?.unknown))['liar.seen']).toBe('error');

  const failures = lines.filter((line) => line.includes('provider failed'));
  expect(failures).toHaveLength(1);
  expect(JSON.parse(failures[0] ?? '')).toMatchObject({ provider: 'liar', err: { type: 'Error' } });
  expect(lines.join('')).not.toMatch(/margaret|roebuck/i);
  const metrics = await (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text();
  for (const outcome of ['error', 'known']) {
    expect(metrics).toContain(`postern_provider_answers_total{provider="liar",outcome="${outcome}"} 1`);
  }
});

it('is degraded for a test key too', async () => {
  service = await startTestService({ providers: { paths: [aPlugin(CHECK)] } });
  const authorization = `Bearer ${await service.createKey('test')}`;
  const { status, headers } = await service.check('margaret.roebuck@example.com', {
    headers: { authorization },
  });
  expect([status, headers['postern-degraded']]).toEqual([200, 'liar']);
});
