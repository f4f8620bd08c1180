import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { startDashboard, type TestDashboard } from '../support/dashboard.ts';
import { aBrowser } from './support/browser.ts';
import { expectReadable } from './support/looks.ts';

const visit = aBrowser();
let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

describe.skipIf(CHROMIUM === null)('docs', () => {
  it('a question leads to the part that answers it, and its links to others that are read too', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, {
      as,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const inView = (id: string) =>
      page.evaluate(`Math.abs(document.getElementById('${id}').getBoundingClientRect().top - 56) < 120`);

    await page.goto('/docs');
    await page.getByRole('cell', { name: 'every refusal, its code, and whether to try again' }).waitFor();
    await expectReadable(page);

    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: /^Go to a page/ }).fill('how do I rotate a key');
    await page.locator('[data-selected]').getByText('Keys', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/docs/api' && url.hash === '#keys');
    await expect.poll(() => inView('keys')).toBe(true);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toContain('Jane.Doe+news@gmail.com');
    await expectReadable(page);

    // To a part of another document, and within one.
    await page.getByRole('link', { name: 'Errors' }).first().click();
    await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor();
    await page.goto('/docs/rules#the-ledger');
    await expect.poll(() => inView('the-ledger')).toBe(true);
    await page.getByRole('navigation', { name: 'Parts of this document' }).getByText('Unknown').click();
    await expect.poll(() => inView('unknown')).toBe(true);

    await page.goto('/docs/decisions/0000-nothing');
    await page.getByText('No document has this name').waitFor();
  });

  it('the API reference has every operation with what it takes, answers and refuses', async () => {
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/docs/openapi#check');
    const check = page.locator('#check');
    await check.getByText('Authorization: Bearer pst_live_…').waitFor();
    await check.getByText('"canonical": "janedoe@gmail.com"').waitFor();
    await check.getByText('The API key is unknown or revoked.').waitFor();
    await expectReadable(page);

    await page.getByRole('link', { name: 'API reference of the dashboard' }).click();
    await page.getByLabel('Find an operation').fill('put labels');
    await page.getByText('Say what became of several checks.').click();
    await page.getByText('list of string, 1 to 1000 of them').waitFor();
    await expectReadable(page);
  });

  it('a page leads to what explains it', async () => {
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/keys');
    await page.getByRole('main').getByRole('link', { name: 'Docs' }).click();
    await page.getByRole('heading', { name: 'The API', level: 1 }).waitFor();
  });
});
