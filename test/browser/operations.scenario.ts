import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { startDashboard, type TestDashboard } from '../support/dashboard.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser } from './support/browser.ts';
import { DESK, expectReadable, PHONE } from './support/looks.ts';

const visit = aBrowser();
let dashboard: TestDashboard;
const rules = mkdtempSync(join(tmpdir(), 'postern-rules-'));
beforeAll(async () => {
  // The shipped rules, where a test may write.
  cpSync(join(packageRoot, 'rules'), rules, { recursive: true });
  dashboard = await startDashboard({ rules: { dir: rules }, lists: { urls: [] } });
});
afterAll(async () => {
  await dashboard.stop();
  rmSync(rules, { recursive: true });
});

describe.skipIf(CHROMIUM === null)('providers', () => {
  it.each([DESK, PHONE])('are listed, and one is looked at closely, $width pixels wide', async (viewport) => {
    const as = await dashboard.signIn('analyst');
    await dashboard.service.check('jane@gmail.com');
    const page = await visit(dashboard.service.httpsPort, { as, viewport });
    await page.goto('/providers');
    await page.getByRole('button', { name: 'mx', exact: true }).waitFor();
    await page.getByText(/replies/).waitFor();
    await expectReadable(page, [viewport]);
    await page.getByRole('button', { name: 'mx', exact: true }).click();
    await page.getByRole('dialog').getByText('domain.has_mx').waitFor();
    await expectReadable(page, [viewport]);
  });

  it('have no figures before there are any, and those that are counted so far say so', async () => {
    const page = await visit(dashboard.service.httpsPort, { as: await dashboard.signIn('analyst') });
    let share = 0.43;
    const asked = Promise.withResolvers<void>();
    const counted = Promise.withResolvers<void>();
    await page.route('**/dashboard/api/overview?*', async (route) => {
      asked.resolve();
      await counted.promise;
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), counted_share: share } });
    });
    await page.goto('/providers');
    await asked.promise;
    const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'mx', exact: true }) });
    await row.waitFor();
    expect(await row.getByRole('cell', { name: '0', exact: true }).count()).toBe(0);
    await row.getByRole('button', { name: 'mx', exact: true }).click();
    await page.getByRole('dialog').getByText('domain.has_mx').waitFor();
    expect(await page.getByText('Nothing was left unknown in this time.').count()).toBe(0);
    await page.keyboard.press('Escape');
    counted.resolve();
    await page.getByText('43 %').waitFor();
    await expectAccessible(page);
    share = 1;
    await page.getByText('43 %').waitFor({ state: 'detached' });
  });
});

