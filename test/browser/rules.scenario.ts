import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { PASSWORD, startDashboard, type TestDashboard, type Visitor } from '../support/dashboard.ts';
import { expectAccessible } from './support/accessible.ts';
import { aBrowser, holdAnswers, signInAs, type VisitOptions } from './support/browser.ts';
import { DESK, expectReadable, expectToFit, PHONE } from './support/looks.ts';

const visit = aBrowser();
const rulesDir = mkdtempSync(join(tmpdir(), 'postern-rules-'));
let dashboard: TestDashboard;
let analyst: Visitor;
beforeAll(async () => {
  cpSync(join(packageRoot, 'rules'), rulesDir, { recursive: true });
  dashboard = await startDashboard({ rules: { dir: rulesDir } });
  analyst = await dashboard.signIn('analyst');
  // A score of 35 or so, which no rule blocks yet, and ordinary ones.
  for (const name of ['xkqzvtrwpl', 'qzxwvkjhgf', 'zxcvbnmqwr']) await check(`${name}@gmail.com`);
  for (const name of ['ada', 'grace', 'alan']) await check(`${name}@example.com`);
});
afterAll(async () => {
  await dashboard.stop();
  rmSync(rulesDir, { recursive: true });
});

const check = async (email: string) => {
  const { status, headers } = await dashboard.service.check(email);
  expect(status).toBe(200);
  return String(headers['postern-ruleset']);
};

/** The page of rules as an analyst opens it. */
async function openRules(path = '/rules', options: VisitOptions = {}): Promise<Page> {
  const page = await visit(dashboard.service.httpsPort, { as: analyst, ...options });
  await page.goto(path);
  return page;
}

