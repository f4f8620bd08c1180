import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/errors.ts';
import { errorEnvelope } from '../../src/http/request-state.ts';

describe('errorEnvelope', () => {
  it('contains code, public message and request id, and no details where there are none', () => {
    expect(errorEnvelope('not_found', 'r1')).toEqual({
      error: { code: 'not_found', message: ERRORS.not_found.message, request_id: 'r1' },
    });
    expect(errorEnvelope('not_found', 'r1').error).not.toHaveProperty('details');
  });

  it('contains details as they are given', () => {
    const details = [{ fault: 'no_at', position: 0, message: 'There is no @.' }];
    expect(errorEnvelope('unparseable_email', 'r1', details).error.details).toEqual(details);
  });
});
