import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

const fits = 'document.documentElement.scrollWidth <= innerWidth';

describe.skipIf(CHROMIUM === null)('an address is tried', () => {
  it.each(LOOKS)(
    'and its signals and its ledger can be read, in %s at the width of a %s',
    async (colorScheme, _, viewport) => {
      const as = await dashboard.signIn('analyst');
      const page = await visit(dashboard.service.httpsPort, { as, colorScheme, viewport });
      await page.goto('/try');
      await page.getByText('Type an address, or take an example').waitFor();
      expect(await page.evaluate(fits)).toBe(true);
      await expectAccessible(page);
      await page.getByLabel('Email address').fill('Jane+x@gmail.com');
      await page.keyboard.press('Enter');
      await page.getByText('It would answer').waitFor();
      await page.getByRole('heading', { name: 'jane@gmail.com' }).waitFor();
      expect(await page.evaluate(fits)).toBe(true);
      await expectAccessible(page);
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
