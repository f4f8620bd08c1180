import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { startDashboard, type TestDashboard } from '../support/dashboard.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser, holdAnswers } from './support/browser.ts';
import { DESK, expectReadable, PHONE } from './support/looks.ts';

const visit = aBrowser();
let dashboard: TestDashboard;
let blockedId: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  const { service } = dashboard;
  await service.check('jane.doe@example.com');
  blockedId = (await service.check('someone@mailinator.com')).json.id;
  await service.withStorage(async ({ keys }) => {
    const [key] = await keys.list(dashboard.accountId);
    await keys.markSeenInClear(key?.id ?? '', new Date().toISOString(), '1970-01-01T00:00:00.000Z');
  });
});
afterAll(() => dashboard.stop());

describe.skipIf(CHROMIUM === null)('the overview', () => {
  it('shows what was checked', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      // The time before is compared with later.
      if (!searchParams.has('until')) asked.push(pathname);
    });
    await page.goto('/');
    await page.getByRole('heading', { name: 'Checks over time' }).waitFor();
    await page.getByText('1 of 2 checks').waitFor();
    // What was asked for while the app was on its way is taken over by it.
    expect(asked.filter((path) => /\/(session|overview)$/.test(path)).length).toBe(2);
    await page.getByRole('list', { name: 'Domains with most checks' }).getByText('mailinator.com').waitFor();
    await page
      .getByRole('region', { name: 'Wants attention' })
      .getByText('“first key” came over plain HTTP')
      .waitFor();
    await expectReadable(page);
  });

  it('says how far it is while it counts, shows what is counted, and goes on by itself', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    let share = 0.43;
    await page.route('**/dashboard/api/**/overview?*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), counted_share: share } });
    });
    await page.goto('/?range=30d');
    await page.getByText('43 %').waitFor();
    await page.getByRole('heading', { name: 'Checks over time' }).waitFor();
    await expectAccessible(page);
    share = 1;
    await page.getByText('43 %').waitFor({ state: 'detached' });
  });

  it('leads from a bar to its checks, and to the time that is drawn over the chart', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/?range=7d');
    await page.locator('[data-bar="0"]').click();
    await page.getByRole('link', { name: '…@example.com' }).waitFor();
    expect(await page.getByRole('link', { name: '…@mailinator.com' }).count()).toBe(0);
    expect(new URL(page.url()).search).toContain('min_score=0&max_score=4');
    await page.goBack();

    for (const name of ['Decision time', 'Checks over time']) {
      await page.goto('/?range=7d');
      const chart = page.getByRole('img', { name });
      await chart.scrollIntoViewIfNeeded();
      const { x = 0, y = 0, width = 0 } = (await chart.boundingBox()) ?? {};
      await page.mouse.move(x + width * 0.6, y + 100);
      await page.mouse.down();
      await page.mouse.move(x + width - 20, y + 100, { steps: 4 });
      await page.mouse.up();
      await page.waitForURL((url) => url.searchParams.has('from') && url.searchParams.has('to'));
      await page.getByText('1 of 2 checks').waitFor();
    }

    const figures = page.locator('figure').filter({ has: page.getByRole('img', { name: 'Scores' }) });
    await figures.getByText('Figures as a table').click();
    await figures.getByRole('link', { name: '0 – 5', exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('looks at other days, and says where the last comes before the first, or too late', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [400] });
    // The form arrives after its button was pressed.
    const pressed = Promise.withResolvers<void>();
    await page.route('**/assets/other-days-*.js', async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await page.goto('/?range=7d');
    await page.getByRole('button', { name: 'Other days' }).click();
    pressed.resolve();
    const [from, to] = [page.getByLabel('From (UTC)'), page.getByLabel('To, this day too')];
    await from.waitFor();
    await from.fill('2026-11-20');
    for (const day of ['2026-11-10', '275760-09-13']) {
      await to.fill(day);
      await page.getByRole('button', { name: 'Show these days' }).click();
      expect(await to.evaluate((field) => field.matches(':invalid:focus'))).toBe(true);
    }
    await to.fill('2026-11-20');
    await page.getByRole('button', { name: 'Show these days' }).click();
    await page.waitForURL('**/?from=2026-11-20T00%3A00%3A00.000Z&to=2026-11-21T00%3A00%3A00.000Z');
    await page.goto('/?from=2025-01-01T00:00:00Z&to=2026-11-21T00:00:00Z');
    await page.getByText('A time of at most 400 days can be looked at.').waitFor();
  });

  it('marks when rules came into force, for those who may see Rule history', async () => {
    const page = await visit(dashboard.service.httpsPort, { as: await dashboard.signIn('analyst') });
    await page.goto('/?range=7d');
    const chart = page.locator('figure').filter({ has: page.getByRole('img', { name: 'Checks over time' }) });
    const mark = chart.getByRole('link', { name: /^Version 1, / });
    await mark.focus();
    await chart.getByText('Version 1', { exact: true }).first().waitFor();
    await chart.getByText('Figures as a table').click();
    await chart.getByRole('link', { name: 'Version 1', exact: true }).waitFor();
    await expectReadable(page);
    await mark.press('Enter');
    await page.getByRole('heading', { name: 'Rule history', level: 1 }).waitFor();

    const viewer = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const other = await visit(dashboard.service.httpsPort, { as: viewer });
    await other.goto('/?range=7d');
    await other.getByRole('img', { name: 'Checks over time' }).waitFor();
    expect(await other.getByRole('link', { name: /^Version 1, / }).count()).toBe(0);
  });

  it('compares with as long a time before, in figures and as an outline', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/');
    await page.getByText('none in the 24 hours before').waitFor();
    await page.route('**/dashboard/api/**/overview?*until=*', async (route) => {
      const answer = await route.fetch();
      const before = await answer.json();
      const decisions = [{ action: 'ALLOW', level: 'low', checks: 7 }];
      const bucket = {
        begins_at: before.until.replace(/T.*/, 'T00:00:00.000Z'),
        decisions,
        latency: before.latency,
      };
      await route.fulfill({
        response: answer,
        json: { ...before, checks: 8, blocked: 2, buckets: [bucket] },
      });
    });
    await page.goto('/?range=7d');
    await page.getByText('−75 % against the 7 days before').waitFor();
    await page.getByText('+25 points against the 7 days before').waitFor();
    await page.getByRole('switch', { name: 'With the time before' }).check();
    await page.waitForURL((url) => url.searchParams.get('compare') === 'before');
    const chart = page.locator('figure').filter({ has: page.getByRole('img', { name: 'Checks over time' }) });
    await chart.getByText('Figures as a table').click();
    await chart.getByRole('columnheader', { name: 'In the 7 days before' }).waitFor();
    await chart.getByRole('cell', { name: '7', exact: true }).waitFor();
    await expectReadable(page);
  });

  it('leads from a rule to the checks in which it fired', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/');
    await page.getByRole('link', { name: 'disposable', exact: true }).click();
    await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor();
    await page.getByRole('link', { name: '…@mailinator.com' }).waitFor();
    expect(await page.getByRole('link', { name: '…@example.com' }).count()).toBe(0);
  });

  it('and every other page have a bell that leads to what wants attention', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/try');
    await page.getByRole('button', { name: 'Attention: one thing' }).click();
    await page.getByText('“first key” came over plain HTTP').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Look at it' }).click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('account')).toBe(dashboard.accountId);
  });

  it('of an account without a check has a list of first steps that ticks itself', async () => {
    const other = await dashboard.createAccount('Quiet shop');
    const as = await dashboard.signIn({ [other]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/');
    await page.getByText('No live check in this time').waitFor();
    await page.getByText('curl --cacert').waitFor();
    await page.getByRole('link', { name: 'Download postern-ca.pem' }).waitFor();
    const key = page.getByRole('listitem').filter({ hasText: 'Issue a key' });
    await key.getByRole('img', { name: 'To do' }).waitFor();
    await expectReadable(page);
    const developer = await dashboard.signIn({ [other]: 'developer' });
    await developer.ask('POST', `/accounts/${other}/keys`, { name: 'shop', environment: 'live' });
    await key.getByRole('img', { name: 'Done' }).waitFor();
    await page.getByRole('button', { name: 'Put away' }).click();
    await key.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('No live check in this time').waitFor();
    expect(await key.count()).toBe(0);
  });

  it('of another account shows none of these figures while its own are on their way', async () => {
    const other = await dashboard.createAccount('Slow shop');
    const page = await visit(dashboard.service.httpsPort, { as: await dashboard.signIn('owner') });
    await page.goto(`/?account=${dashboard.accountId}`);
    const figures = page.getByText('1 of 2 checks');
    await figures.waitFor();
    const held = await holdAnswers(page, `**/accounts/${other}/overview?*`, 'GET');
    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Slow shop' }).click();
    await held.asked;
    await figures.waitFor({ state: 'detached' });
    held.letThrough();
    await page.getByText('No live check in this time').waitFor();
  });

  it('counts a new check within seconds, without a reload', async () => {
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/?scope=all');
    await page.getByText('1 of 2 checks').waitFor();
    const before = await dashboard.service.check('other@example.com');
    expect(before.status).toBe(200);
    await page.getByText('1 of 3 checks').waitFor();
  });
});

