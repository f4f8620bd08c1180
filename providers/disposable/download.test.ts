import fc from 'fast-check';
import type { DownloadedList, ListRecord } from 'postern/provider-kit';
import { describe, expect, it } from 'vitest';
import { snapshotOf } from './download.ts';

const NOW = { firstSeen: '2026-11-01', lastSeen: '2026-11-20' };
const GONE = { firstSeen: '2026-10-01', lastSeen: '2026-11-05' };
function aList(records: Readonly<Record<string, ListRecord>>): DownloadedList {
  const entries = Object.entries(records);
  const { length } = entries;
  return {
    name: 'lists_test',
    version: 'abc',
    date: '2026-11-20',
    entries: length,
    size: length,
    records: () => entries,
  };
}
const naming = (domains: readonly string[]) =>
  aList(Object.fromEntries(domains.map((domain) => [domain, NOW])));

describe('a downloaded list as a snapshot', () => {
  it('has votes for what it names now and what it named before, with the days', async () => {
    const snapshot = await snapshotOf(aList({ 'a.com': NOW, 'b.com': NOW, 'gone.com': GONE }));
    const votes = (domain: string) => snapshot.ballots[snapshot.ballotOf(domain)];
    expect(votes('a.com')).toEqual([{ source: 'lists_test', ...NOW }]);
    expect(votes('gone.com')).toEqual([{ source: 'lists_test', ...GONE }]);
    expect([snapshot.ballotOf('a.co'), snapshot.ballotOf('com'), snapshot.ballotOf('')]).toEqual([
      -1, -1, -1,
    ]);
    expect(snapshot.sizes).toEqual([2, 1]);
    expect(snapshot.sources).toEqual([
      { id: 'lists_test', version: 'lists_test@abc', licence: 'unknown', date: '2026-11-20' },
    ]);
  });

  it('tells apart more pairs of days than two octets can count', async () => {
    const day = (n: number) => new Date(n * 86_400_000).toISOString().slice(0, 10);
    const days = Array.from({ length: 70_000 }, (_, n) => ({
      firstSeen: day(n % 300),
      lastSeen: day(300 + n),
    }));
    const snapshot = await snapshotOf(aList(Object.fromEntries(days.map((pair, n) => [`d${n}.com`, pair]))));
    for (const n of [1, 65_537])
      expect(snapshot.ballots[snapshot.ballotOf(`d${n}.com`)]).toMatchObject([days[n]]);
  });

  it('counts the subdomains of hosts by their votes, where there are at least two', async () => {
    const snapshot = await snapshotOf(
      aList({
        'a.eu.org': NOW,
        'b.eu.org': GONE,
        'c.eu.org': NOW,
        'x.shop.com': NOW,
        'y.shop.com': NOW,
        'z.one.com': NOW,
      }),
    );
    expect(Object.fromEntries(snapshot.hosts)).toEqual({
      'eu.org': {
        kind: 'suffix',
        children: [
          [0, 2],
          [1, 1],
        ],
      },
      'shop.com': { kind: 'owner', children: [[0, 2]] },
    });
  });

  it('finds exactly what is listed', async () => {
    const some = fc.uniqueArray(fc.stringMatching(/^[ab]{1,3}\.[ab]{2}$/));
    await fc.assert(
      fc.asyncProperty(some, some, async (listed, others) => {
        const snapshot = await snapshotOf(naming(listed));
        expect(snapshot.size).toBe(listed.length);
        expect([...snapshot.domains()]).toEqual(listed);
        for (const domain of [...listed, ...others]) {
          expect(snapshot.ballotOf(domain) !== -1).toBe(listed.includes(domain));
        }
      }),
    );
  });

  it('is built in slices, so that requests are served meanwhile', async () => {
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    await snapshotOf(naming(Array.from({ length: 20_000 }, (_, i) => `d${i}.com`)));
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(40);
  });
});
