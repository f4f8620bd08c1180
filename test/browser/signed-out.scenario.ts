import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser } from './support/browser.ts';
import { expectReadable } from './support/looks.ts';

const visit = aBrowser();
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe.skipIf(CHROMIUM === null)('before the sign-in', () => {
  it('the form can be read and used', async () => {
    const page = await visit(service.httpsPort);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    expect(await page.title()).toBe('Sign in · Postern');
    await expectReadable(page);
  });

  it('a person who wanted another page is brought there after the sign-in', async () => {
    const page = await visit(service.httpsPort);
    for (const wanted of ['/keys?account=acc_1', '/docs/operations#certificates']) {
      await page.goto(wanted);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(new URL(page.url()).searchParams.get('next')).toBe(wanted);
    }
  });

  it('a choice of colours holds at once, and after a reload from the first paint on', async () => {
    const page = await visit(service.httpsPort, { colorScheme: 'light' });
    await page.goto('/sign-in');
    await page.locator('label', { hasText: 'Dark' }).click();
    const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    await expect.poll(scheme).toBe('dark');
    // Without the application only what runs before the first paint is left.
    await page.route('**/assets/index-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    await page.reload();
    expect(await scheme()).toBe('dark');
    await page.getByText('The dashboard is loading').waitFor();
  });

  it('the form is filled in and sent by keyboard alone', async () => {
    const page = await visit(service.httpsPort, { refusals: [401] });
    await page.goto('/sign-in');
    await page.getByLabel('Email').waitFor();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('a password of some length');
    await page.keyboard.press('Enter');
    expect((await sent).postDataJSON()).toEqual({
      email: 'ada@example.com',
      password: 'a password of some length',
    });
    await page.getByRole('alert').waitFor();
  });

  it('a link without its token says where to find the whole one', async () => {
    const page = await visit(service.httpsPort);
    await page.goto('/setup');
    await page.getByRole('heading', { name: 'A link is needed' }).waitFor();
    await expectAccessible(page);
  });
});
