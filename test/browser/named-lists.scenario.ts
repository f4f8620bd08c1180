import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { startDashboard } from '../support/dashboard.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser, holdAnswers } from './support/browser.ts';
import { expectReadable } from './support/looks.ts';

const visit = aBrowser();
const PARTNERS = `# Kept by hand.
description: Domains of companies whose staff we invite, and of those that supply us with what we need.
owner: partnerships
entries:
  - partner.example # since May
  - { value: .supplier.example, reason: Every plant has a name of its own., owner: purchasing, expires: 2099-06-30 }
  - { value: old.example, expires: 2020-01-01 }
  - { value: a.supplier.example, expires: 2099-01-31 }
`;
const RULE = `group: rented
description: Who rents a name.
max_score: 90
rules:
  - id: rented_name
    description: The domain is let by the day.
    owner: risk
    mode: live
    conditions: { all: [{ fact: address.domain, operator: in_list, value: rented }] }
    event: { type: points, params: { points: 90 } }
  - id: partner_name
    description: The domain is a partner's.
    owner: risk
    mode: shadow
    conditions: { all: [{ fact: address.domain, operator: in_list, value: partners }] }
    event: { type: points, params: { points: 5 } }
`;
const LONG = Array.from({ length: 1_234 }, (_, index) => `shop${index}.example # seen in May`);

async function start(files: Readonly<Record<string, string>>) {
  const rules = temporaryDirectory();
  cpSync(join(packageRoot, 'rules'), rules, { recursive: true });
  mkdirSync(join(rules, 'lists'));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(rules, path), text);
  const dashboard = await startDashboard({ rules: { dir: rules }, lists: { urls: [] } });
  onTestFinished(() => dashboard.stop());
  return {
    dashboard,
    as: await dashboard.signIn('analyst'),
    write: (path: string, text: string) => writeFileSync(join(rules, path), text),
  };
}

