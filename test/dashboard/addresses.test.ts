import { describe, expect, it } from 'vitest';
import { chooseAccount, withAccount } from '../../dashboard/src/account-choice.ts';
import { firstPage, localPath } from '../../dashboard/src/route-choice.ts';
import { isWithin } from '../../dashboard/src/shell/navigation-order.ts';

const ACCOUNTS = [
  { id: 'acc_1', name: 'One', role: 'developer' as const },
  { id: 'acc_2', name: 'Two', role: 'viewer' as const },
];

describe('the account in view', () => {
  it('is the one in the address, where it is one of theirs, and the first otherwise', () => {
    expect(chooseAccount(ACCOUNTS, 'acc_2')?.id).toBe('acc_2');
    expect(chooseAccount(ACCOUNTS, 'acc_9')?.id).toBe('acc_1');
    expect(chooseAccount(ACCOUNTS, null)?.id).toBe('acc_1');
    expect(chooseAccount([], 'acc_1')).toBeUndefined();
  });

  it('goes along to other pages, whose own parameters stay', () => {
    expect(withAccount('/checks?action=BLOCK#top', 'acc_2')).toBe('/checks?action=BLOCK&account=acc_2#top');
    expect(withAccount('/keys?account=acc_1', 'acc_2')).toBe('/keys?account=acc_1');
    expect(withAccount('/keys', null)).toBe('/keys');
    expect(withAccount('https://example.com/', 'acc_2')).toBe('https://example.com/');
  });
});

it.each([
  ['/checks?account=acc_1', '/checks?account=acc_1'],
  [null, '/'],
  ['', '/'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['/\t/evil.example/', '/'],
  ['javascript:alert(1)', '/'],
])('after the sign-in %j leads to %s', (wanted, expected) => {
  expect(localPath(wanted)).toBe(expected);
});

it('without an overview, / leads to the first page of the navigation', () => {
  const password = { path: '/account/password', section: null };
  expect(firstPage([password, { path: '/keys', section: 'Account' }])).toBe('/keys');
  expect(firstPage([password])).toBe('/account/password');
  expect(firstPage([])).toBeUndefined();
});

it('the navigation marks a page while one that belongs to it is open', () => {
  expect(isWithin('/checks/chk_1', '/checks')).toBe(true);
  expect(isWithin('/checks', '/checks')).toBe(true);
  expect(isWithin('/checksums', '/checks')).toBe(false);
  expect(isWithin('/checks', '/')).toBe(false);
});
