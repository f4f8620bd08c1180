import { expect, it } from 'vitest';
import { describeDeed } from '../../dashboard/src/pages/audit/audit-text.ts';

it.each([
  ['check.labelled', 'chk_1', 'labelled chk_1'],
  ['check.labelled', '3 checks', 'labelled 3 checks'],
  ['check.label_removed', '1 check', 'took a label off 1 check'],
  ['key.issued', 'key_1', 'issued a key'],
  ['person.sign_in_failed', null, 'failed to sign in'],
  ['of.another_version', 'x_1', 'of.another_version'],
])('the audit trail tells %s of %s as "%s"', (action, subject, text) => {
  expect(describeDeed({ action, subject })).toBe(text);
});