describe.skipIf(CHROMIUM === null)('named lists', () => {
  beforeAll(() => expect(LONG).toHaveLength(1_234));

  it('say what they are when there is none', async () => {
    const { dashboard, as } = await start({});
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/lists?list=named');
    await page.getByText('No named lists yet').waitFor();
    await expectReadable(page);
  });

  it('are shown with the rules that read them, searched, and page by page', async () => {
    const { dashboard, as } = await start({
      'rented.yaml': RULE,
      'lists/partners.yaml': PARTNERS,
      'lists/rented.txt': `${LONG.join('\n')}\n`,
    });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/lists?list=named');
    const table = page.getByRole('table', { name: 'Named lists' });
    await table.getByText('1,234').waitFor();
    await table.getByText('1 over').waitFor();
    await expectReadable(page);
    await table.getByRole('link', { name: 'partners', exact: true }).click();
    await page.getByRole('link', { name: 'partner_name (shadow)' }).waitFor();
    await page.getByText('"a.supplier.example" is in the list by ".supplier.example"').waitFor();
    await expectReadable(page);
    await page.getByRole('link', { name: 'All named lists' }).click();
    await table.getByRole('link', { name: 'rented', exact: true }).click();
    await page.getByText('1 to 50 of 1,234').waitFor();
    await expectReadable(page);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 100 of 1,234').waitFor();
    await page.getByRole('cell', { name: 'shop99.example' }).waitFor();
    await page.getByLabel('Find an entry').fill('shop1233');
    await page.getByRole('cell', { name: 'shop1233.example' }).waitFor();
    await expect.poll(() => page.getByRole('navigation', { name: 'Pages of entries' }).count()).toBe(0);
    await page.getByLabel('Find an entry').fill('nowhere');
    await page.getByText('No entry has "nowhere" in it').waitFor();
    await expectAccessible(page);
    // A page that the list has no more is the last that it has.
    await page.goto('/lists/named/rented?page=26');
    await page.getByText('1,201 to 1,234 of 1,234').waitFor();
    await page.getByRole('cell', { name: 'shop1233.example' }).waitFor();
    expect(new URL(page.url()).search).toBe('?page=25');
    // The rule's text is where its name leads.
    await page.getByRole('link', { name: 'rented_name' }).click();
    await page.waitForURL(/\/rules\?file=rented\.yaml/);
  });

  it('show what an entry would do, take it, decide the next check by it, change it, and let it go', async () => {
    const { dashboard, as } = await start({
      'rented.yaml': RULE,
      'lists/partners.yaml': PARTNERS,
      'lists/rented.txt': '# Ours.\n',
    });
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [400] });
    const check = async () => (await dashboard.service.check('jane@firm.example')).json;
    expect((await check()).summary.action).toBe('ALLOW');
    await page.goto('/lists/named/rented');
    await page.getByText('No entries yet').waitFor();
    await expectReadable(page);
    await page.getByRole('button', { name: 'Add an entry' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Domain').fill('firm.example');
    // Nothing is changed by a look: it need not be waited for.
    const look = await holdAnswers(page, '**/effect', 'POST');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await look.asked;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    look.letThrough();
    await page.getByRole('button', { name: 'Add an entry' }).click();
    await dialog.getByLabel('Domain').fill('*.firm.example');
    expect(await dialog.getByLabel('Owner').count()).toBe(0);
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByText('Did you mean .firm.example?').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Domain').fill('.firm.example');
    await dialog.getByLabel('Reason').fill('Seen in May.');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByText('1 decision flips from ALLOW to BLOCK').waitFor();
    await expectReadable(page);
    expect((await check()).summary.action).toBe('ALLOW');
    await dialog.getByRole('button', { name: 'Add to rented' }).click();
    await page.getByRole('status').getByText('In force').waitFor();
    const { id, summary } = await check();
    expect(summary.action).toBe('BLOCK');
    await expectReadable(page);

    const other = await visit(dashboard.service.httpsPort, { as });
    await other.goto(`/checks/${id}?scope=all`);
    await other.getByText('firm.example is in the list rented, by the entry .firm.example').waitFor();
    await expectReadable(other);
    await other.getByRole('link', { name: 'rented', exact: true }).click();
    await other.getByRole('cell', { name: '.firm.example' }).waitFor();

    await page.getByRole('button', { name: 'Change .firm.example' }).click();
    await dialog.getByLabel('Reason').fill('Seen in May and in June.');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByText(/^None of \d checks/).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Seen in May and in June.' }).waitFor();
    await page.getByRole('button', { name: 'Remove .firm.example' }).click();
    await dialog.getByText('3 decisions flip from BLOCK to ALLOW').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No entries yet').waitFor();
    expect((await check()).summary.action).toBe('ALLOW');
    // In YAML an entry has an owner and a day too, and its comments stay.
    await page.goto('/lists/named/partners');
    await page.getByRole('button', { name: 'Change partner.example' }).click();
    await dialog.getByLabel('Until').fill('2099-01-31');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('In force').waitFor();
    await page.getByRole('row', { name: /partner\.example.*2099/ }).waitFor();
  });

  it('show an entry that another person has changed as it is now, before it may be changed', async () => {
    const { dashboard, as } = await start({ 'lists/partners.yaml': PARTNERS });
    const other = await dashboard.signIn('analyst');
    const read = async () =>
      (await other.get('/lists/named/partners/entries?offset=0&limit=50&search=')).json;
    const entryOf = async (wanted: string) =>
      (await read()).entries.find(({ value }: { value: string }) => value === wanted);
    const replace = async (value: string, entry: object) => {
      const change = { kind: 'replace', value, entry: { value, ...entry } };
      const { list } = await read();
      const body = { version: list.version, change };
      expect((await other.ask('POST', '/lists/named/partners/changes', body)).status).toBe(200);
    };
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [409] });
    await page.goto('/lists/named/partners');
    await page.getByRole('button', { name: 'Change partner.example' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Owner').fill('ann');
    await replace('partner.example', { reason: 'Told by Bea.', expires: '2099-03-31' });
    // The page has the newer list before the person saves: as when its window is looked at again after a while.
    const refetched = page.waitForResponse(/lists\/named\/partners\/entries/);
    await page.clock.install();
    await page.clock.fastForward(20_000);
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await refetched;
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByText('Another person has changed it in the meantime.').waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Told by Bea.');
    expect(await dialog.getByLabel('Until').inputValue()).toBe('2099-03-31');
    await expectAccessible(page);
    // A change of another entry takes nothing from what is typed.
    await dialog.getByLabel('Owner').fill('ann');
    await replace('old.example', { reason: 'Long over.' });
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('group', { name: 'Effect' }).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('In force').waitFor();
    expect(await entryOf('partner.example')).toMatchObject({ reason: 'Told by Bea.', owner: 'ann' });
  });

  it('are made here, with the checks that they name shown first', async () => {
    const { dashboard, as } = await start({});
    await dashboard.service.check('jane@firm.example');
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [400] });
    await page.goto('/lists?list=named');
    await page.getByRole('button', { name: 'New list' }).click();
    const dialog = page.getByRole('dialog');
    await expectReadable(page);
    await dialog.getByLabel('Name').fill('rivals');
    await dialog.getByLabel('What stands in it').fill('Companies that sell what we sell.');
    await dialog.getByLabel('First entries').fill('firm.example\n*.other.example\n');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByText('Did you mean .other.example?').waitFor();
    await expectAccessible(page);
    expect(await dialog.getByLabel('What stands in it').inputValue()).toBe(
      'Companies that sell what we sell.',
    );
    await dialog.getByLabel('First entries').fill('firm.example\n.other.example\n');
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByText('1 of 1 check of the last 30 days is touched').waitFor();
    await dialog.getByText('No rule looks into it yet').waitFor();
    await expectReadable(page);
    await dialog.getByRole('button', { name: 'Make rivals' }).click();
    await page.getByRole('status').getByText('In force').waitFor();
    const row = page.getByRole('table', { name: 'Named lists' }).getByRole('row', { name: /rivals/ });
    await row.getByText('no rule').waitFor();
    await expectReadable(page);
    // A second one of this name is refused at its field; one with domains alone asks for nothing else.
    await page.getByRole('button', { name: 'New list' }).click();
    await dialog.getByLabel('Name').fill('rivals');
    await dialog.getByLabel('Domains alone').check();
    expect(await dialog.getByLabel('What stands in it').count()).toBe(0);
    await dialog.getByRole('button', { name: 'See what it does' }).click();
    await dialog.getByText('There is a list of this name').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await row.getByRole('link', { name: 'rivals' }).click();
    await page.getByRole('cell', { name: '.other.example' }).waitFor();
    await page.getByText('Companies that sell what we sell.').waitFor();
  });

  it('show a mistake in the file, and a list that is not there', async () => {
    const { dashboard, as, write } = await start({
      'rented.yaml': RULE,
      'lists/partners.yaml': PARTNERS,
      'lists/rented.txt': 'let.example\n',
    });
    write('lists/rented.txt', 'let.example\nwhat is this\n');
    const page = await visit(dashboard.service.httpsPort, { as, refusals: [404] });
    await page.goto('/lists?list=named');
    await page.getByText('has mistakes').waitFor();
    await expectReadable(page);
    await page.getByRole('link', { name: 'rented', exact: true }).click();
    await page.getByText('lists/rented.txt has mistakes').waitFor();
    await page.getByText('not known: the rules have errors').waitFor();
    await expectReadable(page);
    await page.goto('/lists/named/nowhere');
    await page.getByText('There is no such list').waitFor();
    await expectReadable(page);
  });
});
