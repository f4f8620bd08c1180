import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { startDashboard, type TestDashboard } from '../support/dashboard.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser } from './support/browser.ts';
import { expectReadable } from './support/looks.ts';

/** Fires for the one that is good. */
const SHADOW_RULE = `
  - id: known_mail
    description: The domain accepts mail.
    owner: risk
    mode: shadow
    conditions:
      all:
        - { fact: domain.has_mx, operator: equal, value: true }
    event: { type: points, params: { points: 80 } }
`;

const visit = aBrowser();
const directory = mkdtempSync(join(tmpdir(), 'postern-rules-'));
let dashboard: TestDashboard;
beforeAll(async () => {
  const [dir, challenger] = [join(directory, 'rules'), join(directory, 'challenger')];
  for (const copy of [dir, challenger]) {
    cpSync(join(packageRoot, 'rules'), copy, { recursive: true });
    // They expect what the shipped rules decide.
    rmSync(join(copy, 'tests'), { recursive: true });
  }
  appendFileSync(join(dir, 'domain.yaml'), SHADOW_RULE);
  const decision = join(challenger, 'decision.yaml');
  const text = readFileSync(decision, 'utf8');
  writeFileSync(decision, text.replace('block_score: { value: 70', 'block_score: { value: 10'));
  dashboard = await startDashboard({ rules: { dir, challenger_dir: challenger, promotion: { days: 1 } } });
});
afterAll(async () => {
  await dashboard.stop();
  rmSync(directory, { recursive: true });
});

const panel = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

/** As a person reads it, in one line. */
const textOf = async (part: Locator) => (await part.innerText()).replaceAll(/\s+/g, ' ');

async function openBoard(page: Page) {
  await page.goto('/rules/shadow');
  const [challenger, rule] = [panel(page, 'Challenger'), page.getByRole('row', { name: /known_mail/ })];
  await rule.waitFor();
  return { challenger, rule };
}

describe.skipIf(CHROMIUM === null)('the shadow board', () => {
  it('shows that a challenger disagrees, and once labels tell who is right, what may be promoted', async () => {
    const as = await dashboard.signIn('owner');
    const page = await visit(dashboard.service.httpsPort, { as });
    const checks = [];
    for (const email of [
      'info@example.com',
      'x@mailinator.com',
      'jane@no-mail.example',
      'jane.doe@example.com',
    ]) {
      checks.push((await dashboard.service.check(email)).json);
    }
    expect(checks.map(({ summary }) => summary.action)).toEqual(['ALLOW', 'BLOCK', 'ALLOW', 'ALLOW']);

    const before = await openBoard(page);
    const untold = await textOf(before.challenger);
    expect(untold).toContain('beside 4 checks that were answered');
    expect(untold).toContain('Cannot be told yet');
    expect(untold).toContain('Agrees 50.0 % the same action');
    expect(untold).toContain('Would block 2 and let in 0');
    await expectAccessible(page);

    await before.challenger.getByText('The checks whose action would change').click();
    const turning = before.challenger.getByRole('table', { name: 'Checks whose action would change' });
    expect(await turning.getByRole('rowheader').allInnerTexts()).toEqual([
      '…@example.com',
      '…@no-mail.example',
    ]);
    await expectAccessible(page);
    await turning.getByRole('link').first().click();
    await page.getByRole('heading', { name: '…@example.com', level: 1 }).waitFor();
    // Whichever account is in view: rules are judged by the checks of all.
    expect(page.url()).toContain(`/checks/${checks[0].id}?scope=all`);

    for (const [place, label] of ['bad', 'bad', 'bad', 'good'].entries()) {
      const path = `/accounts/${dashboard.accountId}/checks/${checks[place].id}/label`;
      expect((await as.ask('PUT', path, { label })).status).toBe(204);
    }
    const after = await openBoard(page);
    const told = await textOf(after.challenger);
    expect(told).toContain('May be promoted');
    expect(told).toContain('Bad stopped 100.0 % answered: 33.3 %');
    expect(told).toContain('Good turned away 0.0 % answered: 0.0 %');
    const row = await textOf(after.rule);
    expect(row).toContain('tried live in 4 checks');
    expect(row).toContain('50.0 % (15.0 to 85.0)');
    expect(row).toContain('2 to BLOCK');
    // One good signup was hit, of one: not enough to be held against the rule, and shown as that.
    expect(row).toContain('Cannot be told yet');
    await after.rule.getByRole('button', { name: 'Details of known_mail' }).click();
    const details = page.getByRole('region', { name: 'On live traffic' });
    await details.waitFor();
    expect(await textOf(details)).toMatch(
      /100\.0 % \(20\.6 % to 100\.0 %\) on \S+, of too few checks to count/,
    );
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expectReadable(page);

    // A whole challenger, as a draft that is published like any other.
    await after.challenger.getByRole('button', { name: 'Promote…' }).click();
    const whole = page.getByRole('dialog', { name: 'Promote the challenger?' });
    await whole.getByText('would have blocked 2 that were let in').waitFor();
    await expectAccessible(page);
    await whole.getByRole('button', { name: 'Make a draft of it' }).click();
    await page.getByRole('heading', { name: 'Newly blocked: 2' }).waitFor();
    await page.getByRole('button', { name: 'Publish…' }).click();
    const publishing = page.getByRole('dialog', { name: 'Publish' });
    await publishing.getByRole('button', { name: 'Put in force' }).and(page.locator(':enabled')).waitFor();
    await publishing.getByText('block_score').first().waitFor();
    await publishing.getByRole('button', { name: 'Cancel' }).click();

    await openBoard(page);
    await after.rule.getByRole('button', { name: 'Promote known_mail' }).click();
    const dialog = page.getByRole('dialog', { name: 'Promote known_mail?' });
    await dialog.getByText('Were it live, 2 checks would have been blocked').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Make it live in the editor' }).click();
    const text = page.getByRole('textbox', { name: 'Text of domain.yaml' });
    await text.getByText('known_mail').waitFor();
    expect(await text.textContent()).toMatch(/id: known_mail.*mode: live/);
    await page.getByRole('heading', { name: 'Newly blocked: 2' }).waitFor();
  });
});