describe.skipIf(CHROMIUM === null)('lists', () => {
  it('show what an entry would do, take it, decide the next check by it, change it, and let it go', async () => {
    const as = await dashboard.signIn('analyst');
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [400] });
    const action = async () => (await dashboard.service.check('jane@firm.example')).json.summary.action;
    expect(await action()).toBe('ALLOW');
    await page.goto('/lists?list=deny');
    await page.getByText('No entries yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add an entry' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address or domain').fill('*.firm.example');
    await dialog.getByLabel('Reason').fill('A ring of accounts.');
    await dialog.getByLabel('Until').fill('2099-01-31');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    const fault = 'Write jane@example.org, example.org or .example.org. Did you mean .firm.example?';
    await dialog.getByText(fault).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Address or domain').fill('.firm.example');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByText('1 decision flips from ALLOW to BLOCK').waitFor();
    await dialog.getByRole('link', { name: '…@firm.example' }).waitFor();
    await expectReadable(page, [PHONE, { width: 1440, height: 900 }]);
    // Nothing is in force yet, and what was written is there again.
    await dialog.getByRole('button', { name: 'Back' }).click();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('A ring of accounts.');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByRole('button', { name: 'Add to deny' }).click();
    await page.getByRole('status').getByText('In force').waitFor();
    expect(await action()).toBe('BLOCK');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Change .firm.example' }).click();
    await dialog.getByLabel('Reason').fill('A ring, says Ann.');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByText(/^None of \d checks/).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'A ring, says Ann.' }).waitFor();
    await page.getByRole('button', { name: 'Remove .firm.example' }).click();
    await dialog.getByText('2 decisions flip from BLOCK to ALLOW').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No entries yet').waitFor();
    expect(await action()).toBe('ALLOW');
  });

  it('are shown page by page, and searched whole', async () => {
    const dir = temporaryDirectory();
    cpSync(join(packageRoot, 'rules'), dir, { recursive: true });
    const entries = Array.from(
      { length: 101 },
      (_, index) => `- { value: shop${index}.example, reason: Seen in May., owner: risk }\n`,
    );
    writeFileSync(join(dir, 'deny.yaml'), entries.join(''));
    const own = await startDashboard({ rules: { dir }, lists: { urls: [] } });
    onTestFinished(() => own.stop());
    const page = await visit(own.service.httpsPort, { as: await own.signIn('analyst') });
    await page.goto('/lists?list=deny');
    const pages = page.getByRole('navigation', { name: 'Pages of entries' });
    await pages.getByText('1 to 50 of 101').waitFor();
    // With the row of their names.
    expect(await page.getByRole('row').count()).toBe(51);
    await expectReadable(page);
    await pages.getByRole('button', { name: 'Next' }).click();
    await pages.getByText('51 to 100 of 101').waitFor();
    await page.getByLabel('Find an entry').fill('shop99');
    await page.getByRole('cell', { name: 'shop99.example' }).waitFor();
    expect(await pages.count()).toBe(0);
    await page.getByLabel('Find an entry').fill('');
    await pages.getByText('1 to 50 of 101').waitFor();
    await pages.getByRole('button', { name: 'Next' }).click();
    await pages.getByRole('button', { name: 'Next' }).click();
    await pages.getByText('101 to 101 of 101').waitFor();
    expect(await pages.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    // With its only entry the page goes.
    await page.getByRole('button', { name: 'Remove shop100.example' }).click();
    await page.getByRole('dialog').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await pages.getByText('51 to 100 of 100').waitFor();
    await page.getByRole('cell', { name: 'shop99.example' }).waitFor();
    // What is searched for can be taken back, also where so few are left that the field is not offered.
    await page.getByLabel('Find an entry').fill('shop99');
    await page.route('**/dashboard/api/lists', async (route) => {
      const response = await route.fetch();
      const { own, ...others } = await response.json();
      const few = own.map((list: { entries: object[] }) => ({ ...list, entries: list.entries.slice(-5) }));
      await route.fulfill({ response, json: { own: few, ...others } });
    });
    await page.getByRole('button', { name: 'Change shop99.example' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Seen again.');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Deny 5' }).waitFor();
    await page.getByLabel('Find an entry').fill('');
    await page.getByRole('cell', { name: 'shop95.example' }).waitFor();
  });

  it('take an entry from a check, with what it would do', async () => {
    const as = await dashboard.signIn('analyst');
    const page = await visit(dashboard.service.httpsPort, { as });
    const { id } = (await dashboard.service.check('cem@firm.example')).json;
    await page.goto(`/checks/${id}?scope=all`);
    await page.getByRole('button', { name: 'Add to a list' }).click();
    await page.getByRole('menuitem', { name: 'Deny…' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByLabel('Address or domain').inputValue()).toBe('firm.example');
    await dialog.getByLabel('Address or domain').fill('cem@firm.example');
    await dialog.getByLabel('Reason').fill('Asked twice.');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByText('1 decision flips from ALLOW to BLOCK').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add to deny' }).click();
    await page.getByRole('status').getByText('In force').waitFor();
    const actionOf = async (email: string) => (await dashboard.service.check(email)).json.summary.action;
    expect([await actionOf('cem@firm.example'), await actionOf('dan@firm.example')]).toEqual([
      'BLOCK',
      'ALLOW',
    ]);
    await expectAccessible(page);
  });

  it.each(['allow', 'downloaded', 'built-in'])('can be read: %s', async (list) => {
    const as = await dashboard.signIn('analyst');
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto(`/lists?list=${list}`);
    await page.getByRole('tabpanel').locator('table, h2, h3, p').first().waitFor();
    await expectReadable(page);
  });
});
