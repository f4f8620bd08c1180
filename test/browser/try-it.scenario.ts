import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { startDashboard, type TestDashboard } from '../support/dashboard.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser, holdAnswers } from './support/browser.ts';
import { DESK, expectReadable, PHONE } from './support/looks.ts';

const visit = aBrowser();
let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

describe.skipIf(CHROMIUM === null)('an address is tried', () => {
  it.each([DESK, PHONE])(
    'and its signals and its ledger can be read, $width pixels wide',
    async (viewport) => {
      const as = await dashboard.signIn('analyst');
      const page = await visit(dashboard.service.httpsPort, { as, viewport });
      await page.goto('/try');
      await page.getByText('Type an address, or take an example').waitFor();
      await expectReadable(page, [viewport]);
      await page.getByLabel('Email address').fill('Jane+x@gmail.com');
      await page.keyboard.press('Enter');
      await page.getByText('It would answer').waitFor();
      await page.getByRole('heading', { name: 'jane@gmail.com' }).waitFor();
      await expectReadable(page, [viewport]);
    },
  );

  it('and another value of a fact changes the decision until it is reset; nothing is recorded', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/try');
    await page.getByRole('button', { name: 'jane.doe@gmail.com' }).click();
    await page.getByText('It would answer').waitFor();
    await page.getByLabel('domain.is_known_disposable', { exact: true }).selectOption('true');
    await page.getByText(/^BLOCK \d+ in place of ALLOW/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'As it was found' }).click();
    await page.getByText(/in place of/).waitFor({ state: 'detached' });
    await page.goto('/lists');
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  });

  it('and a decision is shown with the edits that it is of, and none where there is none yet or it failed', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [422] });
    await page.goto('/try');
    await page.getByRole('button', { name: 'jane.doe@gmail.com' }).click();
    await page.getByText('It would answer').waitFor();
    const role = page.getByLabel('domain.is_role_account', { exact: true });
    await page.getByLabel('domain.is_known_disposable', { exact: true }).selectOption('true');
    await page.getByText(/^BLOCK \d+ in place of ALLOW/).waitFor();
    await page.getByRole('button', { name: 'As it was found' }).click();

    const held = await holdAnswers(page, '**/try-it/decision', 'POST');
    await role.selectOption('true');
    await held.asked;
    await page.getByText('The decision is of the facts as they were found.').waitFor();
    expect(await page.getByText(/in place of|^Still/).count()).toBe(0);
    held.letThrough();
    await page.getByText(/^Still ALLOW, \d+ in place of 0/).waitFor();
    await page.getByText('With domain.is_role_account true,').waitFor();

    const refused = { error: { code: 'unparseable_email', message: 'These are no facts.' } };
    await page.route('**/try-it/decision', (route) => route.fulfill({ status: 422, json: refused }));
    await page.getByLabel('domain.is_known_disposable', { exact: true }).selectOption('true');
    await page.getByText('These are no facts.').waitFor();
    await page.getByText('The decision is of the facts as they were found.').waitFor();
    expect(await page.getByText(/in place of|^Still/).count()).toBe(0);
  });

  it('and a fact takes the number that is typed, with its sign and point, or says what is wrong with it', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/try');
    await page.getByRole('button', { name: 'jane.doe@gmail.com' }).click();
    await page.getByText('It would answer').waitFor();
    const score = page.getByLabel('entropy.score', { exact: true });
    const typeInto = async (field: Locator, text: string) => {
      await field.selectText();
      await page.keyboard.type(text);
      return field.inputValue();
    };
    for (const text of ['0.5', '2.75', '-3']) expect(await typeInto(score, text)).toBe(text);
    await page.keyboard.press('Tab');
    expect(await score.inputValue()).toBe('-3');
    const length = page.getByLabel('local_part.length', { exact: true });
    expect(await typeInto(length, '2.75')).toBe('2.75');
    await page.getByText('A whole number').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    expect(await length.inputValue()).toBe('2.75');
    await page.getByText('A whole number').waitFor();
    await page.getByRole('button', { name: 'Reset local_part.length' }).click();
    expect(await length.inputValue()).toBe('7');
    await page.getByText('A whole number').waitFor({ state: 'detached' });
  });

  it('and nothing is decided on while a fact has a number that it cannot have', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/try-it/decision'))
        asked.push(request.postDataJSON().facts['local_part.length']);
    });
    await page.goto('/try');
    await page.getByRole('button', { name: 'jane.doe@gmail.com' }).click();
    await page.getByText('It would answer').waitFor();
    const length = page.getByLabel('local_part.length', { exact: true });
    const disposable = page.getByLabel('domain.is_known_disposable', { exact: true });
    await length.fill('2.75');
    await disposable.selectOption('true');
    await page.getByText('local_part.length cannot be 2.75').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'As it was found' }).click();
    await page.getByText('Not decided on').waitFor({ state: 'detached' });
    expect(await length.inputValue()).toBe('7');
    await length.fill('2.75');
    await disposable.selectOption('true');
    await length.fill('3');
    await page.getByText(/^BLOCK \d+ in place of ALLOW/).waitFor();
    expect(asked).toEqual([3]);
    // A field is empty until the next number is typed.
    await length.fill('');
    await page.getByText('local_part.length cannot be unknown').waitFor();
    await expectAccessible(page);
    await length.fill('4');
    await page.getByText('With local_part.length 4, domain.is_known_disposable true').waitFor();
    expect(asked).toEqual([3, 4]);
  });

  it('and the command that is shown, with the authority that is offered beside it, runs in a shell', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/try');
    await page.getByLabel('Email address').fill("jane.o'hara@gmail.com");
    await page.keyboard.press('Enter');
    const command = await page.getByText('curl --cacert').innerText();
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download postern-ca.pem' }).click();
    const directory = mkdtempSync(join(tmpdir(), 'postern-try-'));
    await (await saved).saveAs(join(directory, (await saved).suggestedFilename()));
    const env = { ...process.env, POSTERN_KEY: dashboard.service.key };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: directory, env });
    rmSync(directory, { recursive: true });
    expect(JSON.parse(stdout).normalized.raw).toBe("jane.o'hara@gmail.com");
    await page.locator('label', { hasText: 'Python' }).click();
    await page.getByText('check.py', { exact: true }).waitFor();
    await page.getByText('cafile="postern-ca.pem"').waitFor();
    await expectAccessible(page);
  });

  it('and says where the answer broke off, after which no provider is asked any more', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.route('**/dashboard/api/try-it', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const response = await route.fetch();
      const [begun, first] = (await response.text()).split('\n');
      await route.fulfill({ response, body: `${begun}\n${first}\n` });
    });
    await page.goto('/try');
    await page.getByRole('button', { name: 'jane.doe@gmail.com' }).click();
    await page.getByText('The answer broke off before the decision.').waitFor();
    await page.getByText('has not answered').first().waitFor();
    expect(await page.getByText(/is asked|waits for/).count()).toBe(0);
    await expectAccessible(page);
  });

  it('and leads to the sign-in where the session has ended', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [401] });
    const refused = { error: { code: 'not_signed_in', message: 'Sign in first.' } };
    // The refusal of this request alone: others, which the page makes by itself, lead there too.
    await page.route('**/dashboard/api/try-it', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 401, json: refused }) : route.fallback(),
    );
    await page.goto('/try');
    await page.getByRole('button', { name: 'jane.doe@gmail.com' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/try');
  });

  it('that is none is refused with what is wrong with it', async () => {
    const as = await dashboard.signIn('analyst');
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [422] });
    await page.goto('/try');
    await page.getByLabel('Email address').fill('jane');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('An email address needs an @ sign').waitFor();
    await expectAccessible(page);
  });
});
