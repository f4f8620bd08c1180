import { describe, expect, it } from 'vitest';
import { withChanges } from '../../dashboard/src/address.ts';
import {
  chosenRange,
  queryOfFilters,
  readFilters,
  understand,
} from '../../dashboard/src/pages/checks/check-filters.ts';

describe('the text in the search field', () => {
  it.each([
    [' chk_01M807HT4B78DFG0Z06J5TDH2P ', { id: 'chk_01M807HT4B78DFG0Z06J5TDH2P' }],
    ['key_1', { key_id: 'key_1' }],
    ['drf_1', { flips: 'drf_1' }],
    ['Jane@Example.org', { email: 'Jane@Example.org' }],
    ['Example.org', { domain: 'example.org' }],
    ['.example.org', { domain: '.example.org' }],
    ['9c8fc3629db37ae5', { ruleset: '9c8fc3629db37ae5' }],
    ['ab'.repeat(32), { person: 'ab'.repeat(32) }],
    ['disposable', { rule: 'disposable' }],
    ['  ', {}],
  ])('is recognized by its form: %j', (text, filters) => {
    expect(understand(text)).toEqual(filters);
  });
});

describe('filters', () => {
  it('are kept in the address, beside its other parameters', () => {
    const search = withChanges(new URLSearchParams('account=acc_1&rule=old'), { rule: '', min_score: '70' });
    expect(search.toString()).toBe('account=acc_1&min_score=70');
    expect(readFilters(search)).toEqual({ min_score: '70' });
    expect(readFilters(new URLSearchParams('rule=%20&unknown=1'))).toEqual({});
  });

  it('are sent as the endpoint expects them, with a time only where one was chosen', () => {
    const now = Date.parse('2026-11-22T12:00:30Z');
    expect(queryOfFilters({ rule: 'role', min_score: '0' }, null, now)).toEqual({
      rule: 'role',
      min_score: 0,
    });
    expect(chosenRange(new URLSearchParams('rule=role'))).toBeNull();
    expect(queryOfFilters({}, chosenRange(new URLSearchParams('range=24h')), now)).toEqual({
      since: '2026-11-21T12:00:00.000Z',
    });
    const days = chosenRange(new URLSearchParams('from=2026-11-01&to=2026-11-02'));
    expect(queryOfFilters({}, days, now)).toEqual({
      since: '2026-11-01T00:00:00.000Z',
      until: '2026-11-02T00:00:00.000Z',
    });
  });
});
