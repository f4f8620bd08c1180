import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { startDashboard, type TestDashboard } from '../support/dashboard.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser, DESK, PHONE } from './support/browser.ts';

const LOOKS = [
  ['light', 'desk', DESK],
  ['dark', 'desk', DESK],
  ['light', 'phone', PHONE],
  ['dark', 'phone', PHONE],
] as const;

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

const fits = 'document.documentElement.scrollWidth <= innerWidth';

describe.skipIf(CHROMIUM === null)('providers', () => {
  it.each(LOOKS)(
    'are listed, and one is looked at closely, in %s at the width of a %s',
    async (colorScheme, _, viewport) => {
      const as = await dashboard.signIn('analyst');
      await dashboard.service.check('jane@gmail.com');
      const page = await visit(dashboard.service.httpsPort, { as, colorScheme, viewport });
      await page.goto('/providers');
      await page.getByRole('button', { name: 'mx', exact: true }).waitFor();
      await page.getByText(/replies/).waitFor();
      expect(await page.evaluate(fits)).toBe(true);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'mx', exact: true }).click();
      await page.getByRole('dialog').getByText('domain.has_mx').waitFor();
      await expectAccessible(page);
    },
  );
});

describe.skipIf(CHROMIUM === null)('lists', () => {
  it('take an entry that decides the next check, change it, and let it go', async () => {
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
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('alert').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Address or domain').fill('.firm.example');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('status').getByText('In force').waitFor();
    expect(await action()).toBe('BLOCK');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Change .firm.example' }).click();
    await dialog.getByLabel('Reason').fill('A ring, says Ann.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'A ring, says Ann.' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No entries yet').waitFor();
    expect(await action()).toBe('ALLOW');
  });

  it.each(LOOKS)('can be read in %s at the width of a %s', async (colorScheme, _, viewport) => {
    const as = await dashboard.signIn('analyst');
    const page = await visit(dashboard.service.httpsPort, { as, colorScheme, viewport });
    for (const list of ['allow', 'downloaded', 'built-in']) {
      await page.goto(`/lists?list=${list}`);
      await page.getByRole('tabpanel').locator('table, h2, h3, p').first().waitFor();
      expect(await page.evaluate(fits)).toBe(true);
      await expectAccessible(page);
    }
  });
});