describe.skipIf(CHROMIUM === null)('checks', () => {
  it.each([DESK, PHONE])('are found and read, $width pixels wide', async (viewport) => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as, viewport, refusals: [422] });
    await page.goto('/checks');
    await page.getByLabel('Score from').fill('150');
    await page.getByRole('searchbox', { name: 'Search' }).fill('nobody@');
    await page.keyboard.press('Enter');
    await page.getByText('Write an address such as jane@example.org').waitFor();
    await page.getByText('0 to 100').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Score from').fill('');
    await page.getByRole('searchbox', { name: 'Search' }).fill('Some.One+x@mailinator.com');
    await page.keyboard.press('Enter');
    await page.getByText('No such check').waitFor();
    await page.getByText('Records are kept for as many days as the service’s configuration says').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('byw6-m738');
    await page.keyboard.press('Enter');
    await page.getByText('A pseudonym cannot be searched for').waitFor();
    await page.getByRole('button', { name: 'Do not narrow by address' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('someone@mailinator.com');
    await page.keyboard.press('Enter');
    await page.getByText('(hashed)').waitFor();
    // The address stands in no address.
    expect(page.url()).not.toContain('someone');
    const found = page.getByRole('link', { name: '…@mailinator.com' });
    await found.waitFor();
    await expectReadable(page, [viewport]);
    await found.click();

    await page.getByRole('heading', { name: 'Why' }).waitFor();
    const ledger = page.getByRole('list', { name: 'From 0 to the score' });
    await ledger.getByText(/^(in place of|with) /).click();
    await ledger.getByText('disposable').first().waitFor();
    await page.getByText('ALLOW needs').waitFor();
    await page.getByRole('list', { name: 'Time of each provider' }).waitFor();
    await expectReadable(page, [viewport]);
  });

  it('do not come back over another page once an address has been looked for', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/checks/person', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/checks');
    await page.getByRole('searchbox', { name: 'Search' }).fill('someone@mailinator.com');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    const answered = page.waitForResponse('**/checks/person');
    answer();
    await (await answered).finished();
    await page.waitForLoadState('networkidle');
    expect(new URL(page.url()).pathname).toBe('/keys');
  });

  it('are searched for by what is typed next, and by a score, without a key or the focus being lost', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/checks');
    const search = page.getByRole('searchbox', { name: 'Search' });
    const answer = await holdAnswers(page, '**/checks/person', 'POST');
    await search.fill('someone@mailinator.com');
    await page.keyboard.press('Enter');
    await answer.asked;
    await search.fill('next.exam');
    answer.letThrough();
    await page.getByText('(hashed)').waitFor();
    await page.keyboard.type('ple');
    expect(await search.inputValue()).toBe('next.example');

    const score = page.getByLabel('Score from');
    await score.fill('30');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('min_score') === '30');
    await expect.poll(() => page.getByRole('button', { name: /^Do not narrow by/ }).count()).toBe(2);
    expect(await page.getByLabel('Score from').and(page.locator(':focus')).count()).toBe(1);
    await page.getByRole('button', { name: /^Do not narrow by.*score/i }).click();
    await expect.poll(() => score.inputValue()).toBe('');
  });

  it('that come meanwhile are announced and shown, and one leads to the next within its search', async () => {
    const { service } = dashboard;
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    await service.check('ann@firm.example');
    const page = await visit(service.httpsPort, { as });
    await page.goto('/checks?domain=firm.example');
    await page.getByRole('link', { name: '…@firm.example' }).waitFor();
    await service.check('Ann+x@firm.example');
    await service.check('bob@firm.example');
    // As when a person comes back to the page, which does not wait for its ten seconds then.
    await page.evaluate('dispatchEvent(new Event("visibilitychange"))');
    await page.getByRole('button', { name: '2 new' }).click();
    const found = page.getByRole('link', { name: '…@firm.example' });
    await expect.poll(() => found.count()).toBe(3);
    // The same address twice, without a word of it.
    await expect.poll(() => page.getByText('×2').count()).toBe(2);
    await expectAccessible(page);
    await found.nth(1).click();
    const older = page.getByRole('link', { name: 'Older check' });
    await older.click();
    await page.getByRole('button', { name: 'Older', disabled: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Newer check' }).click();
    await page.getByRole('link', { name: 'Newer check' }).click();
    await page.getByRole('button', { name: 'Newer', disabled: true }).waitFor();
    await page.getByRole('link', { name: 'Back to the search' }).click();
    await page.getByRole('button', { name: 'Do not narrow by domain' }).waitFor();
  });

  it('are labelled by those who may, and the label is taken back', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'developer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto(`/checks/${blockedId}`);
    const bad = page.getByRole('button', { name: 'Bad' });
    await bad.click();
    await page.getByText(/^bad, by /).waitFor();
    expect(await bad.getAttribute('aria-pressed')).toBe('true');
    await expectAccessible(page);
    await bad.click();
    await page.getByText(/^bad, by /).waitFor({ state: 'detached' });

    const viewer = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const other = await visit(dashboard.service.httpsPort, { as: viewer });
    await other.goto(`/checks/${blockedId}`);
    await other.getByRole('heading', { name: 'Why' }).waitFor();
    expect(await other.getByRole('button', { name: 'Bad' }).count()).toBe(0);
  });

  it('are not labelled over what another person has said of one since it was shown', async () => {
    const { accountId, service } = dashboard;
    const [as, other] = [
      await dashboard.signIn({ [accountId]: 'developer' }),
      await dashboard.signIn('owner'),
    ];
    const { id } = (await service.check('two.of.us@example.com')).json;
    const say = (label: string) => other.ask('PUT', `/accounts/${accountId}/checks/${id}/label`, { label });
    const page = await visit(service.httpsPort, { as, refusals: [409] });
    await page.goto(`/checks/${id}`);
    const bad = page.getByRole('button', { name: 'Bad', exact: true });
    await bad.waitFor();
    await say('good');
    await bad.click();
    await page.getByText('Another person has changed it since this page was read.').waitFor();
    await page.getByText(`good, by ${other.person?.email}`).waitFor();
    await expectAccessible(page);
    // What is shown now may be changed.
    await bad.click();
    await page.getByText(`bad, by ${as.person?.email}`).waitFor();
    await say('good');
    await bad.click();
    await page.getByText(`good, by ${other.person?.email}`).waitFor();
    expect((await other.get(`/checks/${id}`)).json.labels[0].label).toBe('good');
  });

  it('are labelled several at once, but for those that another person has labelled since they were shown', async () => {
    const { accountId, service } = dashboard;
    const [as, other] = [
      await dashboard.signIn({ [accountId]: 'developer' }),
      await dashboard.signIn('owner'),
    ];
    const [{ id }] = (await other.get('/checks?domain=firm.example')).json.checks;
    const page = await visit(service.httpsPort, { as });
    await page.goto('/checks?domain=firm.example');
    await page.getByRole('checkbox', { name: 'Choose …@firm.example' }).first().check();
    await page.getByRole('button', { name: 'Choose all 3 shown' }).click();
    await other.ask('PUT', `/accounts/${accountId}/checks/${id}/label`, { label: 'good' });
    await page.getByRole('button', { name: 'Label bad' }).click();
    await page
      .getByText(
        '2 checks are labelled bad; 1 kept a label that another person has given since this page was read.',
      )
      .waitFor();
    await expect.poll(() => page.getByRole('cell').getByText('good', { exact: true }).count()).toBe(1);
    await expectReadable(page);
  });

  it('are labelled several at once, and a search is saved under a name', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'developer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/checks?domain=firm.example');
    const found = page.getByRole('checkbox', { name: 'Choose …@firm.example' });
    await found.first().check();
    await page.getByRole('button', { name: 'Choose all 3 shown' }).click();
    await page.getByText('3 chosen').waitFor();
    await expectReadable(page);
    await page.getByRole('button', { name: 'Label bad' }).click();
    await page.getByText('3 checks are labelled bad.').waitFor();
    await expect.poll(() => page.getByRole('cell').getByText('bad', { exact: true }).count()).toBe(3);
    await found.first().check();
    await page.getByRole('button', { name: 'Label good' }).click();
    await page.getByText('1 check is labelled good.').waitFor();

    await page.getByRole('button', { name: 'Saved searches' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of this search').fill('The firm');
    // A browser that is full; the name is there to be saved once there is room.
    const setItem = 'Object.getPrototypeOf(localStorage).setItem';
    await page.evaluate(`keep = ${setItem}; ${setItem} = () => { throw new Error('It is full.'); }`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^This browser keeps nothing/).waitFor();
    expect(await dialog.getByLabel('Name of this search').inputValue()).toBe('The firm');
    await page.evaluate(`${setItem} = keep`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('link', { name: 'The firm' }).waitFor();
    await expectReadable(page);
    await page.goto('/checks');
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await dialog.getByRole('link', { name: 'The firm' }).click();
    await page.getByRole('button', { name: 'Do not narrow by domain' }).waitFor();
    expect(new URL(page.url()).searchParams.get('domain')).toBe('firm.example');
    expect(await dialog.count()).toBe(0);
  });

  it('that are rare are looked for further back, from where the search says it got', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    const broken = {
      checks: [],
      next: '2999-01-01T00:00:00.000Z.1',
      searched_back_to: '2999-01-01T00:00:00.000Z',
    };
    await page.route(/\/api\/.*\/checks\?(?!.*after=)/, (route) => route.fulfill({ json: broken }));
    await page.goto('/checks?action=BLOCK');
    await page.getByText('Nothing found yet').waitFor();
    await page.getByText(/^Every check since .*2999.* has been looked at/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Look further back' }).click();
    await page.getByRole('link', { name: '…@mailinator.com' }).waitFor();
    expect(await page.getByRole('button', { name: 'Look further back' }).count()).toBe(0);
  });

  it('are saved as a file', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [409, 401] });
    await page.clock.install();
    await page.goto('/checks?action=BLOCK');
    const asCsv = page.getByRole('button', { name: 'As CSV' });
    await page.route('**/checks.csv?*', (route) =>
      route.fulfill({ status: 409, json: { error: { code: 'busy', message: 'Two files already.' } } }),
    );
    await asCsv.click();
    await page.getByRole('alert').getByText('Two files already.').waitFor();
    await expectAccessible(page);
    await page.unrouteAll();
    const saved = page.waitForEvent('download');
    await asCsv.click();
    const rows: { id: string }[] = parse(readFileSync(await (await saved).path()), { columns: true });
    expect(rows.map(({ id }) => id)).toEqual([blockedId]);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    // From here on nothing is asked for by time alone: a poll without a session would show the sign-in before the click.
    await page.clock.pauseAt(Date.now() + 1_000);
    await page.context().clearCookies();
    const asked = page.waitForRequest('**/checks.csv?*');
    await asCsv.click();
    await asked;
    await page.clock.resume();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('of all accounts lead from one to the others of its address and of its rules, whichever account is in view', async () => {
    const inView = await dashboard.createAccount('Without checks');
    const page = await visit(dashboard.service.httpsPort, { as: await dashboard.signIn('analyst') });
    const ofItsAddress = page.getByRole('link', { name: 'All its checks' });
    const ledger = page.getByRole('list', { name: 'From 0 to the score' });
    for (const link of [ofItsAddress, ledger.getByRole('link').first()]) {
      await page.goto(`/checks/${blockedId}?scope=all&account=${inView}`);
      await link.click();
      await page.getByRole('link', { name: '…@mailinator.com' }).waitFor();
    }
    // One account without the check says nothing of the others.
    await page.goto(`/checks?domain=mailinator.com&account=${inView}`);
    await page.getByText('No check of this account on record is like this.').waitFor();
  });

  it('of another account are not there', async () => {
    const other = await dashboard.createAccount('Other shop');
    const as = await dashboard.signIn({ [other]: 'developer' });
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [404] });
    await page.goto(`/checks/${blockedId}`);
    await page.getByText('Other shop has no such check').waitFor();
    expect(await page.getByText('POST /v1/').count()).toBe(0);
    await expectAccessible(page);
  });
});

