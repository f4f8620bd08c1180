import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { PASSWORD } from '../support/dashboard.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser } from './support/browser.ts';

const visit = aBrowser();
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const EMAIL = 'ada@firm.example';
const OTHER_PASSWORD = 'seven purple lighthouses hum';

describe.skipIf(CHROMIUM === null)('the first owner', () => {
  it('is set up by the link of the first start, signs out and in again, and chooses another password', async () => {
    const page = await visit(service.httpsPort, { refusals: [401, 422] });
    await page.goto(service.setupPath ?? '');
    await page.getByRole('heading', { name: 'Welcome to Postern' }).waitFor();
    await expectAccessible(page);

    await page.getByLabel('Your name').fill('Ada Example');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill('passwordpassword');
    await page.getByRole('button', { name: 'Set up and sign in' }).click();
    await page.getByText('first that would be guessed').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Set up and sign in' }).click();

    await page.getByRole('button', { name: 'Signed in as Ada Example' }).click();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    await page.getByRole('heading', { name: 'Your password' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password').fill(OTHER_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('status').getByText('The new password holds').waitFor();

    await page.getByRole('button', { name: 'Signed in as Ada Example' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // The next person is not led to where this one was.
    expect(new URL(page.url()).search).toBe('');

    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('wrong_credentials').waitFor();
    await expectAccessible(page);

    await page.getByLabel('Password', { exact: true }).fill(OTHER_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Signed in as Ada Example' }).waitFor();
  });

  it('cannot use the link twice', async () => {
    const page = await visit(service.httpsPort, { refusals: [400, 404, 410] });
    await page.goto(service.setupPath ?? '');
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await page.getByRole('alert').getByText('invalid_link').waitFor();
    await expectAccessible(page);
  });

  it('is asked to sign in where the session has ended meanwhile, and then stands where they were', async () => {
    const page = await visit(service.httpsPort, { refusals: [401] });
    const signIn = async () => {
      await page.getByLabel('Email').fill(EMAIL);
      await page.getByLabel('Password', { exact: true }).fill(OTHER_PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await page.goto('/account/password');
    await signIn();
    await page.getByLabel('Current password').fill(OTHER_PASSWORD);
    await page.getByLabel('New password').fill(PASSWORD);
    // A request that the page still makes on its own would be the one to meet the ended session.
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn();
    await page.getByRole('heading', { name: 'Your password' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/account/password');
    expect(await page.getByLabel('New password').inputValue()).toBe(PASSWORD);
  });
});
