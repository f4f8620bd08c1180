import { expect, it } from 'vitest';
import { ApiError } from '../../dashboard/src/api/api-error.ts';
import { describeError } from '../../dashboard/src/ui/error-text.ts';
import { fieldErrors } from '../../dashboard/src/ui/field-errors.ts';

const refusal = (code: string, ...details: Readonly<Record<string, unknown>>[]) =>
  new ApiError({ status: 400, code, message: 'There is one with this name already.', details });

it('an error is shown at its field, in plain words', () => {
  const error = refusal('invalid_request', { path: 'body/email', message: 'must match pattern "^x"' });
  expect(fieldErrors(error, ['email', 'name'])).toEqual({
    email: 'Write an email address, such as jane@example.org',
  });
  const weak = refusal('weak_password', { path: 'body/password', message: 'At least 12 characters.' });
  expect(fieldErrors(weak, ['password'])).toEqual({ password: 'At least 12 characters.' });
  expect(fieldErrors(refusal('name_taken'), ['name'])).toEqual({
    name: 'There is one with this name already.',
  });
});

it.each([
  refusal('forbidden'),
  refusal('invalid_request', { path: 'body/membership', message: 'is missing' }),
  new Error('a bug'),
  null,
])('for %j there is no error at a field, so that the notice shows it', (error) => {
  expect(fieldErrors(error, ['email'])).toBeNull();
});

it('no notice mentions "details"', () => {
  const error = new ApiError({
    status: 409,
    code: 'rules_changed',
    message: 'Other rules are published than the draft was made of; "details" has the difference.',
  });
  expect(describeError(error).message).toBe('Other rules are published than the draft was made of.');
});
