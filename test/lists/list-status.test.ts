import { describe, expect, it } from 'vitest';
import { complaintOf, spokenName, statusOf } from '../../src/lists/list-status.ts';
import { NO_LISTS } from '../../src/lists/list-store.ts';

describe('the name of a downloaded list', () => {
  it.each([
    ['https://lists.example.org/a/domains.txt', 'domains.txt of lists.example.org'],
    ['https://lists.example.org/a/domains/', 'domains of lists.example.org'],
    ['https://lists.example.org:8443/', 'lists.example.org:8443'],
    ['https://lists.example.org/b%C3%BCcher%20list.txt', 'bücher list.txt of lists.example.org'],
  ])('of %s is its file and its host', (url, name) => {
    expect(spokenName(url)).toBe(name);
  });

  it.each([
    ['https://lists.example.org/100%.txt', '100%.txt of lists.example.org'],
    ['https://lists.example.org/b%FCcher.txt', 'b%FCcher.txt of lists.example.org'],
  ])('of %s, whose escapes are not UTF-8, is as in the address', (url, name) => {
    expect(spokenName(url)).toBe(name);
    const [status] = statusOf([url], NO_LISTS, { now: 0, staleAfterHours: 1 });
    expect(status && complaintOf(status)).toBe(`${name} was never downloaded`);
  });
});

it('the address of a list is shown without its password', () => {
  const url = 'https://ann:s3cret@lists.example.org/a.txt?passkey=s3cret';
  const [status] = statusOf([url], NO_LISTS, { now: 0, staleAfterHours: 1 });
  expect(status?.url).toBe('https://ann:[redacted]@lists.example.org/a.txt?passkey=[redacted]');
  expect(status && complaintOf(status)).toBe('a.txt of lists.example.org was never downloaded');
});

it.each([
  [1.5, '1 hour'],
  [47.9, '47 hours'],
  [48, '2 days'],
])('a list of %d hours ago is shown as %s old', (hours, age) => {
  const url = 'https://lists.example.org/a.txt';
  const [status] = statusOf([url], NO_LISTS, { now: 0, staleAfterHours: 1 });
  expect(status).toBeDefined();
  if (status)
    expect(complaintOf({ ...status, state: 'stale', age_hours: hours })).toBe(
      `a.txt of lists.example.org is ${age} old`,
    );
});
