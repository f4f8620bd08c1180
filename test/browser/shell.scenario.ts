import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { PASSWORD, startDashboard, type TestDashboard, type Visitor } from '../support/dashboard.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser } from './support/browser.ts';
import { expectReadable, PHONE } from './support/looks.ts';
import { expectReadableUnderPointer } from './support/under-pointer.ts';

const visit = aBrowser();
let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

describe.skipIf(CHROMIUM === null)('around every page', () => {
  it('the frame can be read and used', async () => {
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as, viewport: PHONE });
    await page.goto('/account/password');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Open the navigation' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('radiogroup').waitFor();
    await expectReadable(page, [PHONE]);
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectReadable(page);
  });

  it.each([
    ['/', 'Overview', /\/overview\?since=[^&]+$/],
    ['/checks', 'Checks', /\/checks$/],
    ['/rules', 'Rules', /\/api\/rules$|\/rules\/language$/],
  ])('what %s shows first is asked for once, before the app is there', async (path, name, isData) => {
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as });
    // Early questions and the app's name whole minutes: no minute begins between them.
    await page.clock.setFixedTime(Date.now());
    // On a machine that stands still for half a minute they would be dropped as old.
    await page.addInitScript(
      'const later = setTimeout; setTimeout = (run, ms) => (ms === 30_000 ? 0 : later(run, ms))',
    );
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    // The app comes after the answers: else either could be the first to ask.
    let letIn = () => {};
    const held = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    const isEarly = page.waitForResponse((response) => isData.test(response.url()));
    await page.goto(path, { waitUntil: 'commit' });
    await isEarly;
    letIn();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await expect.poll(() => page.evaluate('posternEarlyAnswers.size')).toBe(0);
    const data = asked.filter((url) => /\/dashboard\/api\//.test(url) && isData.test(url));
    expect(data.length).toBe(new Set(data).size);
    expect(data.length).toBe(path === '/rules' ? 2 : 1);
  });

  it.each([
    ['/rules', /\/rules\/lint$/, 'The text could not be linted'],
    ['/rules', /\/rules\/replay$/, 'The effect could not be worked out'],
    ['/keys', /\/usage\?/, 'The usage could not be loaded'],
    ['/people', /\/api\/accounts$/, 'The accounts could not be loaded'],
    ['/people', /\/api\/links$/, 'The links could not be loaded'],
  ])('what %s could not read is asked for again by a button: %s', async (path, url, deed) => {
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [500] });
    await page.route(url, (route) => route.fulfill({ status: 500 }));
    await page.goto(path);
    const notice = page.getByRole('alert').filter({ hasText: deed });
    await notice.waitFor();
    await page.unroute(url);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await notice.waitFor({ state: 'detached' });
  });

  it('only the page is printed', async () => {
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/keys');
    const heading = page.getByRole('heading', { level: 1, name: 'Keys' });
    await heading.waitFor();
    await page.getByRole('banner').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('banner').waitFor({ state: 'hidden' });
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'hidden' });
    expect((await page.getByRole('main').boundingBox())?.x).toBe(0);
    expect((await heading.boundingBox())?.y).toBeLessThan(30);
  });

  it('what can be pressed can be read under the pointer too', async () => {
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as });
    let looked = 0;
    for (const [path, name] of [
      ['/people', 'Invite'],
      ['/lists?list=deny', 'Add an entry'],
      ['/keys', 'Issue a key'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('button', { name }).first().waitFor();
      looked += await expectReadableUnderPointer(page);
    }
    expect(looked).toBeGreaterThan(60);
  });

  it('a sign-out that failed says so, and is tried again', async () => {
    const page = await visit(dashboard.service.httpsPort, {
      as: await dashboard.signIn('owner'),
      refusals: [409],
    });
    await page.route('**/dashboard/api/session', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 409, json: { error: { code: 'busy', message: 'Not now.' } } })
        : route.fallback(),
    );
    await page.goto('/account/password');
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const told = page.getByRole('dialog').getByRole('alert');
    await told.getByText('You are still signed in').waitFor();
    await expectAccessible(page);
    await page.unrouteAll();
    await told.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('a dialog that is filled in is there again once its person signs in again, and is not for another person', async () => {
    const owner = await dashboard.signIn('owner');
    const viewer = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as: owner, refusals: [401] });
    const dialog = page.getByRole('dialog');
    const endAndSignIn = async ({ person }: Visitor) => {
      await page.waitForLoadState('networkidle');
      await page.context().clearCookies();
      await dialog.getByRole('button', { name: 'Make the link' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByText('Your session has ended.').waitFor();
      await dialog.waitFor({ state: 'hidden' });
      await expectAccessible(page);
      await page.getByRole('textbox', { name: 'Email' }).fill(person?.email ?? '');
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await page.goto('/people');
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByLabel('Email').fill('new@firm.example');
    await endAndSignIn(owner);
    await dialog.getByText('The session had ended.').waitFor();
    expect(await dialog.getByLabel('Email').inputValue()).toBe('new@firm.example');
    await expectAccessible(page);
    await endAndSignIn(viewer);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('another account is chosen, and stays in view on the next page and after a reload', async () => {
    await dashboard.createAccount('Second shop');
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/account/password');
    await page.getByRole('button', { name: /^Account:/ }).click();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Second shop' }).click();
    const chosen = page.getByRole('button', { name: 'Account: Second shop' });
    await chosen.waitFor();
    await page.getByRole('link', { name: 'Postern, first page' }).click();
    await chosen.waitFor();
    await page.reload();
    await chosen.waitFor();
    expect(new URL(page.url()).searchParams.get('account')).toMatch(/^acc_/);
  });

  it('an account with a long name leaves the pages as wide as the window', async () => {
    const name = `Hypermarket ${'Unabbreviated'.repeat(3)} of the North`;
    const id = await dashboard.createAccount(name);
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as, viewport: PHONE });
    for (const path of ['/keys', '/people', '/']) {
      await page.goto(`${path}?account=${id}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByTitle(name).first().waitFor();
      await expect
        .poll(async () => [path, await page.evaluate('document.documentElement.scrollWidth')])
        .toEqual([path, PHONE.width]);
    }
    await page.setViewportSize({ ...PHONE, width: 360 });
    const label = await page.getByRole('banner').getByText(name).boundingBox();
    expect(label?.width).toBeGreaterThan(60);
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name }).waitFor();
    await expectReadable(page, [PHONE]);
  });

  it('the one account of a person is named on a phone too', async () => {
    const viewport = { ...PHONE, width: 360 };
    const as = await dashboard.signIn({ [await dashboard.createAccount('Only shop')]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as, viewport });
    await page.goto('/checks');
    await page.getByRole('banner').getByText('Only shop').waitFor();
    await expectReadable(page, [viewport]);
  });

  it('a page that the person may not see says so, and leads on', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/people');
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
    await page.getByText('“People” is for owners.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'To the first page' }).click();
    await page.waitForURL((url) => url.pathname !== '/people');
  });

  it('an address of no page says so in words, and leads on', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [404] });
    const answer = await page.goto('/chekcs');
    expect(answer?.status()).toBe(404);
    await page.getByText('No page has this address').waitFor();
    await expectReadable(page);
    await page.getByRole('navigation', { name: 'Pages that are there' }).getByText('Checks').click();
    await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor();
  });

  it.each(['js', 'css'])(
    'a page whose .%s could not be fetched says so, and is there at the next visit',
    async (type) => {
      const as = await dashboard.signIn('owner');
      const page = await visit(dashboard.service.httpsPort, { as });
      await page.goto('/account/password');
      await page.getByRole('heading', { level: 1 }).waitFor();
      // React writes there what is caught here.
      page.removeAllListeners('console');
      const lost = new RegExp(`/assets/keys-page-[^/]+\\.${type}$`);
      await page.route(lost, (route) => route.fulfill({ status: 503 }));
      const pages = page.getByRole('navigation', { name: 'Pages' });
      await pages.getByRole('link', { name: 'Keys' }).click();
      await page.getByText('A part of this page could not be fetched').waitFor();
      await page.unroute(lost);
      await pages.getByRole('link', { name: 'Checks' }).click();
      await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor();
      await pages.getByRole('link', { name: 'Keys' }).click();
      await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
      const styles = `[...document.styleSheets].some(({ href }) => href?.includes('/keys-page-'))`;
      await expect.poll(() => page.evaluate(styles)).toBe(true);
    },
  );

  it('the content is reached by keyboard past the navigation', async () => {
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/account/password');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
  });

  it('a dialog that closes gives the focus back to the control that opened it', async () => {
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as });
    const focused = () =>
      page.evaluate(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      );
    await page.goto('/people');
    await page.getByRole('button', { name: 'Invite' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Invite');

    const menu = page.getByRole('button', { name: /^Change / }).first();
    const name = await menu.getAttribute('aria-label');
    await menu.press('Enter');
    await page.getByRole('menuitem').first().press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe(name);
  });

  it('the command palette leads to pages, accounts, rules and checks, by keys alone', async () => {
    await dashboard.createAccount('Third shop');
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [404, 422] });
    const field = page.getByRole('textbox', { name: /^Go to a page/ });
    const typeAndTake = async (text: string, entry: string) => {
      await field.fill(text);
      await page.locator('[data-selected]').getByText(entry, { exact: true }).waitFor();
      await page.keyboard.press('Enter');
    };
    await page.goto('/account/password');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('/');
    await field.waitFor();
    await page.getByRole('button', { name: 'Audit trail' }).waitFor();
    await field.press('ArrowDown');
    await page
      .getByRole('status')
      .filter({ hasText: /^Overview$/ })
      .waitFor();
    // By a style that comes with the palette, after those of all components.
    const chosen = 'getComputedStyle(document.querySelector("[data-selected]")).backgroundColor';
    expect(await page.evaluate(chosen)).not.toBe('rgba(0, 0, 0, 0)');
    await expectReadable(page);

    await typeAndTake('third', 'Third shop');
    await page.getByRole('button', { name: 'Account: Third shop' }).waitFor();
    await field.waitFor({ state: 'detached' });

    // In a field `/` is typed, Ctrl-K opens all the same, and the focus comes back to the field.
    const password = page.getByLabel('Current password');
    await password.press('/');
    expect(await password.inputValue()).toBe('/');
    await password.press('Control+k');
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('current_password');

    await page.getByRole('button', { name: 'Command palette' }).click();
    await typeAndTake('chk_01M807HT4B78DFG0Z06J5TDH2P', 'Open check chk_01M807HT4B78DFG0Z06J5TDH2P');
    await page.getByText('Third shop has no such check').waitFor();
    await page.keyboard.press('Control+k');
    await typeAndTake('shop.example', 'Search checks for “shop.example”');
    await page.waitForURL((url) => url.searchParams.get('domain') === 'shop.example');

    await page.keyboard.press('Control+k');
    await typeAndTake('jane..@@', 'Search checks for “jane..@@”');
    await page.getByText('The address was not looked for').waitFor();
    await expectReadable(page);
    await typeAndTake('jane@shop.example', 'Search checks for “jane@shop.example”');
    await page.waitForURL((url) => url.searchParams.has('person'));
    expect(page.url()).not.toContain('jane');

    await page.keyboard.press('Control+k');
    await typeAndTake('disposable', 'disposable');
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    await page.waitForURL((url) => url.pathname === '/rules' && url.searchParams.has('file'));
    await page.locator('.cm-content').getByText('id: disposable', { exact: false }).first().waitFor();
  });

  it('the command palette searches all accounts where these are chosen', async () => {
    const as = await dashboard.signIn('analyst');
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [404] });
    await page.goto('/?scope=all');
    for (const [typed, path, filter] of [
      ['shop.example', '/checks', 'domain='],
      ['jane@shop.example', '/checks', 'person='],
      ['chk_none', '/checks/chk_none', ''],
    ] as const) {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: /^Go to a page/ }).fill(typed);
      await page.getByRole('button', { name: new RegExp(`^(Open|Search).* .?${typed}`) }).click();
      await page.waitForURL((url) => url.pathname === path && url.search.includes(filter));
      expect(new URL(page.url()).searchParams.get('scope'), typed).toBe('all');
    }
  });

  it('all accounts stay chosen on the way from page to page', async () => {
    const as = await dashboard.signIn('analyst');
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/');
    await page.getByText('All accounts', { exact: true }).click();
    const pages = page.getByRole('navigation', { name: 'Pages' });
    for (const name of ['Lists', 'Checks']) {
      await pages.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
    }
    expect(await page.getByRole('radio', { name: 'All accounts' }).isChecked()).toBe(true);
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: /^Go to a page/ }).fill('overview');
    await page.getByRole('button', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(await page.getByRole('radio', { name: 'All accounts' }).isChecked()).toBe(true);
  });

  it('the command palette offers nothing that is for others, and opens over no dialog', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'developer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    const field = page.getByRole('textbox', { name: /^Go to a page/ });
    await page.goto('/keys');
    await page
      .getByRole('button', { name: /^Issue/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await field.fill('rule');
    await page.getByRole('button', { name: 'Search checks for “rule”' }).waitFor();
    await page.getByRole('group', { name: 'Docs' }).waitFor();
    expect(await page.getByRole('dialog').getByRole('group').count()).toBe(2);
  });
});
