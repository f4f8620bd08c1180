import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { aWorld } from '../cli/world.ts';
import { parseExposition } from '../observability/exposition.ts';
import { startTestService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const TOKEN = 'a-token-of-sixteen-characters-or-more';

async function start(settings: Record<string, unknown> = {}) {
  const dir = join(temporaryDirectory(), 'rules');
  cpSync(join(packageRoot, 'rules'), dir, { recursive: true });
  const service = await startTestService({
    rules: { dir, ...settings },
    metrics: { token: TOKEN },
  });
  onTestFinished(() => service.stop());
  const headers = { authorization: `Bearer ${TOKEN}` };
  const world = aWorld();
  return {
    service,
    write: (name: string, text: string) => writeFileSync(join(dir, name), text),
    read: (name: string) => readFileSync(join(dir, name), 'utf8'),
    action: async () => (await service.check('jane@example.com')).json.summary.action,
    ruleset: async () => (await service.check('jane@example.com')).headers['postern-ruleset'],
    readyz: async () => service.send({ path: '/readyz', headers }),
    metric: async (name: string) => {
      const { text } = await service.send({ path: '/metrics', headers });
      return parseExposition(text).get(name)?.samples.get(name);
    },
    /** A command beside the service, with the same data and rules. */
    postern: (...argv: string[]) =>
      world.postern(
        [...argv, '--data-dir', service.dataDir, '--config', join(service.dataDir, 'test.yaml')],
        { env: { POSTERN__RULES__DIR: dir } },
      ),
  };
}

const DENY = '- { value: jane@example.com, reason: Test., owner: tests }\n';

it('uses a change when it is complete, and not before', async () => {
  const { write, action, postern } = await start();
  expect(await action()).toBe('ALLOW');
  write('deny.yaml', DENY.slice(0, 30));
  write('deny.yaml', DENY);
  await expect.poll(action).toBe('BLOCK');
  const { versions } = (await postern('rules', 'history', '--json')).json();
  expect(versions.map(({ reason }: { reason: string }) => reason)).toEqual(['change', 'start']);
});

it('keeps the old set when a change is invalid, stays ready, and reports the fault in every status', async () => {
  const { write, ruleset, readyz, metric, postern } = await start();
  const before = await ruleset();
  expect(await metric('postern_rules_complaint')).toBe(0);
  write('deny.yaml', '- { value: not a domain, reason: Test., owner: tests }\n');
  await expect.poll(async () => (await readyz()).json.states.rules).toBe('degraded');
  const ready = await readyz();
  expect([ready.status, ready.json.status]).toEqual([200, 'ready']);
  expect(ready.json.reasons.rules).toMatch(
    /^what lies in rules\.dir is not in force \(.*, 1 fault\): .*deny\.yaml:1:\d+ error bad_list_value/,
  );
  expect(await metric('postern_rules_complaint')).toBe(1);
  const status = await postern('rules', 'status');
  expect(status.code).toBe(1);
  expect(status.stdout).toMatch(/refused by the service at /);
  expect(await ruleset()).toBe(before);

  write('deny.yaml', '[]\n');
  await expect.poll(async () => (await readyz()).json.states.rules).toBe('ok');
  expect(await metric('postern_rules_complaint')).toBe(0);
  expect((await postern('rules', 'status')).code).toBe(0);
});

it('rolls back: the old files come into force without a restart, with the name of the person who did it', async () => {
  const { write, read, action, postern, ruleset } = await start();
  const [deny, first] = [read('deny.yaml'), await ruleset()];
  write('deny.yaml', DENY);
  await expect.poll(action).toBe('BLOCK');
  const { code, stdout } = await postern('rules', 'rollback', '1', '--author', 'jane');
  expect([code, stdout]).toEqual([0, expect.stringContaining('takes it within seconds')]);
  expect(read('deny.yaml')).toBe(deny);
  await expect.poll(action).toBe('ALLOW');
  expect(await ruleset()).toBe(first);
  const { versions } = (await postern('rules', 'history', '--json')).json();
  expect(versions[0]).toMatchObject({ version: 3, author: 'jane', reason: 'rollback', restores: 1 });
});

it('waits for SIGHUP where rules.watch is false', async () => {
  const { write, action, service, postern } = await start({ watch: false });
  write('deny.yaml', DENY);
  expect(await action()).toBe('ALLOW');
  await service.reload();
  expect(await action()).toBe('BLOCK');
  const { versions } = (await postern('rules', 'history', '--json')).json();
  expect(versions[0].reason).toBe('sighup');
});
