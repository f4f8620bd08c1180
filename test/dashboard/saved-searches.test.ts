import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  readSearches,
  removeSearch,
  saveSearch,
  searchOf,
} from '../../dashboard/src/pages/checks/saved-searches.ts';

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  return () => vi.unstubAllGlobals();
});

describe('saved searches', () => {
  it('are kept by name for one person, and can be removed', () => {
    saveSearch('per_1', { name: 'b', search: 'action=BLOCK' });
    saveSearch('per_1', { name: 'a', search: 'domain=x.org' });
    saveSearch('per_1', { name: 'b', search: 'action=ALLOW' });
    expect(readSearches('per_1')).toEqual([
      { name: 'a', search: 'domain=x.org' },
      { name: 'b', search: 'action=ALLOW' },
    ]);
    expect(readSearches('per_2')).toEqual([]);
    expect(removeSearch('per_1', 'a')).toEqual([{ name: 'b', search: 'action=ALLOW' }]);
    expect(readSearches('per_1')).toHaveLength(1);
  });

  it.each(['{', '{"a":1}', '[1, null, {"name":"x"}]'])('are empty where %s is stored', (text) => {
    kept.set('postern-searches per_1', text);
    expect(readSearches('per_1')).toEqual([]);
  });

  it('give the reason why one cannot be saved', () => {
    for (let n = 0; n < 50; n += 1) saveSearch('per_1', { name: `s${n}`, search: 'x' });
    expect(() => saveSearch('per_1', { name: 'one more', search: 'x' })).toThrow('remove one first');
    expect(saveSearch('per_1', { name: 's1', search: 'y' })).toHaveLength(50);
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      setItem: () => {
        throw new Error('QuotaExceededError');
      },
    });
    expect(() => saveSearch('per_1', { name: 'a', search: 'x' })).toThrow('can be bookmarked');
  });

  it('have no account of their own: they search the one in view', () => {
    expect(searchOf(new URLSearchParams('account=acc_1&domain=x.org&scope=all'))).toBe(
      'domain=x.org&scope=all',
    );
  });
});
