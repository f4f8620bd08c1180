import { describe, expect, it } from 'vitest';
import { ApiError } from '../../dashboard/src/api/api-error.ts';
import { entryErrors } from '../../dashboard/src/pages/lists/entry-errors.ts';

const refusal = (code: string, ...details: Readonly<Record<string, unknown>>[]) =>
  new ApiError({ status: 400, code, message: 'The request is not as it must be.', details });
const at = (member: string, message: string, more = {}) => ({
  ...{ path: `body/change/entry/${member}`, message },
  ...more,
});

describe('the error of a list entry', () => {
  it('is shown at its field, in plain words', () => {
    const error = refusal(
      'invalid_request',
      at('value', '"*.x.org" is none of user@x.org, x.org and .x.org', { meant: '.x.org' }),
      at('expires', '"expires" must be a date (2027-06-30)'),
      at('reason', 'must match pattern'),
    );
    expect(entryErrors(error)).toEqual({
      value: 'Write jane@example.org, example.org or .example.org. Did you mean .x.org?',
      expires: 'Write a day, such as 2027-06-30',
      reason: 'Write a few words, without signs that turn the direction of the text',
    });
  });

  it('says that the entry exists already, and with which reason', () => {
    const error = refusal('invalid_request', at('value', 'it stands in allow.yaml already: ours'));
    expect(entryErrors(error)).toEqual({ value: 'It stands in allow.yaml already: ours' });
    const over = refusal('invalid_request', at('expires', 'that day is over: the entry would do nothing'));
    expect(entryErrors(over)).toEqual({ expires: 'That day is over' });
  });

  it.each([
    refusal('list_changed'),
    refusal('invalid_request'),
    refusal('invalid_request', { path: 'body/change/value', message: 'it does not stand in allow.yaml' }),
    new Error('a bug'),
  ])('is null for any other error, which is shown as it is', (error) => {
    expect(entryErrors(error)).toBeNull();
  });
});
