import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ListSource, readSnapshot } from './snapshot.ts';
import { type ListEdition, nextSnapshot } from './write-snapshot.ts';

const source = (id: string, date: string): ListSource => ({ id, version: `${id}@1`, licence: 'MIT', date });
const edition = (id: string, date: string, ...domains: readonly string[]): ListEdition => ({
  source: source(id, date),
  domains,
});
const first = nextSnapshot(null, [
  edition('one', '2026-01-10', 'a.com', 'both.net', 'x.eu.org', 'y.eu.org', 'a.y.eu.org'),
  edition('two', '2026-01-20', 'both.net', 'z.lone.org'),
]);
const votesOf = (text: Buffer, domain: string) => {
  const snapshot = readSnapshot(text);
  return snapshot.ballots[snapshot.ballotOf(domain)];
};

describe('a snapshot of lists', () => {
  it('gives the lists that name a domain, with first and last day', () => {
    expect(votesOf(first, 'both.net')).toEqual([
      { source: 'one', firstSeen: '2026-01-10', lastSeen: '2026-01-10' },
      { source: 'two', firstSeen: '2026-01-20', lastSeen: '2026-01-20' },
    ]);
    expect(readSnapshot(first).sources).toEqual([source('one', '2026-01-10'), source('two', '2026-01-20')]);
  });

  it('counts the subdomains of hosts by set of votes, where there are at least two', () => {
    expect(Object.fromEntries(readSnapshot(first).hosts)).toEqual({
      'eu.org': { kind: 'suffix', children: [[0, 3]] },
    });
  });

  it('finds exactly the domains that a list names', () => {
    const aDomain = fc.stringMatching(/^[ab.]{3,6}$/);
    fc.assert(
      fc.property(fc.array(aDomain), fc.array(aDomain), fc.array(aDomain), (ones, twos, others) => {
        const snapshot = readSnapshot(
          nextSnapshot(null, [edition('one', '2026-01-10', ...ones), edition('two', '2026-01-10', ...twos)]),
        );
        const listed = new Set([...ones, ...twos]);
        expect(snapshot.size).toBe(listed.size);
        expect([...snapshot.domains()].sort()).toEqual([...listed].sort());
        for (const domain of [...listed, ...others]) {
          const votes = snapshot.ballots[snapshot.ballotOf(domain)] ?? [];
          const expected = [ones.includes(domain) && 'one', twos.includes(domain) && 'two'].filter(Boolean);
          expect(votes.map((vote) => vote.source)).toEqual(expected);
        }
      }),
    );
  });

  it.each(['', 'a', 'a.co', '.com', 'com', 'a.com\nboth.net', 'a.com.', '#votes'])(
    'never takes a part of a line for a domain: %j',
    (part) => expect(readSnapshot(first).ballotOf(part)).toBe(-1),
  );

  it('has the same text whatever the order of the lists', () => {
    const lists = [edition('one', '2026-01-10', 'b.com', 'a.com'), edition('two', '2026-01-20', 'a.com')];
    expect(nextSnapshot(null, lists.toReversed())).toEqual(nextSnapshot(null, lists));
  });
});

describe('the next snapshot', () => {
  const second = nextSnapshot(readSnapshot(first), [edition('one', '2026-02-01', 'a.com', 'new.com')]);

  it('keeps what a list no longer names, with the last day on which it did', () => {
    expect(votesOf(second, 'x.eu.org')).toEqual([
      { source: 'one', firstSeen: '2026-01-10', lastSeen: '2026-01-10' },
    ]);
  });

  it('extends the days of what is still named, and starts new entries on their day', () => {
    expect(votesOf(second, 'a.com')).toEqual([
      { source: 'one', firstSeen: '2026-01-10', lastSeen: '2026-02-01' },
    ]);
    expect(votesOf(second, 'new.com')).toEqual([
      { source: 'one', firstSeen: '2026-02-01', lastSeen: '2026-02-01' },
    ]);
    expect(readSnapshot(second).sources[0]).toEqual(source('one', '2026-02-01'));
  });

  it('accepts older editions after newer ones', () => {
    const later = nextSnapshot(readSnapshot(second), [edition('one', '2025-06-01', 'a.com')]);
    expect(votesOf(later, 'a.com')).toEqual([
      { source: 'one', firstSeen: '2025-06-01', lastSeen: '2026-02-01' },
    ]);
    expect(readSnapshot(later).sources[0]?.date).toBe('2026-02-01');
  });

  it('drops what was last seen before the given day', () => {
    const later = nextSnapshot(readSnapshot(second), [], '2026-01-15');
    expect([...readSnapshot(later).domains()].sort()).toEqual(['a.com', 'both.net', 'new.com', 'z.lone.org']);
    expect(votesOf(later, 'both.net')).toHaveLength(1);
    expect([...readSnapshot(later).hosts]).toEqual([]);
  });

  it("uses a list's own days where the list has them", () => {
    const own = {
      ...edition('one', '2026-02-01', 'a.com'),
      seen: () => ({ firstSeen: '2020-01-01', lastSeen: '2021-01-01' }),
    };
    expect(votesOf(nextSnapshot(null, [own]), 'a.com')).toEqual([
      { source: 'one', firstSeen: '2020-01-01', lastSeen: '2021-01-01' },
    ]);
  });
});

describe('a text that is not a snapshot', () => {
  const read = (text: string) => readSnapshot(Buffer.from(text));
  const head = '#postern-disposable-lists 1\n#source one one@1 MIT 2026-01-01\n';
  it.each([
    ['', 'does not begin with'],
    ['<html>', 'does not begin with'],
    [first.toString().slice(0, -2), 'cut off'],
    [`${head}a.com\n`, 'stray line'],
    [`${head}#votes one 2026-01-01 2026-01-01\n\n`, 'stray line'],
    [`${head}#what\n`, 'unknown kind'],
    [`${head}#votes\n`, 'without a vote'],
    [`${head}#votes two 2026-01-01 2026-01-01\n`, 'unknown source "two"'],
    [`${head}#votes one 2026-01-02 2026-01-01\n`, 'with the days'],
    [`${head}#host eu.org registry\n`, 'of the kind "registry"'],
    [`${head}#host eu.org suffix 0:2\n`, 'with children "0:2"'],
    [`${head}#votes one 2026-01-01 2026-01-01\na.com\n#host eu.org suffix 0:x\n`, 'with children "0:x"'],
    [`${head}#votes one 2026-01-01 2026-01-01\na.com\n#host eu.org suffix 0:2\nb.com\n`, 'stray line'],
    [`${head}#source One x MIT 2026-01-01\n`, 'not told in full'],
  ])('is refused: %j', (text, reason) => expect(() => read(text)).toThrow(reason));

  it('is told apart from a snapshot without any domain, which is valid', () => {
    expect(read(head)).toMatchObject({ size: 0 });
    expect(read(head).ballotOf('a.com')).toBe(-1);
  });
});
