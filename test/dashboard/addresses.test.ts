import { describe, expect, it } from 'vitest';
import { chooseAccount, withParameter } from '../../dashboard/src/account-choice.ts';
import { firstPage, landing, localPath } from '../../dashboard/src/route-choice.ts';
import { isWithin } from '../../dashboard/src/shell/navigation-order.ts';

const ACCOUNTS = [
  { id: 'acc_1', name: 'One', role: 'developer' as const },
  { id: 'acc_2', name: 'Two', role: 'viewer' as const },
];

describe('the account in view', () => {
  it('is the one in the address, the first where the address names none, and never a different one', () => {
    expect(chooseAccount(ACCOUNTS, 'acc_2')?.id).toBe('acc_2');
    expect(chooseAccount(ACCOUNTS, 'acc_9')).toBeUndefined();
    expect(chooseAccount(ACCOUNTS, null)?.id).toBe('acc_1');
    expect(chooseAccount([], 'acc_1')).toBeUndefined();
  });

  it('is kept on links to other pages, with their own parameters', () => {
    expect(withParameter('/checks?action=BLOCK#top', 'account', 'acc_2')).toBe(
      '/checks?action=BLOCK&account=acc_2#top',
    );
    expect(withParameter('/keys?account=acc_1', 'account', 'acc_2')).toBe('/keys?account=acc_1');
    expect(withParameter('/keys', 'account', null)).toBe('/keys');
    expect(withParameter('/rules/history', 'scope', 'all')).toBe('/rules/history?scope=all');
    expect(withParameter('https://example.com/', 'account', 'acc_2')).toBe('https://example.com/');
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

it('the next person to sign in is sent to the requested page only where their roles may open it', () => {
  const mayOpen = (path: string, account: string | null) => path === '/keys' && account !== 'acc_9';
  expect(landing('/keys?account=acc_1', mayOpen)).toBe('/keys?account=acc_1');
  expect(landing('/keys?account=acc_9', mayOpen)).toBe('/');
  expect(landing('/people', mayOpen)).toBe('/');
  expect(landing('//evil.example/keys', mayOpen)).toBe('/');
});

it('without an overview, / leads to the first page of the navigation', () => {
  const password = { path: '/account/password', section: null };
  expect(firstPage([password, { path: '/keys', section: 'Account' }])).toBe('/keys');
  expect(firstPage([password])).toBe('/account/password');
  expect(firstPage([])).toBeUndefined();
});

it('the navigation marks a page as current while a page below it is open', () => {
  expect(isWithin('/checks/chk_1', '/checks')).toBe(true);
  expect(isWithin('/checks', '/checks')).toBe(true);
  expect(isWithin('/checksums', '/checks')).toBe(false);
  expect(isWithin('/checks', '/')).toBe(false);
});
