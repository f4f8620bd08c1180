import { expect, it } from 'vitest';
import { faultsOf, readRule } from '../../../dashboard/src/pages/rules/language/rule-form.ts';
import { group, is, lint, points, when } from '../rules-directory.ts';

it.each([
  ['0', ''],
  ['100', ''],
  ['101', ''],
  ['-3', ''],
  ['2.5', ''],
  ['half', ''],
  ['5', 'May 2026'],
  ['99', ''],
  ['1', 'may_2026'],
])('the form of a rule reports for a rollout to %s %% with salt "%s" the same as lint', (percent, salt) => {
  const rollout = `{ percent: ${percent}${salt && `, salt: ${salt}`} }`;
  const condition = when(is('mx.provider', 'google'));
  const files = { 'g.yaml': group('g', { r: `${points(10)}, rollout: ${rollout}, ${condition}` }) };
  const form = readRule(files, 'g.yaml', 'r');
  if (form === null) throw new Error('there is no such rule');
  const errors = lint(files).problems.filter(({ severity }) => severity === 'error');
  expect(Object.values(faultsOf(form, form, files, () => true))).toEqual(
    errors.map(({ message }) => message),
  );
});