describe.skipIf(CHROMIUM === null)('rows that come page by page', () => {
  it.each([
    ['/checks', 'checks', { next: '2999-01-01T00:00:00.000Z.1' }, 'Look further back'],
    ['/audit', 'audit', { next: '1' }, 'Older'],
    ['/rules/history', 'rules/versions', { total: 9 }, 'Show older ones'],
  ])('of %s say below them that older ones could not be fetched', async (path, list, more, name) => {
    const page = await visit(dashboard.service.httpsPort, {
      as: await dashboard.signIn('owner'),
      refusals: [409],
    });
    await page.route(`**/api/**${list}*`, async (route) => {
      if (/before=|after=/.test(route.request().url()))
        return route.fulfill({
          status: 409,
          json: { error: { code: 'busy', message: 'Too much at once.' } },
        });
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...more } });
    });
    await page.goto(path);
    await page.getByRole('button', { name, exact: true }).click();
    const [told, rows] = [page.getByRole('alert'), page.getByRole('main').getByRole('table').first()];
    await told.getByText('Too much at once.').waitFor();
    const [below, above] = [await told.boundingBox(), await rows.boundingBox()];
    expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
    await expectAccessible(page);
    await page.unrouteAll();
    await page.getByRole('button', { name, exact: true }).click();
    await told.waitFor({ state: 'detached' });
  });
});
