import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { PASSWORD, startDashboard, type TestDashboard } from '../support/dashboard.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser } from './support/browser.ts';
import { DESK, expectReadable, expectToFit, PHONE } from './support/looks.ts';

const visit = aBrowser();
let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

describe.skipIf(CHROMIUM === null)('the pages of people and of the audit trail', () => {
  it('bring in a person by a link, who sees the account and no more, and is removed again', async () => {
    const owner = await visit(dashboard.service.httpsPort, {
      as: await dashboard.signIn('owner'),
      colorScheme: 'dark',
      refusals: [409],
    });
    await owner.goto('/people');
    await owner
      .getByRole('table', { name: 'People', exact: true })
      .getByText('you', { exact: true })
      .waitFor();
    await owner.getByRole('button', { name: 'Make an account' }).click();
    await owner.getByLabel('Name').fill('Fernhill');
    await expectAccessible(owner);
    await owner.getByRole('dialog').getByRole('button', { name: 'Make the account' }).click();
    await owner.getByRole('link', { name: 'Open the keys of Fernhill' }).waitFor();

    await owner.getByRole('button', { name: 'Make an account' }).click();
    await owner.getByLabel('Name').fill('Fernhill');
    await owner.getByRole('dialog').getByRole('button', { name: 'Make the account' }).click();
    await owner.getByRole('textbox', { name: 'Name', description: /one with this name/ }).waitFor();
    await expectAccessible(owner);
    await owner.keyboard.press('Escape');

    await owner.getByRole('button', { name: 'Invite' }).click();
    await owner.getByLabel('Email').fill('ada@firm.example');
    await owner.getByRole('radio', { name: 'Viewer' }).check();
    await expectAccessible(owner);
    await owner.getByRole('button', { name: 'Make the link' }).click();
    await owner.getByText('Hand it over').waitFor();
    const [link = ''] = (await owner.getByRole('dialog').innerText()).match(/https:\S+/) ?? [];
    expect(link).toContain('/setup#');
    await owner.getByRole('button', { name: 'Done' }).click();
    await owner
      .getByRole('button', { name: 'Revoke the link for the invitation of ada@firm.example' })
      .waitFor();
    await expectToFit(owner);
    await expectAccessible(owner);
    await owner.setViewportSize(DESK);

    const ada = await visit(dashboard.service.httpsPort, { viewport: PHONE });
    await ada.goto(link);
    await ada.getByLabel('Your name').fill('Ada Example');
    await ada.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await ada.getByRole('button', { name: /sign in/i }).click();
    await ada.getByRole('heading', { name: 'Overview' }).waitFor();
    await ada.goto('/people');
    await ada.getByRole('heading', { name: /not found|nothing here/i }).waitFor();
    await ada.goto('/audit');
    await ada.getByText('ada@firm.example').first().waitFor();
    await expectReadable(ada, [PHONE]);

    await owner.reload();
    await owner.getByRole('button', { name: 'Change Ada Example' }).click();
    await owner.getByRole('menuitem', { name: 'What they may do' }).click();
    await expectAccessible(owner);
    await owner.getByRole('combobox', { name: 'Add an account' }).click();
    await owner.getByRole('option', { name: 'Fernhill' }).click();
    await owner.getByRole('radiogroup', { name: 'Of Fernhill' }).getByText('Developer').click();
    await owner.getByRole('button', { name: 'Save' }).click();
    await owner
      .getByRole('row', { name: /Ada Example/ })
      .getByText(/developer of Fernhill/i)
      .last()
      .waitFor();

    await owner.getByRole('button', { name: 'Change Ada Example' }).click();
    await owner.getByRole('menuitem', { name: 'A link for a new password' }).click();
    await owner.getByRole('button', { name: 'Make the link' }).click();
    await owner.getByText('Hand it over').waitFor();
    await owner.getByRole('button', { name: 'Done' }).click();
    const revoke = owner.getByRole('button', {
      name: 'Revoke the link for a new password of ada@firm.example',
    });
    await revoke.waitFor();
    await expectAccessible(owner);
    await revoke.click();
    await revoke.waitFor({ state: 'detached' });

    await owner.getByRole('button', { name: 'Change Ada Example' }).click();
    await owner.getByRole('menuitem', { name: 'Remove' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await owner.getByRole('dialog').waitFor({ state: 'detached' });
    await ada.goto('/keys');
    await ada.getByRole('heading', { name: 'Sign in' }).waitFor();

    await owner.goto('/audit');
    const trail = owner.getByRole('table', { name: 'Audit trail' });
    await trail.getByText('removed a person').first().waitFor();
    await owner.getByRole('combobox', { name: 'Person' }).click();
    await owner.getByRole('option', { name: 'ada@firm.example, removed' }).click();
    await trail.getByText('joined').waitFor();
    expect(await trail.getByRole('row').filter({ hasNotText: 'ada@firm.example' }).count()).toBe(1);
    await expectAccessible(owner);
  });

  it('show what a person has come to have before another owner changes it, and add accounts by name', async () => {
    const second = await dashboard.createAccount('Second owner’s');
    const third = await dashboard.createAccount('Third');
    const person = (await dashboard.signIn({ [dashboard.accountId]: 'viewer' })).person;
    const other = await dashboard.signIn('owner');
    const memberships = async () => {
      const { people } = (await other.get('/people')).json;
      return people.find(({ id }: { id: string }) => id === person?.id).memberships;
    };
    const here = { account_id: dashboard.accountId, role: 'viewer' };
    const there = { account_id: second, role: 'developer' };
    const page = await visit(dashboard.service.httpsPort, {
      as: await dashboard.signIn('owner'),
      refusals: [409],
    });
    await page.goto('/people');
    const row = page.getByRole('row').filter({ hasText: person?.email ?? '' });
    await row.getByRole('button', { name: /^Change / }).click();
    await page.getByRole('menuitem', { name: 'What they may do' }).click();
    const dialog = page.getByRole('dialog');
    const ofDefault = dialog.getByRole('radiogroup', { name: 'Of default' });
    await ofDefault.waitFor();
    // Of this Postern, and of the one account that the person has.
    expect(await dialog.getByRole('radiogroup').count()).toBe(2);
    const roles = { operator_role: null, memberships: [here, there] };
    expect((await other.ask('PUT', `/people/${person?.id}/roles`, roles)).status).toBe(200);
    await ofDefault.getByText('Developer').click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('They are shown as they are now.').waitFor();
    const ofSecond = dialog.getByRole('radiogroup', { name: 'Of Second owner’s' });
    await expect.poll(() => ofSecond.getByRole('radio', { name: 'Developer' }).isChecked()).toBe(true);
    expect(await ofDefault.getByRole('radio', { name: 'Viewer' }).isChecked()).toBe(true);
    expect(await memberships()).toEqual(expect.arrayContaining([here, there]));

    await dialog.getByRole('combobox', { name: 'Add an account' }).fill('thi');
    await page.getByRole('option', { name: 'Third' }).click();
    await dialog.getByRole('radiogroup', { name: 'Of Third' }).getByText('Developer').click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const added = { account_id: third, role: 'developer' };
    const now = await memberships();
    expect(now).toHaveLength(3);
    expect(now).toEqual(expect.arrayContaining([here, there, added]));
  });

  it('say by whom the audit trail is filtered, and a day that is typed is one step back', async () => {
    const analyst = await dashboard.signIn('analyst');
    const page = await visit(dashboard.service.httpsPort, { as: analyst });
    await page.goto('/audit');
    await page.getByText('Newest first').waitFor();
    await page.getByLabel('From', { exact: true }).focus();
    await page.keyboard.type('11202026', { delay: 50 });
    await page.waitForURL('**/audit?since=2026-11-20');
    await page.goBack();
    await page.waitForURL('**/audit');
    // Removed, or named by an owner who has sent the address on.
    await page.goto('/audit?person=per_gone');
    await page.getByText('Nothing found').waitFor();
    const person = page
      .getByRole('combobox', { name: 'Person' })
      .or(page.getByLabel('Person', { exact: true }));
    expect(await person.first().inputValue()).toBe('per_gone');
    await expectAccessible(page);
    await page.getByLabel('All people').click();
    await page.waitForURL('**/audit');
  });

  it('say that something between answered, where a proxy shows its own page', async () => {
    const page = await visit(dashboard.service.httpsPort, { as: await dashboard.signIn('owner') });
    await page.route('**/dashboard/api/audit*', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Sign in</title>' }),
    );
    await page.goto('/audit');
    await page.getByText('Something between this page and Postern answered with status 200.').waitFor();
  });

  it('tell who did what, and keep to what is asked for', async () => {
    const page = await visit(dashboard.service.httpsPort, { as: await dashboard.signIn('owner') });
    await page.goto('/audit?action=account.created');
    await page.getByText('made an account').first().waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'joined' }).count()).toBe(0);
    await expectAccessible(page);
    await page.goto('/audit?since=2001-01-01&until=2001-01-02');
    await page.getByText('Nothing found').waitFor();
    await expectAccessible(page);
  });
});