/** Whether it is there and within the window. */
async function isInView(part: Locator): Promise<boolean> {
  const box = (await part.count()) === 1 ? await part.boundingBox() : null;
  const { height = 0 } = part.page().viewportSize() ?? {};
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

/** As another page would. */
async function publish(files: Record<string, string>): Promise<void> {
  const draft = await analyst.ask('POST', '/rules/drafts', { files });
  const path = `/rules/drafts/${draft.json.id}`;
  await analyst.ask('POST', `${path}/backtest`, { revision: 1 });
  const published = await analyst.ask('POST', `${path}/publish`, { revision: 1 });
  expect(published.json.state).toBe('in_force');
}

/** At the end of the text that is shown. */
async function typeAtEnd(page: Page, line: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Text of decision.yaml' }).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(line);
  await page.getByText(line.trim()).waitFor();
}

const unsavedIn = (page: Page) =>
  page.evaluate<string[]>(
    'Object.entries(localStorage).flatMap(([key, text]) => key.includes("unsaved") ? [text] : [])',
  );

/** The drawn lines once the end of the file is among them: the editor draws only the lines in view, and the end a moment later. */
async function textOfFile(page: Page, text: Locator): Promise<string | null> {
  await text.focus();
  await page.keyboard.press('Control+End');
  const last = text.locator('.cm-line').last();
  await expect.poll(() => last.getAttribute('class')).toContain('cm-activeLine');
  return text.textContent();
}

describe.skipIf(CHROMIUM === null)('the rules', () => {
  it('are changed by moving a line, shown in their effect, published, in force for the next check, and rolled back', async () => {
    const before = await check('someone@example.com');
    const page = await openRules();
    await page.getByRole('textbox', { name: 'Text of decision.yaml' }).waitFor();
    const line = page.getByRole('slider', { name: 'BLOCK' });
    await line.focus();
    // From 70 to 65, which the tests of the shipped rules allow.
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft');
    await page.getByText('block_score: { value: 65', { exact: false }).waitFor();
    expect(await line.getAttribute('aria-valuenow')).toBe('65');

    // A line of a level changes no action.
    await page.getByRole('slider', { name: 'medium' }).focus();
    await page.keyboard.press('PageUp');
    await page.getByText('Risk levels: low 4 → 7, medium 3 → 0, high 0.').waitFor();
    await page.keyboard.press('PageDown');
    const levels = 'Risk levels: low 4, medium 3, high 0.';
    await page.getByText(levels).waitFor();
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    await dialog.getByText('Newly blocked').waitFor();
    await dialog.getByText(levels).waitFor();
    await dialog.getByText('threshold block_score').waitFor();
    await dialog.getByLabel('Why').fill('Too many throw-away names.');
    await dialog.getByRole('button', { name: 'Put in force' }).click();
    await dialog.getByText('Every check from now on is decided by').waitFor();
    await expectAccessible(page);

    const after = await check('someone@example.com');
    expect(after).not.toBe(before);
    await dialog.getByText(after).waitFor();
    // The page knows before the dialog is closed.
    await page.locator(`input[aria-label="What to work on"][value*="${after}"]`).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('block_score: { value: 65', { exact: false }).waitFor();
    expect(await page.getByText('Other rules are published').count()).toBe(0);

    await page.getByRole('link', { name: 'Rule history' }).click();
    await page.getByRole('row', { name: /2.*in force/ }).waitFor();
    await page.getByText('value 70 → 65').waitFor();
    await page
      .getByRole('row', { name: new RegExp(before) })
      .getByRole('button', { name: 'Roll back' })
      .click();
    await page.getByText('Too many throw-away names.').waitFor();
    const back = page.getByRole('dialog', { name: 'Roll back to version 1?' });
    await back.getByText('Newly let in').waitFor();
    await expectAccessible(page);
    await back.getByLabel('Why').fill('It blocked customers.');
    await back.getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('Every check from now on is decided by').waitFor();
    expect(await check('someone@example.com')).toBe(before);
    await page.getByText('rollback to 1').waitFor();
    await page.getByText('It blocked customers.').waitFor();
    await expectAccessible(page);
    // On a phone the table is longer than the screen; what differs is brought to where it is seen, and the address keeps it.
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'Diff of version 2' }).click();
    await expect.poll(() => isInView(page.getByText('value 70 → 65'))).toBe(true);
    await page.reload();
    await expect.poll(() => isInView(page.getByText('value 70 → 65'))).toBe(true);
  });

  it('show what flips, and why, while they are typed; nothing is changed by that', async () => {
    const before = await check('someone@example.com');
    const page = await openRules();
    await page.getByRole('slider', { name: 'BLOCK' }).focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('PageDown');
    await page.getByRole('tab', { name: 'Flips' }).click();
    await page.getByRole('heading', { name: /^Newly blocked: \d+/ }).waitFor();
    await page.getByRole('button', { name: /BLOCK from 30, not 70/ }).click();
    await page.getByRole('link', { name: 'gmail.com' }).first().waitFor();
    await page.getByText('Both ledgers').first().click();
    await page.getByRole('columnheader', { name: 'This text' }).first().waitFor();
    await expectAccessible(page);
    expect(await check('someone@example.com')).toBe(before);

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'All flips as CSV' }).click();
    const rows = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split('\n');
    const flipped = rows.filter((row) => row.includes(',gmail.com,,ALLOW,BLOCK,'));
    expect(flipped.length).toBeGreaterThan(2);
    // The same of a draft, as a filter of checks.
    const { files } = (await analyst.get('/rules')).json.in_force;
    const text = files['decision.yaml'].replace('block_score: { value: 70', 'block_score: { value: 30');
    const draft = await analyst.ask('POST', '/rules/drafts', { files: { 'decision.yaml': text } });
    await page.goto(`/rules?draft=${draft.json.id}`);
    await page.getByRole('tab', { name: 'Flips' }).click();
    await page.getByRole('link', { name: 'All flips in Checks' }).click();
    await page.getByText(`flipped by ${draft.json.id}`).waitFor();
    await expect.poll(() => page.getByRole('link', { name: '…@gmail.com' }).count()).toBe(flipped.length);
    await expectAccessible(page);
    await analyst.ask('DELETE', `/rules/drafts/${draft.json.id}`);
  });

  it('are completed, linted, mended and explained as they are typed', async () => {
    const page = await openRules();
    const text = page.getByRole('textbox', { name: 'Text of decision.yaml' });
    await text.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  - ');
    await page.getByRole('option', { name: 'a whole rule' }).click();
    await text.getByText('event: { type: action, params: { action: BLOCK } }').last().waitFor();
    expect(await text.textContent()).toContain('  - id: name    description: A sentence');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await page.keyboard.type('id: extra');
    // Whatever is offered by now, Enter would take.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.keyboard.type('mode: ');
    await page.getByRole('option', { name: 'live' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('Live');
    // The options come again while one types, and Enter would take the one that is likest.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    const lint = page.getByRole('list', { name: 'What lint says' });
    await lint.getByText('Did you mean "live"?').waitFor();
    await page.getByText('The rules have errors').waitFor();
    await expectAccessible(page);
    await page.locator('.cm-lintRange-error').filter({ hasText: 'Live' }).hover();
    await page.getByRole('button', { name: 'Write live' }).click();
    await page.getByText('Did you mean "live"?').waitFor({ state: 'detached' });
    await page.getByText('lists.allowed').first().hover();
    await page.getByText('told by lists').waitFor();
  });

  it('are indented by their structure where they are parsed more slowly than they are typed', async () => {
    const page = await openRules();
    const text = page.getByRole('textbox', { name: 'Text of decision.yaml' });
    await text.focus();
    await page.keyboard.press('Control+End');
    // Each step of the parser takes half a millisecond, and the machine has no time for it between two keys.
    await page.evaluate(`(() => {
      const now = Date.now;
      let steps = 0;
      Date.now = () => now() + (steps += 0.5);
      window.requestIdleCallback = () => 0;
    })()`);
    for (const key of ['Enter', 'Shift+Enter', 'Control+Enter']) {
      await page.keyboard.type('  - id: extra');
      // Whatever is offered by now, Enter would take.
      await page.keyboard.press('Escape');
      await page.keyboard.press(key);
      await page.keyboard.type('mode: ');
      await page.getByRole('option', { name: 'live' }).waitFor();
      expect(await text.locator('.cm-line').last().textContent()).toBe('    mode: ');
      // What is typed next takes the place of the line: first of its words, then of its indentation.
      for (const part of ['Escape', 'Shift+Home', 'Shift+Home']) await page.keyboard.press(part);
    }
  });

  it('are saved as a draft that is there for others, and refuse to be written over', async () => {
    const page = await openRules('/rules', { refusals: [409] });
    const text = page.getByRole('textbox', { name: 'Text of decision.yaml' });
    await text.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n# Tried in May.\n');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved by Person 1').waitFor();
    const id = new URL(page.url()).searchParams.get('draft');
    expect(id).toMatch(/^drf_/);
    // A look at what publishing would do saves nothing: others would be told of a newer version.
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.getByRole('button', { name: 'Put in force', disabled: false }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await text.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('# And in June.\n');
    const { status } = await analyst.ask('PATCH', `/rules/drafts/${id}`, { revision: 1, name: 'May' });
    expect(status).toBe(200);
    await page.keyboard.press('Control+s');
    await page.getByText('Person 1 saved a newer version').waitFor();
    await page.getByRole('button', { name: 'Take theirs instead' }).click();
    await page.getByText('Not saved').waitFor({ state: 'detached' });
    expect(await text.textContent()).toContain('# Tried in May.');
    await analyst.ask('DELETE', `/rules/drafts/${id}`);
  });

  it('that another person published meanwhile are told at once, and merged with what was typed', async () => {
    const page = await openRules();
    const text = page.getByRole('textbox', { name: 'Text of decision.yaml' });
    // One change of its own, and one of a line that the other changes too.
    for (const name of ['medium', 'BLOCK']) {
      await page.getByRole('slider', { name }).focus();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
    }
    await page.getByText('block_score: { value: 68', { exact: false }).waitFor();
    const decision = (await analyst.get('/rules')).json.in_force.files['decision.yaml'];
    await publish({
      'decision.yaml': decision.replace('block_score: { value: 70', 'block_score: { value: 69'),
    });
    // Sooner than the page asks by itself.
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await page.getByText('person-1@firm.example published version').waitFor();
    expect(await page.getByRole('button', { name: 'Publish…' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Merge it into yours' }).click();
    await page.getByText('choose in the text').waitFor();
    await page.getByRole('button', { name: 'decision.yaml', exact: true }).click();
    await page.getByRole('button', { name: 'Keep both' }).waitFor();
    await expectReadable(page, [DESK]);
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await page.getByText('choose in the text').waitFor({ state: 'detached' });
    expect(await text.textContent()).toMatch(/medium_score: \{ value: 28.*block_score: \{ value: 69/);
    await expect.poll(() => page.getByRole('button', { name: 'Publish…' }).isEnabled()).toBe(true);
  });

  it('are listed beside the text, written by a form and read back by it; the address leads there again', async () => {
    const page = await openRules('/rules?tab=rules&file=address.yaml');
    await page.getByRole('textbox', { name: 'Text of address.yaml' }).waitFor();
    await page.getByRole('button', { name: 'New rule…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    await dialog.getByRole('button', { name: 'Write it into the text' }).click();
    await dialog.getByText('Write a whole number from -100 to 100, and not 0.').waitFor();
    await expectReadable(page, [PHONE]);
    await page.setViewportSize(DESK);
    await dialog.getByLabel('Name').fill('longish');
    await dialog.getByLabel('Description').fill('The local part is long.');
    await dialog.getByLabel('Points').fill('5');
    await dialog.getByLabel('Fact 1').fill('entropy.score');
    await page.getByRole('option', { name: 'entropy.score', exact: true }).click();
    await dialog.getByLabel('Value 1').fill('2.5');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Write it into the text' }).click();
    const text = page.getByRole('textbox', { name: 'Text of address.yaml' });
    await text.getByText('{ fact: entropy.score, operator: equal, value: 2.5 }').waitFor();
    const list = page.getByRole('region', { name: 'Rules and what they did' });
    await list.getByRole('button', { name: 'Edit longish as a form' }).click();
    const form = page.getByRole('dialog', { name: 'Rule longish' });
    expect(await form.getByLabel('Value 1').inputValue()).toBe('2.5');
    await form.getByLabel('Points').fill('7');
    await form.getByRole('button', { name: 'Write it into the text' }).click();
    await text.getByText('points: 7').waitFor();
    await page.getByText('Lint finds nothing').waitFor();
    await expectReadable(page, [DESK]);

    await page.getByRole('switch').check();
    await list.getByRole('button', { name: 'disposable', exact: true }).click();
    await page.getByRole('textbox', { name: 'Text of domain.yaml' }).waitFor();
    expect(new URL(page.url()).search).toBe('?tab=rules&file=domain.yaml');
    await page.reload();
    await page.getByRole('textbox', { name: 'Text of domain.yaml' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Rules' }).getAttribute('aria-selected')).toBe('true');
  });

  it('name conditions, which the form shows with what they stand for, keeps, and offers', async () => {
    const text = `group: shared
description: Uses names.
max_score: 5
conditions:
  drawn: { description: Drawn by lot., conditions: { all: [{ fact: entropy.suspicious, operator: equal, value: true }] } }
  handled: { description: Nobody in person., conditions: { any: [{ fact: domain.is_role_account, operator: equal, value: true }, { condition: drawn }] } }
rules:
  - id: by_name
    description: Looks drawn by lot.
    owner: risk
    mode: off
    conditions:
      all:
        - { condition: drawn }
    event: { type: points, params: { points: 5 } }
`;
    const draft = await analyst.ask('POST', '/rules/drafts', { files: { 'shared.yaml': text } });
    const page = await openRules(`/rules?draft=${draft.json.id}&tab=rules&file=shared.yaml`);
    const editor = page.getByRole('textbox', { name: 'Text of shared.yaml' });
    await editor.waitFor();
    await page.getByRole('switch').check();
    await page.getByRole('button', { name: 'Edit by_name as a form' }).click();
    const form = page.getByRole('dialog', { name: 'Rule by_name' });
    expect(await form.getByLabel('Named condition 1').inputValue()).toBe('drawn');
    await form.getByText('entropy.suspicious equal true').waitFor();
    await form.getByRole('button', { name: 'Add one by its name' }).click();
    await form.getByRole('button', { name: 'Write it into the text' }).click();
    await form.getByText('Choose a condition by its name.').waitFor();
    await form.getByLabel('Named condition 2').click();
    await page.getByRole('option', { name: 'handled' }).click();
    await form.getByText('domain.is_role_account equal true or condition drawn').waitFor();
    await expectReadable(page, [PHONE]);
    await page.setViewportSize(DESK);
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Write it into the text' }).click();
    await editor.getByText('{ condition: handled }').waitFor();
    await analyst.ask('DELETE', `/rules/drafts/${draft.json.id}`);
  });

  it('that are not saved are there again after a reload, for the person who typed them alone, until they sign out', async () => {
    const [first, next] = [await dashboard.signIn('analyst'), await dashboard.signIn('analyst')];
    const page = await openRules('/rules', { as: first });
    const text = page.getByRole('textbox', { name: 'Text of decision.yaml' });
    await text.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('# Not yet.');
    await page.getByText('Not saved; kept in this browser').waitFor();
    await page.goto('/rules/history');
    await page.goto('/rules');
    await page.getByText('Your unsaved changes are here again').waitFor();
    expect(await textOfFile(page, text)).toContain('# Not yet.');
    await expectAccessible(page);

    await signInAs(page, next);
    await page.goto('/rules');
    await text.waitFor();
    expect(await textOfFile(page, text)).not.toContain('# Not yet.');
    expect(await page.getByText('Your unsaved changes').count()).toBe(0);

    await signInAs(page, first);
    await page.goto('/keys');
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign out and lose unsaved changes?' });
    await dialog.getByText('the rules in force').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Sign out and delete them' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.includes("unsaved"))')).toEqual(
      [],
    );
  });

  it.each(['/rules', '/rules/history', '/rules/shadow'])('can be read and used at %s', async (path) => {
    const page = await openRules(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await expectReadable(page);
    await expectToFit(page);
  });

  it('can be followed in their effect on a phone', async () => {
    const page = await openRules('/rules', { viewport: PHONE });
    await page.getByText('Effect', { exact: true }).click();
    await page.getByRole('slider', { name: 'BLOCK' }).waitFor();
    await expectReadable(page, [PHONE]);
    await page.getByRole('tab', { name: 'Rules' }).click();
    await page.getByRole('columnheader', { name: 'Decisive' }).waitFor();
    await expectReadable(page, [PHONE]);
  });

  it('are shown by their first file, in the address too, where the file that it names is not there', async () => {
    const page = await openRules('/rules?file=nope.yaml');
    const first = page.getByRole('textbox', { name: 'Text of decision.yaml' });
    await first.waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?file=decision.yaml');
    await page.getByRole('button', { name: 'More for files' }).click();
    await page.getByRole('menuitem', { name: 'New file…' }).click();
    await page.getByLabel('Name').fill('zz.yaml');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('textbox', { name: 'Text of zz.yaml' }).waitFor();
    expect(new URL(page.url()).search).toBe('?file=zz.yaml');
    await page.getByRole('button', { name: 'More for files' }).click();
    await page.getByRole('menuitem', { name: 'As it is in force' }).click();
    await first.waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?file=decision.yaml');
  });

  it('keep each key that is typed before the one before it is drawn', async () => {
    const page = await openRules();
    const text = page.getByRole('textbox', { name: 'Text of decision.yaml' });
    await text.focus();
    await page.keyboard.press('Control+End');
    const line = `# ${'typed faster than it is drawn, '.repeat(10)}in tasks between those that draw`;
    await page.evaluate(`(async () => {
      for (const [at, character] of [...${JSON.stringify(line)}].entries()) {
        document.execCommand('insertText', false, character);
        await new Promise((resolve) => setTimeout(resolve, at % 4));
      }
    })()`);
    await expect.poll(() => text.locator('.cm-line').last().textContent()).toBe(line);
    await page.getByText('Not saved; kept in this browser').waitFor();
    await page.reload();
    expect(await textOfFile(page, text)).toContain(line);
  });

  it('that two tabs of one person edit are kept for the one that came last, and the other says so', async () => {
    const page = await openRules();
    const type = async (tab: Page, line: string) => {
      await tab.getByRole('textbox', { name: 'Text of decision.yaml' }).focus();
      await tab.keyboard.press('Control+End');
      await tab.keyboard.type(line);
    };
    await type(page, '# First.');
    await page.getByText('Not saved; kept in this browser').waitFor();
    const other = await page.context().newPage();
    await other.goto('/rules');
    await other.getByText('Your unsaved changes are here again').waitFor();
    await type(other, '# Second.');
    await page.getByText('Not saved, and not kept in this browser').waitFor();
    await page.getByRole('button', { name: 'More for drafts' }).click();
    await page.getByRole('menuitem', { name: 'Undo all changes' }).click();
    await page.getByText('Not saved').waitFor({ state: 'detached' });
    await other.reload();
    const text = other.getByRole('textbox', { name: 'Text of decision.yaml' });
    expect(await textOfFile(other, text)).toContain('# Second.');
  });

  it('that are published and not taken are told of at the second look, when the service had its time', async () => {
    const page = await openRules('about:blank');
    await page.clock.install();
    await page.goto('/rules');
    await page.getByRole('textbox', { name: 'Text of decision.yaml' }).waitFor();
    const answer = (await analyst.get('/rules')).json;
    const changes = [{ file: 'decision.yaml', is: 'changed' }];
    const directory = { ...answer.directory, state: 'differs', changes };
    await page.route('**/dashboard/api/rules', (route) => route.fulfill({ json: { ...answer, directory } }));
    const notice = page.getByText(/^decision.yaml in .* differs from what is in force, and is not taken/);
    for (const count of [0, 1]) {
      const polled = page.waitForResponse('**/dashboard/api/rules');
      await page.clock.runFor(10_000);
      await polled;
      // It is drawn by then.
      await page.clock.runFor(1000);
      await expect.poll(() => notice.count()).toBe(count);
    }
  });

  it('keep what was typed into a draft that another person discarded, after a reload too', async () => {
    const page = await openRules('/rules', { refusals: [404] });
    const text = page.getByRole('textbox', { name: 'Text of decision.yaml' });
    const editDiscarded = async (line: string) => {
      const { json } = await analyst.ask('POST', '/rules/drafts', { files: {} });
      await page.goto(`/rules?draft=${json.id}`);
      await text.focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(line);
      await page.getByText('Not saved; kept in this browser').waitFor();
      await analyst.ask('DELETE', `/rules/drafts/${json.id}`);
    };
    const keepAsDraft = async () => {
      await page.getByText('This draft was published or discarded').waitFor();
      await page.getByRole('button', { name: 'Keep it as a new draft' }).click();
      await page.getByText('Saved by Person 1').waitFor();
      const id = new URL(page.url()).searchParams.get('draft');
      const { files } = (await analyst.get(`/rules/drafts/${id}`)).json;
      await analyst.ask('DELETE', `/rules/drafts/${id}`);
      return files['decision.yaml'];
    };
    await editDiscarded('# Typed in time.');
    await page.keyboard.press('Control+s');
    await page.getByText('This draft was published or discarded').waitFor();
    expect(await page.getByText('The draft was not saved').count()).toBe(0);
    expect(await keepAsDraft()).toContain('# Typed in time.');

    await editDiscarded('# Typed too.');
    await page.reload();
    await page.getByText('Your unsaved changes are here again').waitFor();
    await expectAccessible(page);
    expect(await keepAsDraft()).toContain('# Typed too.');
    expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.includes("unsaved"))')).toEqual(
      [],
    );
  });

  it('keep what is typed on while a draft is saved, also where its page is left before that is answered', async () => {
    const { id } = (await analyst.ask('POST', '/rules/drafts', { files: {} })).json;
    const page = await openRules(`/rules?draft=${id}`);
    const answer = await holdAnswers(page, '**/rules/drafts/*', 'PATCH');
    await typeAtEnd(page, '# Saved.\n');
    await page.keyboard.press('Control+s');
    await answer.asked;
    await typeAtEnd(page, '# Typed on.\n');
    await page.getByRole('link', { name: 'Checks', exact: true }).click();
    await page.getByRole('heading', { name: 'Checks', exact: true }).waitFor();
    answer.letThrough();
    await expect.poll(async () => (await unsavedIn(page)).join()).not.toContain('"revision":1');
    await page.goBack();
    await page.getByText('Your unsaved changes are here again').waitFor();
    expect(await page.getByText('saved a newer version').count()).toBe(0);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved by Person 1').waitFor();
    const { files } = (await analyst.get(`/rules/drafts/${id}`)).json;
    expect(files['decision.yaml']).toMatch(/# Saved\.\n# Typed on\.\n$/);
    await analyst.ask('DELETE', `/rules/drafts/${id}`);
  });

  it('do not lead back from the page that is opened while a new draft is saved', async () => {
    const page = await openRules();
    const answer = await holdAnswers(page, '**/rules/drafts', 'POST');
    await typeAtEnd(page, '# Begun.\n');
    await page.keyboard.press('Control+s');
    await answer.asked;
    await page.getByRole('link', { name: 'Checks', exact: true }).click();
    await page.getByRole('heading', { name: 'Checks', exact: true }).waitFor();
    answer.letThrough();
    await expect.poll(() => unsavedIn(page)).toEqual([]);
    expect(new URL(page.url()).pathname).toBe('/checks');
    const [draft] = (await analyst.get('/rules')).json.drafts;
    await analyst.ask('DELETE', `/rules/drafts/${draft.id}`);
  });

  it('show what became of publishing, whatever is pressed meanwhile', async () => {
    const page = await openRules();
    await typeAtEnd(page, '# Put in force slowly.\n');
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    const answer = await holdAnswers(page, '**/publish', 'POST');
    await dialog.getByRole('button', { name: 'Put in force', disabled: false }).click();
    await answer.asked;
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    answer.letThrough();
    await dialog.getByText('Every check from now on is decided by').waitFor();
  });

  it('keep what is typed while a newer version is merged into them', async () => {
    const { files } = (await analyst.get('/rules')).json.in_force;
    const { id } = (await analyst.ask('POST', '/rules/drafts', { files: {} })).json;
    const page = await openRules(`/rules?draft=${id}`);
    await typeAtEnd(page, '# Mine.\n');
    await (await dashboard.signIn('analyst')).ask('PATCH', `/rules/drafts/${id}`, {
      revision: 1,
      files: { 'decision.yaml': `# Theirs.\n${files['decision.yaml']}` },
    });
    const merge = page.getByRole('button', { name: 'Merge it into yours' });
    const answer = await holdAnswers(page, '**/rules/merge', 'POST');
    await merge.click();
    await answer.asked;
    await typeAtEnd(page, '# While it merged.\n');
    answer.letThrough();
    await merge.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved by Person 1').waitFor();
    const saved = (await analyst.get(`/rules/drafts/${id}`)).json.files['decision.yaml'];
    expect(saved).toMatch(/^# Theirs\.\n.*# Mine\.\n# While it merged\.\n$/s);
    await analyst.ask('DELETE', `/rules/drafts/${id}`);
  });

  it('keep what is typed while the text of a discarded draft is kept as a new one', async () => {
    const { id } = (await analyst.ask('POST', '/rules/drafts', { files: {} })).json;
    const page = await openRules(`/rules?draft=${id}`, { refusals: [404] });
    await typeAtEnd(page, '# Mine.\n');
    await analyst.ask('DELETE', `/rules/drafts/${id}`);
    await page.keyboard.press('Control+s');
    const answer = await holdAnswers(page, '**/rules/drafts', 'POST');
    await page.getByRole('button', { name: 'Keep it as a new draft' }).click();
    await answer.asked;
    await typeAtEnd(page, '# While it was kept.\n');
    answer.letThrough();
    await page.getByText('Your unsaved changes are here again').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved by Person 1').waitFor();
    const draft = new URL(page.url()).searchParams.get('draft');
    const { files } = (await analyst.get(`/rules/drafts/${draft}`)).json;
    expect(files['decision.yaml']).toMatch(/# Mine\.\n# While it was kept\.\n$/);
    await analyst.ask('DELETE', `/rules/drafts/${draft}`);
  });

  it('are linted and replayed as they are last, and no request is kept for what they were', async () => {
    const page = await openRules();
    await page.getByText('Lint finds nothing.').waitFor();
    await page.getByText(/checks, judged in/).waitFor();
    // Neither is answered: only the page can end them.
    await page.route(/\/rules\/(lint|replay)$/, () => undefined);
    const isAsked = (name: string) => page.waitForRequest(new RegExp(`/rules/${name}$`));
    const isEnded = (name: string) =>
      page.waitForEvent('requestfailed', (request) => request.url().endsWith(`/rules/${name}`));
    const asked = Promise.all(['lint', 'replay'].map(isAsked));
    await typeAtEnd(page, '# first');
    const older = await asked;
    const ended = Promise.all(['lint', 'replay'].map(isEnded));
    await typeAtEnd(page, '# second');
    expect(await ended).toEqual(older);
    for (const request of older) expect(request.failure()?.errorText).toBe('net::ERR_ABORTED');
  });

  it('do not tell of their own save as of a newer version where it is answered late', async () => {
    const { id } = (await analyst.ask('POST', '/rules/drafts', { files: {} })).json;
    const page = await openRules('about:blank');
    await page.clock.install();
    await page.goto(`/rules?draft=${id}`);
    const answer = await holdAnswers(page, '**/rules/drafts/*', 'PATCH');
    await typeAtEnd(page, '# Slow.\n');
    await page.evaluate(`new MutationObserver(() => {
      window.isTold ||= document.body.textContent.includes('saved a newer version');
    }).observe(document.body, { subtree: true, childList: true })`);
    await page.keyboard.press('Control+s');
    await answer.asked;
    const polled = page.waitForResponse('**/dashboard/api/rules');
    await page.clock.runFor(10_000);
    await polled;
    answer.letThrough();
    await page.getByText('Saved by Person 1').waitFor();
    expect(await page.evaluate('window.isTold === true')).toBe(false);
    await analyst.ask('DELETE', `/rules/drafts/${id}`);
  });

  it('are weighed by a cost that the service takes, and no other', async () => {
    const page = await openRules('/rules?tab=curves');
    const asked = new Set<unknown>();
    page.on('request', (request) => {
      if (request.url().endsWith('/rules/replay')) asked.add(request.postDataJSON().cost_ratio);
    });
    const cost = page.getByLabel('Cost of one good signup turned away');
    await cost.fill('');
    await page.keyboard.press('Tab');
    expect(await cost.inputValue()).toBe('5');
    await cost.fill('5000');
    await page.getByText('0.1 to 1000; the figures go by 5').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    expect(await cost.inputValue()).toBe('5000');
    const replayed = page.waitForResponse('**/rules/replay');
    await typeAtEnd(page, '# Weighed.\n');
    await replayed;
    await page.getByRole('tab', { name: 'Rules' }).click();
    await page.getByRole('tab', { name: 'Curves' }).click();
    expect(await cost.inputValue()).toBe('5000');
    await page.getByText('0.1 to 1000; the figures go by 5').waitFor();
    await cost.fill('50');
    await page.getByText('0.1 to 1000').waitFor({ state: 'detached' });
    await expect.poll(() => [...asked]).toEqual([5, 50]);
  });

  it('say where to go on when a draft is not there any more', async () => {
    const page = await openRules('/rules?draft=drf_gone', { refusals: [404] });
    await page.getByText('The draft could not be opened').waitFor();
    await page.getByRole('link', { name: 'Open the rules in force' }).click();
    await page.getByRole('textbox', { name: 'Text of decision.yaml' }).waitFor();
  });

  it('lead to the sign-in when the session ends, with no error in the console', async () => {
    const page = await openRules('about:blank', { refusals: [401] });
    await page.clock.install();
    await page.goto('/rules');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    await page.clock.runFor(61_000);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('are published by a person who signs in again where the session ended before', async () => {
    const as = await dashboard.signIn('analyst');
    const page = await openRules('about:blank', { as, refusals: [401] });
    await page.clock.install();
    await page.goto('/rules');
    await typeAtEnd(page, '# Signed in again.\n');
    await page.getByRole('button', { name: 'Publish…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    await dialog.getByLabel('Why').fill('No reason.');
    // From here on nothing is asked for by time alone: a poll without a session would show the sign-in before the click.
    await page.clock.pauseAt(Date.now() + 1_000);
    await page.context().clearCookies();
    const asked = page.waitForRequest('**/dashboard/api/rules');
    await dialog.getByRole('button', { name: 'Put in force' }).click();
    await asked;
    await page.clock.resume();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('textbox', { name: 'Email' }).fill(as.person?.email ?? '');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await dialog.getByLabel('Why').inputValue()).toBe('No reason.');
    await dialog.getByRole('button', { name: 'Put in force' }).click();
    await dialog.getByText('Every check from now on is decided by').waitFor();
  });

  it('are none of the business of who is no analyst', async () => {
    const member = await dashboard.signIn({ [dashboard.accountId]: 'developer' });
    for (const path of ['/rules', '/rules/versions', '/rules/shadow']) {
      expect((await member.get(path)).status).toBe(403);
    }
  });
});
