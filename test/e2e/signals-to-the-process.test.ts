import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import {
  aClient,
  type Client,
  keyOf,
  type PosternProcess,
  spawnPostern,
} from '../support/postern-process.ts';

const directory = mkdtempSync(join(tmpdir(), 'postern-signals-'));
const rules = join(directory, 'rules');
const dataDir = join(directory, 'data');
let postern: PosternProcess;
let client: Client;
beforeAll(async () => {
  cpSync(join(packageRoot, 'rules'), rules, { recursive: true });
  postern = spawnPostern({
    dataDir,
    env: { POSTERN__RULES__DIR: rules, POSTERN__DNS__SERVERS: '["127.0.0.1:9"]' },
  });
  const { httpsPort } = await postern.ready;
  client = aClient(dataDir, httpsPort, keyOf(postern));
});
afterAll(async () => {
  client.close();
  postern.child.kill('SIGKILL');
  await postern.exited;
  rmSync(directory, { recursive: true });
});

/** Resolves when the log contains `text`. From outside, the log is the only sign of a reload. */
async function untilLogged(text: string) {
  while (!postern.stderr().includes(text)) {
    await new Promise((resolve) => postern.child.stderr?.once('data', resolve));
  }
}

it('SIGHUP takes new rules and lists: an address is blocked from then on', async () => {
  const before = await client.check('jane.doe@example.com');
  expect(before.json.summary.action).toBe('ALLOW');
  appendFileSync(
    join(rules, 'deny.yaml'),
    '- { value: jane.doe@example.com, reason: Test., owner: tests }\n',
  );
  postern.child.kill('SIGHUP');
  await untilLogged('rules loaded');
  expect((await client.check('jane.doe@example.com')).json.summary.action).toBe('BLOCK');
});

it('SIGHUP with a broken file leaves the old rules in force and says what is wrong', async () => {
  const before = await client.check('jane.doe@example.com');
  appendFileSync(join(rules, 'deny.yaml'), '- { value: "not a domain", reason: Test., owner: tests }\n');
  postern.child.kill('SIGHUP');
  await untilLogged('rules not reloaded');
  expect(postern.stderr()).toMatch(/deny\.yaml:\d+:\d+/);
  const after = await client.check('jane.doe@example.com');
  expect(after.json.summary).toEqual(before.json.summary);
  expect(after.headers['postern-ruleset']).toBe(before.headers['postern-ruleset']);
});

it('SIGTERM finishes the request that is under way, refuses new ones and exits with 0', async () => {
  const { httpsPort } = await postern.ready;
  const underWay = client.check('jane.doe@example.com');
  const idle = connect(httpsPort, '127.0.0.1');
  idle.on('error', () => undefined);
  await underWay;
  postern.child.kill('SIGTERM');
  expect(await postern.exited).toEqual({ code: 0, signal: null });
  await expect(client.check('jane.doe@example.com')).rejects.toThrow();
});
