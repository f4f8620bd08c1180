import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { startDashboard, type TestDashboard } from '../support/dashboard.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser, holdAnswers } from './support/browser.ts';
import { DESK, expectReadable, PHONE } from './support/looks.ts';

const visit = aBrowser();
let dashboard: TestDashboard;
let other: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  other = await dashboard.createAccount('Second account');
});
afterAll(() => dashboard.stop());

const check = (secret: string) =>
  dashboard.service.send({
    method: 'POST',
    path: '/v1/',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'jane.doe@postern.test' }),
  });

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function issue(page: Page, name: string, environment: 'Live' | 'Test'): Promise<string> {
  await page.getByRole('button', { name: 'Issue a key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('radio', { name: environment }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Issue the key' }).click();
  await dialog.getByText('Shown only now').waitFor();
  const [secret] = (await dialog.innerText()).match(/pst_(live|test)_[0-9a-z]+/) ?? [];
  return secret ?? '';
}

async function sayKept(page: Page): Promise<void> {
  await page.getByLabel('I have put the key where I will find it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

describe.skipIf(CHROMIUM === null)('the page of keys', () => {
  it.each([DESK, PHONE])('issues, rotates and revokes a key, $width pixels wide', async (viewport) => {
    const developer = await dashboard.signIn({ [dashboard.accountId]: 'developer' });
    const page = await visit(dashboard.service.httpsPort, { as: developer, viewport });
    await page.goto('/keys');
    const name = `shop ${viewport.width}`;
    await page.getByRole('switch', { name: 'With the time before' }).check();
    await page.getByText('In the 30 days before').first().waitFor();
    const secret = await issue(page, name, 'Live');
    await expectAccessible(page);
    const line = await page.getByText('curl --cacert').innerText();
    expect(line).toContain(`https://localhost:${dashboard.service.httpsPort}/v1/`);
    expect(line).toContain(secret);
    await page.keyboard.press('Escape');
    await page.goBack();
    await page.goBack();
    expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    await sayKept(page);
    expect(await page.content()).not.toContain(secret);

    expect((await check(secret)).status).toBe(200);
    // The page asks again by itself.
    const row = rowOf(page, name);
    await row.getByRole('cell').getByText('1', { exact: true }).waitFor();
    const [, lastUsed] = await row.getByRole('cell').all();
    await lastUsed?.getByText(/just now|ago$/).waitFor();
    await expectReadable(page, [viewport]);

    await page.getByRole('button', { name: `Rotate ${name}` }).click();
    await page.getByRole('radio', { name: 'One hour' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    await page.getByText('Shown only now').waitFor();
    const [next = ''] = (await page.getByRole('dialog').innerText()).match(/pst_live_[0-9a-z]+/) ?? [];
    await sayKept(page);
    await rowOf(page, name).getByText('ending').waitFor();
    expect((await check(secret)).status).toBe(200);
    expect((await check(next)).status).toBe(200);

    const revoke = page.getByRole('button', { name: `Revoke ${name}` });
    // One of them has a button beside it: below one another they stand all the same.
    const ends = (await revoke.all()).map(async (one) => {
      const { x = 0, width = 0 } = (await one.boundingBox()) ?? {};
      return Math.round(x + width);
    });
    const [first, ...others] = await Promise.all(ends);
    if (viewport === DESK) expect(others).toEqual([first]);
    await revoke.last().click();
    await page.getByText('refused with 401').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await check(next)).status).toBe(401);
    expect((await check(secret)).status).toBe(200);
    await page.getByLabel('Show ended keys').check();
    await rowOf(page, name).getByText('revoked', { exact: true }).waitFor();
  });

  it('issues one key by a double click', async () => {
    const developer = await dashboard.signIn({ [dashboard.accountId]: 'developer' });
    const page = await visit(dashboard.service.httpsPort, { as: developer });
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Issue a key' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('pressed twice');
    // The second click waits already when the first is dealt with, as on a slow machine.
    await page.evaluate(`new Promise((done) => {
      const button = document.querySelector('[role=dialog] button[type=submit]');
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => done(button.click());
      port2.postMessage(null);
      button.click();
    })`);
    await page.getByText('Shown only now').waitFor();
    const { keys } = (await developer.get(`/accounts/${dashboard.accountId}/keys`)).json;
    expect(keys.filter(({ name }: { name: string }) => name === 'pressed twice').length).toBe(1);
  });

  it('shows the secret of a key that was asked for, whatever is pressed meanwhile', async () => {
    const developer = await dashboard.signIn({ [dashboard.accountId]: 'developer' });
    const page = await visit(dashboard.service.httpsPort, { as: developer });
    await page.goto('/keys');
    await page.getByRole('button', { name: 'Issue a key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('slow one');
    const answer = await holdAnswers(page, '**/keys', 'POST');
    await dialog.getByRole('button', { name: 'Issue the key' }).click();
    await answer.asked;
    await page.keyboard.press('Escape');
    await dialog.locator('.mantine-Modal-close').click();
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    answer.letThrough();
    await dialog.getByText('Shown only now').waitFor();
  });

  it('follows what others do to a key', async () => {
    const developer = await dashboard.signIn({ [dashboard.accountId]: 'developer' });
    const page = await visit(dashboard.service.httpsPort, { as: developer });
    const keys = `/accounts/${dashboard.accountId}/keys`;
    const made = await developer.ask('POST', keys, { name: 'of two hands', environment: 'test' });
    await page.goto('/keys');
    await rowOf(page, 'of two hands').waitFor();
    expect((await developer.ask('POST', `${keys}/${made.json.key.id}/revoke`)).status).toBe(200);
    await rowOf(page, 'of two hands').waitFor({ state: 'detached' });
  });

  it('is no wider than a phone with a key of a long name', async () => {
    const developer = await dashboard.signIn({ [dashboard.accountId]: 'developer' });
    const name = 'unabbreviated'.repeat(4);
    const keys = `/accounts/${dashboard.accountId}/keys`;
    expect((await developer.ask('POST', keys, { name, environment: 'test' })).status).toBe(201);
    const page = await visit(dashboard.service.httpsPort, { as: developer, viewport: PHONE });
    await page.goto('/keys');
    await rowOf(page, name).waitFor();
    await expectReadable(page, [PHONE]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  });

  it('of another account shows none of these, says so, and begins with the first step', async () => {
    const stranger = await dashboard.signIn({ [other]: 'developer' });
    const page = await visit(dashboard.service.httpsPort, { as: stranger });
    await page.goto(`/keys?account=${dashboard.accountId}`);
    await page.getByRole('heading', { name: 'An account that you do not have' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('main').getByRole('button', { name: 'Second account' }).click();
    await page.getByText('No keys yet').waitFor();
    await page.getByRole('heading', { name: 'Second account' }).waitFor();
    expect(await page.getByText('first key').count()).toBe(0);
    await expectAccessible(page);
  });

  it('says of a quota that is used up who can raise it', async () => {
    const page = await visit(dashboard.service.httpsPort, {
      as: await dashboard.signIn({ [dashboard.accountId]: 'viewer' }),
    });
    await page.route('**/accounts/*/limits', async (route) => {
      const response = await route.fetch();
      const limits = await response.json();
      await route.fulfill({ response, json: { ...limits, checks_per_month: 3, used: 3 } });
    });
    await page.goto('/keys');
    await page.getByText(/^Used up: .* An operator can raise quota\.checks_per_month\.$/).waitFor();
  });

  it.each(['viewer', 'analyst'] as const)('lets a %s look, and change nothing', async (role) => {
    const visitor = await dashboard.signIn(role === 'viewer' ? { [dashboard.accountId]: role } : role);
    const page = await visit(dashboard.service.httpsPort, { as: visitor });
    await page.route('**/accounts/*/keys', async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      await route.fulfill({
        response,
        body: body.replaceAll('"seen_in_clear_at":null', `"seen_in_clear_at":"${new Date().toISOString()}"`),
      });
    });
    await page.goto('/keys');
    await page.getByText('first key').first().waitFor();
    await page.getByText('Ask a developer of the account to rotate it').waitFor();
    expect(await page.getByRole('button', { name: /Issue|Rotate|Revoke/ }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
  });
});
