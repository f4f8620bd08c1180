import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPatch, parsePatch } from 'diff';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { cookieOf, PASSWORD } from '../support/dashboard.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { eventually } from '../support/eventually.ts';
import { aClient, firstRunOf, keyOf, type PosternProcess, spawnPostern } from '../support/postern-process.ts';
import { ZONE } from '../support/service.ts';
import { transmit } from '../support/transmit.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser } from './support/browser.ts';

const visit = aBrowser();
/** The shipped rules. */
const rules = mkdtempSync(join(tmpdir(), 'postern-rules-'));
let service: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  cpSync(join(packageRoot, 'rules'), rules, { recursive: true });
  service = await start();
});
afterAll(async () => {
  await service.stop();
  setMode(0o755);
  rmSync(rules, { recursive: true });
});
beforeEach(() => setMode(0o555));

function setMode(mode: number): void {
  for (const path of [rules, join(rules, 'tests')]) chmodSync(path, mode);
}

/** A process of its own, since the tests' may write wherever it likes. */
async function start() {
  const dns = await startDnsServer(ZONE);
  const dataDir = mkdtempSync(join(tmpdir(), 'postern-service-'));
  const env = { POSTERN__DNS__SERVERS: JSON.stringify([dns.address]), POSTERN__RULES__DIR: rules };
  const postern = spawnPostern({ dataDir, env, isBoundByModes: true });
  const { httpsPort } = await postern.ready;
  const client = aClient(dataDir, httpsPort, keyOf(postern));
  return {
    httpsPort,
    check: client.check,
    as: { cookie: await setUp(postern, httpsPort) },
    async stop() {
      client.close();
      postern.child.kill('SIGTERM');
      await postern.exited;
      await dns.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** The first owner, by the link of the first start; returns the cookies. */
async function setUp(postern: PosternProcess, port: number): Promise<string> {
  const [, token] = /\/setup#(\S+)/.exec(firstRunOf(postern)) ?? [];
  const agent = new Agent({ rejectUnauthorized: false });
  const answer = await transmit({
    ...{ agent, port, method: 'POST', path: '/dashboard/api/setup' },
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token, name: 'Ada', email: 'ada@firm.example', password: PASSWORD }),
  });
  agent.destroy();
  return cookieOf(answer);
}

/** As a person does who may write there: `patch -p1`. */
function apply(patch: string): void {
  setMode(0o755);
  for (const part of parsePatch(patch)) {
    const file = join(rules, String(part.newFileName).replace(/^b\//, ''));
    const text = applyPatch(readFileSync(file, 'utf8'), part);
    if (text === false) throw new Error(`the patch does not fit ${file}:\n${patch}`);
    writeFileSync(file, text);
  }
}

const patchIn = async (place: Locator) => {
  const text = place.getByText('--- a/');
  await text.waitFor();
  return text.innerText();
};

describe.skipIf(CHROMIUM === null)('rules in a directory where the service may not write', () => {
  it('are published as a patch, which comes in force once it has been applied', async () => {
    const ruleset = async () => (await service.check('jane.doe@example.com')).headers['postern-ruleset'];
    const before = await ruleset();
    const page = await visit(service.httpsPort, { as: service.as });
    await page.goto('/rules');
    await page.getByText('Postern may not write its rules').waitFor();
    await page.getByRole('slider', { name: 'BLOCK' }).focus();
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft');
    await page.getByText('block_score: { value: 65', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    await dialog.getByRole('button', { name: 'Make a patch' }).click();
    await dialog.getByText('Postern may not write there').waitFor();
    await dialog.getByRole('button', { name: 'Copy the patch' }).waitFor();
    await expectAccessible(page);
    const outcome = dialog.getByRole('alert');
    const patch = await patchIn(outcome);
    expect(await outcome.innerText()).toContain(`patch -p1 -d ${rules}`);
    expect(await ruleset()).toBe(before);

    apply(patch);
    await eventually(async () => expect(await ruleset()).not.toBe(before));
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.goto('/rules');
    await page.getByText('block_score: { value: 65', { exact: false }).waitFor();
    await page.goto('/rules/history');
    await page.getByText('value 70 → 65').waitFor();
  });

  it('take an entry of a list as a patch too', async () => {
    const action = async () => (await service.check('jane@firm.example')).json.summary.action;
    const page = await visit(service.httpsPort, { as: service.as });
    await page.goto('/lists?list=deny');
    await page.getByRole('button', { name: 'Add an entry' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address or domain').fill('firm.example');
    await dialog.getByLabel('Reason').fill('A ring of accounts.');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByRole('button', { name: 'Add to deny' }).click();
    const notice = page.getByRole('alert');
    await notice.getByText('Postern may not write here').waitFor();
    await expectAccessible(page);
    expect(await action()).toBe('ALLOW');
    apply(await patchIn(notice));
    await eventually(async () => expect(await action()).toBe('BLOCK'));
  });
});
