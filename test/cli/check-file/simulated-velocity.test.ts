import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts';
import { aWorld } from '../world.ts';
import { objectsOf, offline } from './offline.ts';

const AT = (time: string) => `2026-11-20T${time}:00Z`;
const row = (email: string, told: string) => `${JSON.stringify({ email, told })}\n`;
const DOMAIN = 'velocity.domain_1h';
const SPELLINGS = 'velocity.spellings_24h';

/** The counts of each row; null where it was not counted. */
async function countsOf(lines: readonly string[], fact = DOMAIN) {
  const world = aWorld({ 'users.jsonl': lines.join('') });
  const outcome = await offline(world, 'users.jsonl', '--simulate-velocity', 'told');
  return { ...outcome, counts: objectsOf(outcome.stdout).map((answer) => answer[fact]) };
}

describe('postern check --file --simulate-velocity', () => {
  it('counts each row with the rows before it, at their own times', async () => {
    const { counts } = await countsOf([
      row('a@shop.example', AT('08:00')),
      row('b@shop.example', AT('08:10')),
      row('c@other.example', AT('08:20')),
      row('d@shop.example', AT('08:30')),
      row('e@shop.example', AT('11:00')),
    ]);
    expect(counts).toEqual([1, 2, 1, 3, 1]);
  });

  it('counts an address that is typed again within ten minutes once, as the service does', async () => {
    const { counts } = await countsOf([
      row('jane+1@gmail.com', AT('08:00')),
      row('jane+1@gmail.com', AT('08:05')),
      row('jane+2@gmail.com', AT('08:06')),
      row('jane+1@gmail.com', AT('08:11')),
    ]);
    expect(counts).toEqual([1, 1, 2, 3]);
  });

  it('makes the counts available to rules', async () => {
    const spellings = Array.from({ length: 12 }, (_, tag) => row(`jane+${tag}@gmail.com`, AT('08:00')));
    const { counts, stdout } = await countsOf(spellings, SPELLINGS);
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const scores = objectsOf(stdout).map(({ risk_score }) => risk_score);
    expect(scores[0]).toBe(0);
    expect(scores.at(-1)).toBeGreaterThan(0);
  });

  it('adds the counts as columns to CSV, and counts nothing without the option', async () => {
    const world = aWorld({ 'users.csv': `email,told\na@shop.example,${AT('08:00')}\n` });
    const counted = await offline(world, 'users.csv', '--simulate-velocity', 'told');
    const [head = '', first = ''] = counted.stdout.split('\n');
    expect(head).toContain(`,position,velocity.canonical_24h,`);
    expect(first.split(',')[head.split(',').indexOf(DOMAIN)]).toBe('1');
    expect((await offline(world, 'users.csv')).stdout).not.toContain('velocity');
  });

  it('warns of rows without a time, and of rows whose time goes back, and counts the others', async () => {
    const { counts, code, stdout, stderr } = await countsOf([
      row('a@shop.example', AT('08:00')),
      row('b@shop.example', '20.11.2026'),
      row('c@shop.example', AT('07:59')),
      `${JSON.stringify({ email: 'd@shop.example' })}\n`,
      row('e@shop.example', AT('08:00')),
    ]);
    expect(code).toBe(1);
    expect(counts).toEqual([1, null, null, null, 2]);
    expect(objectsOf(stdout).map(({ fault }) => fault)).toEqual([
      null,
      'no_time',
      'time_goes_back',
      'no_time',
      null,
    ]);
    expect(stderr).toContain(
      'users.jsonl: 3 rows could not be counted: each needs a time in "told", 2026-11-20T08:00:00Z for example, and the file is sorted by it',
    );
  });

  it.each([
    [['--file', 'users.jsonl', '--simulate-velocity', 'time'], 'users.jsonl: there is no column "time"'],
    [['a@shop.example', '--simulate-velocity', 'told'], '--simulate-velocity goes with --file'],
  ])('refuses %j', async (argv, said) => {
    const world = aWorld({ 'users.jsonl': row('a@shop.example', AT('08:00')) });
    const { code, stderr } = await world.postern(['check', '--offline', ...argv]);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  describe('with DNS look-ups', () => {
    let dns: DnsServer;
    beforeAll(async () => {
      dns = await startDnsServer({
        'shop.example': { MX: [{ exchange: 'mx.shop.example', preference: 5 }] },
      });
    });
    afterAll(() => dns.close());

    it('counts in the order of the rows, whichever look-up ends first', async () => {
      // Every second row needs a look-up of its own domain, which takes longer than a cached one.
      const domains = Array.from({ length: 60 }, (_, at) =>
        at % 2 === 0 ? `${at}.shop.example` : 'shop.example',
      );
      const lines = domains.map((domain, at) => row(`u${at}@${domain}`, AT('08:00')));
      const world = aWorld({
        'users.jsonl': lines.join(''),
        'dns.yaml': `dns: { servers: ["${dns.address}"] }\n`,
      });
      const { stdout } = await world.postern([
        ...['check', '--file', 'users.jsonl', '--simulate-velocity', 'told', '--config', 'dns.yaml'],
      ]);
      const answers = objectsOf(stdout);
      expect(
        answers.filter(({ email }) => email.endsWith('@shop.example')).map((answer) => answer[DOMAIN]),
      ).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    });
  });
});
