import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DirectoryListStore } from '../../src/lists/open-list-store.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { startDashboard, type TestDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { plainList, startListServer } from '../support/list-server.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser } from './support/browser.ts';
import { expectReadable } from './support/looks.ts';

const visit = aBrowser();
// It has a mail host, so that nothing else speaks against it.
const NEW = 'firm.example';
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `d${i}.example`);
const DAY_MS = 86_400_000;

/** A service whose only list is of this server, which answers once it is released. */
async function start(domains: readonly string[], released = Promise.resolve()) {
  const answer = plainList(domains);
  const server = await startListServer(
    (request, response) => void released.then(() => answer(request, response)),
  );
  const dashboard = await startDashboard({ lists: { urls: [server.url], allow_private_addresses: true } });
  onTestFinished(() => dashboard.stop());
  return { server, dashboard };
}

/** As if the source had last been heard of so many days ago. */
async function age({ service }: TestDashboard, url: string, days: number): Promise<void> {
  const confirmed_at = new Date(Date.now() - days * DAY_MS).toISOString();
  const store = new DirectoryListStore(service.dataDir);
  await store.exclusively(async (change) => {
    const list = change.state.lists[url];
    if (!list) throw new Error(`${url} is not there yet`);
    const snapshots = list.snapshots.map((snapshot) => ({ ...snapshot, confirmed_at }));
    await change.save(url, { ...list, snapshots });
  });
}

async function openLists(dashboard: TestDashboard, refusals: readonly number[] = []): Promise<Page> {
  const as = await dashboard.signIn('analyst');
  const page = await visit(dashboard.service.httpsPort, { as, refusals });
  await page.goto('/lists?list=downloaded');
  return page;
}

const isThrownAway = async ({ service }: TestDashboard, domain = NEW) =>
  (await service.check(`jane@${domain}`)).json.signals.domain.is_known_disposable;

describe.skipIf(CHROMIUM === null)('a downloaded list', () => {
  it('shows what an update would do, is updated, decides the next check, and is rolled back likewise', async () => {
    const { server, dashboard } = await start(numbered(20));
    const page = await openLists(dashboard, [409]);
    await page.getByText('fresh', { exact: true }).waitFor();
    await page.getByText('20 domains, taken').waitFor();
    // By what people know, not by its id.
    await page.getByRole('heading', { name: / of 127\.0\.0\.1:\d+$/ }).waitFor();
    await expectAccessible(page);
    expect(await isThrownAway(dashboard)).toBe(false);

    server.answer = plainList([NEW, ...numbered(20)]);
    await page.getByRole('button', { name: 'Update now' }).click();
    const updating = page.getByRole('dialog');
    await updating.getByText('21 domains: 1 new, 0 gone.').waitFor();
    await updating.getByText('1 decision flips from ALLOW to BLOCK').waitFor();
    await expectReadable(page);
    expect(await isThrownAway(dashboard)).toBe(false);
    await updating.getByRole('button', { name: 'Put it in force' }).click();
    await page.getByRole('status').getByText('1 new, 0 gone').waitFor();
    const taken = page.getByRole('listitem').filter({ hasText: 'domains, taken' });
    await taken.nth(1).waitFor();
    expect(await taken.allInnerTexts()).toEqual([
      expect.stringMatching(/^21 domains, taken .* – in force$/),
      expect.stringMatching(/^20 domains, taken [^–]*$/),
    ]);
    expect(await isThrownAway(dashboard)).toBe(true);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Roll back' }).click();
    const dialog = page.getByRole('dialog', { name: 'Go back to the snapshot before?' });
    await dialog.getByText('It names 20 domains').waitFor();
    await dialog.getByText('3 decisions flip from BLOCK to ALLOW').waitFor();
    await expectAccessible(page);
    // Another edition comes while it is looked at: it is refused, and what it would do now is shown.
    const id = (await (await page.request.get('/dashboard/api/lists')).json()).downloads[0].list;
    server.answer = plainList([NEW, 'more.example', ...numbered(20)]);
    const other = await dashboard.signIn('owner');
    expect((await other.ask('POST', `/lists/downloads/${id}/update`, {})).json.result).toBe('taken');
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await dialog.getByRole('alert').getByText('The list was not rolled back').waitFor();
    await dialog.getByText(/^None of \d+ checks/).waitFor();
    expect(await isThrownAway(dashboard, 'more.example')).toBe(true);
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('rolled back, held until an update by hand').waitFor();
    expect(await isThrownAway(dashboard, 'more.example')).toBe(false);
    expect(await isThrownAway(dashboard)).toBe(true);
    await expectAccessible(page);
  });

  it('that has changed too much is refused, and taken once an analyst accepts it', async () => {
    const { server, dashboard } = await start(numbered(20));
    const page = await openLists(dashboard);
    await page.getByText('20 domains, taken').waitFor();
    server.answer = plainList([NEW]);
    await page.getByRole('button', { name: 'Update now' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').getByText('It would be refused').waitFor();
    expect(await dialog.getByRole('button', { name: 'Put it in force' }).isDisabled()).toBe(true);
    expect(await isThrownAway(dashboard)).toBe(false);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'See what it would do all the same' }).click();
    await dialog.getByText('1 domain: 1 new, 20 gone.').waitFor();
    await dialog.getByText('1 decision flips from ALLOW to BLOCK').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Take it all the same' }).click();
    await page.getByText(/^1 domain, taken .* – in force$/).waitFor();
    expect(await isThrownAway(dashboard)).toBe(true);
  });

  it('that has not come yet is shown once it has', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { dashboard } = await start(numbered(20), released);
    const page = await openLists(dashboard);
    await page.getByText('never downloaded', { exact: true }).waitFor();
    release();
    await page.getByText('20 domains, taken').waitFor();
  });

  it('says how old it is when its source has not been heard of for days', async () => {
    const { server, dashboard } = await start(numbered(20));
    await eventually(async () => expect(await isThrownAway(dashboard, 'd0.example')).toBe(true));
    await age(dashboard, server.url, 4.5);
    server.answer = (_, response) => response.writeHead(503).end();
    const page = await openLists(dashboard);
    await page.getByText('old', { exact: true }).waitFor();
    await page.getByText('Its source held just this 4 days ago').waitFor();
    await page.getByRole('button', { name: 'Update now' }).click();
    await page.getByRole('dialog').getByRole('alert').getByText('Nothing came').waitFor();
    await expectReadable(page);
  });
});
