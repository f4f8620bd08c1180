import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { startDashboard, type TestDashboard } from '../support/dashboard.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser } from './support/browser.ts';
import { DESK, expectReadable, PHONE } from './support/looks.ts';

/** Fires for everyone at example.com. */
const TRIED = `group: tried
description: What counts for a part of people first.
max_score: 20
conditions:
  commercial: { description: An ending of trade., conditions: { any: [{ fact: address.tld, operator: equal, value: com }] } }
rules:
  - id: for_half
    description: At an ending of trade.
    owner: risk
    mode: live
    rollout: { percent: 50 } # as agreed
    conditions:
      all:
        - { condition: commercial }
    event: { type: points, params: { points: 20 } }
`;
/** Once in eight million they are all on one side. */
const PEOPLE = Array.from({ length: 24 }, (_, n) => `person.${n}@example.com`);

interface Checked {
  readonly id: string;
  readonly email: string;
}

const visit = aBrowser();
const dir = mkdtempSync(join(tmpdir(), 'postern-rules-'));
let dashboard: TestDashboard;
let inside: Checked;
let outside: Checked;
beforeAll(async () => {
  cpSync(join(packageRoot, 'rules'), dir, { recursive: true });
  // They expect what the shipped rules decide.
  rmSync(join(dir, 'tests'), { recursive: true });
  writeFileSync(join(dir, 'tried.yaml'), TRIED);
  dashboard = await startDashboard({ rules: { dir } });
  const owner = await dashboard.signIn('owner');
  const sides = new Map<boolean, Checked>();
  for (const email of PEOPLE) {
    const { id } = (await dashboard.service.check(email)).json;
    const { rollouts } = (await owner.get(`/checks/${id}`)).json;
    sides.set(rollouts[0].inside, { id, email });
  }
  const [one, other] = [sides.get(true), sides.get(false)];
  if (one === undefined || other === undefined) throw new Error('all people are on one side');
  [inside, outside] = [one, other];
});
afterAll(async () => {
  await dashboard.stop();
  rmSync(dir, { recursive: true });
});

