import { describe, expect, it } from 'vitest';
import { requestIdOf } from '../../src/http/request-state.ts';

describe('requestIdOf', () => {
  it.each(['a', 'A.b_c-9', 'x'.repeat(64)])('keeps the caller’s id %j', (id) => {
    expect(requestIdOf(id)).toBe(id);
  });

  it.each([undefined, '', 'x'.repeat(65), 'a b', 'a\n', 'é', 'a,b', ['a', 'b']])('replaces %j', (id) => {
    expect(requestIdOf(id)).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('makes a new id each time', () => {
    expect(requestIdOf(undefined)).not.toBe(requestIdOf(undefined));
  });
});
