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
  ])('of %s, whose escapes are no UTF-8, is as the address has it', (url, name) => {
    expect(spokenName(url)).toBe(name);
    const [status] = statusOf([url], NO_LISTS, { now: 0, staleAfterHours: 1 });
    expect(status && complaintOf(status)).toBe(`${name} was never downloaded`);
  });
});