describe.skipIf(CHROMIUM === null)('a rule that is rolled out', () => {
  it('says beside it on which side a check was, and which of its conditions has a name', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto(`/checks/${inside.id}`);
    const steps = page.getByRole('list', { name: 'From 0 to the score' });
    await steps.getByText('inside the 50 % of its rollout; address.tld = com').waitFor();
    await page.getByText('for_half: inside the 50 % of its rollout').waitFor();
    await page.getByText('commercial: holds. It is address.tld equal com, for for_half').waitFor();
    await expectAccessible(page);

    await page.goto(`/checks/${outside.id}`);
    const asides = page.getByRole('list', { name: 'What counted nothing' });
    const aside = asides.getByRole('listitem').filter({ hasText: 'for_half' });
    await aside.waitFor();
    expect(await aside.innerText()).toBe(
      'for_half fired outside the 50 % of its rollout, where it changes nothing. would add 20: address.tld = com',
    );
    await page.getByText('for_half: outside the 50 % of its rollout').waitFor();
    await expectReadable(page);
  });

  it('keeps an address that is tried on its side when facts are changed', async () => {
    const as = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
    const page = await visit(dashboard.service.httpsPort, { as });
    for (const [{ email }, side] of [
      [inside, 'inside'],
      [outside, 'outside'],
    ] as const) {
      await page.goto('/try');
      await page.getByLabel('Email address').fill(email);
      await page.keyboard.press('Enter');
      await page.getByText('It would answer').waitFor();
      await page.getByText(`${side} the 50 % of its rollout`).waitFor();
      await page.getByLabel('domain.is_role_account', { exact: true }).selectOption('true');
      await page
        .getByText(/in place of/)
        .first()
        .waitFor();
      await page.getByText(`${side} the 50 % of its rollout`).waitFor();
    }
  });

  it('is listed with its percentage, and edited by a form that says what lint says', async () => {
    const page = await visit(dashboard.service.httpsPort, { as: await dashboard.signIn('analyst') });
    await page.goto('/rules?tab=rules&file=tried.yaml');
    const list = page.getByRole('region', { name: 'Rules and what they did' });
    const row = list.getByRole('row', { name: /for_half/ });
    await row.getByText(/^50 % of people, fired outside in \d+ checks?/).waitFor();
    expect(await row.getByRole('rowheader').textContent()).toContain(
      'It counts for 50 % of people, the same ones each time.',
    );
    await row.getByText('50 %', { exact: true }).hover();
    await page.getByRole('tooltip').getByText('For the others it stands in the ledger').waitFor();
    await expectReadable(page, [DESK]);
    // Rules that force an action decide the same for all.
    await page.getByRole('switch').check();
    await list.getByRole('row', { name: /deny_list/ }).waitFor();
    expect(await list.getByRole('button', { name: 'Edit deny_list as a form' }).count()).toBe(0);

    // In shadow a rollout would do nothing.
    await page.getByRole('button', { name: 'New rule…' }).click();
    const fresh = page.getByRole('dialog', { name: 'New rule' });
    expect(await fresh.getByLabel('Mode').inputValue()).toBe('shadow: tried, and never counts');
    expect(await fresh.getByLabel('Percent of people').count()).toBe(0);
    await page.keyboard.press('Escape');

    await row.getByRole('button', { name: 'Edit for_half as a form' }).click();
    const form = page.getByRole('dialog', { name: 'Rule for_half' });
    const percent = form.getByLabel('Percent of people');
    expect(await percent.inputValue()).toBe('50');
    await percent.fill('100');
    await form.getByRole('button', { name: 'Write it into the text' }).click();
    await form.getByText('"percent" is from 1 to 99: for 100 % leave "rollout" out').waitFor();
    await expectReadable(page, [PHONE]);
    await page.setViewportSize(DESK);
    await percent.fill('75 %');
    await form.getByLabel('Name', { exact: true }).fill('for_more');
    await form.getByText('the salt for_half keeps them').waitFor();
    await form.getByLabel('Salt').fill('for_half');

    await form.getByLabel('Fires when').click();
    await page.getByRole('option', { name: 'so many of these hold' }).click();
    await form.getByRole('button', { name: 'Add a condition' }).click();
    await form.getByLabel('Fact 2').fill('domain.has_mx');
    await page.getByRole('option', { name: 'domain.has_mx', exact: true }).click();
    await form.getByLabel('At least').fill('3');
    await form.getByRole('button', { name: 'Write it into the text' }).click();
    await form.getByText('Write how many of them, from 1 to all.').waitFor();
    await expectAccessible(page);
    await form.getByLabel('At least').fill('1');
    await form.getByRole('button', { name: 'Write it into the text' }).click();
    const text = page.getByRole('textbox', { name: 'Text of tried.yaml' });
    await text.getByText('rollout: { percent: 75, salt: for_half } # as agreed').waitFor();
    expect(await text.textContent()).toMatch(/at_least: +count: 1 +of: +- \{ condition: commercial \} +- \{/);

    await list.getByRole('button', { name: 'Edit for_more as a form' }).click();
    const again = page.getByRole('dialog', { name: 'Rule for_more' });
    expect(await again.getByLabel('At least').inputValue()).toBe('1');
    const choose = async (mode: string) => {
      await again.getByLabel('Mode').click();
      await page.getByRole('option', { name: mode }).click();
    };
    await choose('shadow: tried, and never counts');
    await again.getByText('for_more is in shadow: its rollout does nothing until it is live.').waitFor();
    await choose('live: counts');
    await again.getByLabel('Percent of people').fill('');
    expect(await again.getByLabel('Salt').count()).toBe(0);
    await again.getByRole('button', { name: 'Write it into the text' }).click();
    await text.getByText('rollout:').waitFor({ state: 'detached' });
  });

  it('is on the shadow board with those outside, from where its percentage is raised', async () => {
    const page = await visit(dashboard.service.httpsPort, { as: await dashboard.signIn('analyst') });
    await page.goto('/rules/shadow');
    const row = page.getByRole('row', { name: /for_half/ });
    await row.getByText('counts for 50 % of people, here are the others').waitFor();
    await expectReadable(page);
    await row.getByRole('button', { name: 'Details of for_half' }).click();
    await page
      .getByText(/checks? of people outside the 50 % for whom it counts/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: 'Roll out for_half further' }).click();
    const dialog = page.getByRole('dialog', { name: 'Roll out for_half further?' });
    await dialog
      .getByText('It counts for 50 % of people. Did it count for everyone, 0 more checks')
      .waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Raise it in the editor' }).click();
    const form = page.getByRole('dialog', { name: 'Rule for_half' });
    await form.getByLabel('Percent of people').fill('60');
    await form.getByRole('button', { name: 'Write it into the text' }).click();
    const text = page.getByRole('textbox', { name: 'Text of tried.yaml' });
    await text.getByText('rollout: { percent: 60 } # as agreed').waitFor();
    expect(new URL(page.url()).search).toBe('?tab=flips&file=tried.yaml');
  });

  it('is not raised over what another person has published while its form was open', async () => {
    const [as, other] = [await dashboard.signIn('analyst'), await dashboard.signIn('analyst')];
    const page = await visit(dashboard.service.httpsPort, { as });
    await page.goto('/rules?file=tried.yaml&form=for_half');
    const form = page.getByRole('dialog', { name: 'Rule for_half' });
    await form.getByLabel('Percent of people').fill('60');
    const files = { 'tried.yaml': TRIED.replace('percent: 50', 'percent: 75') };
    const draft = (await other.ask('POST', '/rules/drafts', { files })).json;
    await other.ask('POST', `/rules/drafts/${draft.id}/backtest`, { revision: 1 });
    await other.ask('POST', `/rules/drafts/${draft.id}/publish`, { revision: 1 });
    // The page hears of it while the form is open, as it does every ten seconds.
    const heard = page.waitForResponse(
      async (answer) =>
        answer.url().endsWith('/dashboard/api/rules') && (await answer.text()).includes('percent: 75'),
    );
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await heard;
    await form.getByRole('button', { name: 'Write it into the text' }).click();
    await page.getByText(`${other.person?.email} published version`).waitFor();
    await page.getByRole('button', { name: 'Merge it into yours' }).click();
    await page.getByText('choose in the text').waitFor();
  });
});
