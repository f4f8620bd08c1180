import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderStores } from '../../src/signals/provider-ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { aMailWorld, YES } from '../support/catch-all-world.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { aWorld } from './world.ts';

const OWNER_RULES = `group: owner
description: Who is probably behind it.
max_score: 10
rules:
  - id: scattered_dots
    description: Dots that probably tell nobody apart.
    owner: risk
    mode: live
    conditions:
      all:
        - { fact: owner_cluster.basis, operator: equal, value: mail_host }
        - { fact: owner_cluster.changes, operator: greaterThan, value: 0 }
    event: { type: points, params: { points: 7 } }
`;

let dns: DnsServer;
let env: Record<string, string>;

beforeAll(async () => {
  dns = await startDnsServer({
    'gmail.com': { MX: [{ exchange: 'mx.example.com', preference: 5 }] },
    'example.com': { MX: [{ exchange: 'mx.example.com', preference: 10 }] },
    'mx.example.com': { A: ['203.0.113.10'] },
    'firm.example': { MX: [{ exchange: 'aspmx.l.google.com', preference: 1 }] },
    'silent.example': {},
  });
  dns.setBehaviour('silent', 'silent.example');
  env = {
    POSTERN__DNS__SERVERS: JSON.stringify([dns.address]),
    // Loopback answers at once; the resolver of the machine that runs the test may not.
    POSTERN__CHECK__DEADLINE_MS: '2000',
    POSTERN__DNS__TIMEOUT_MS: '1500',
  };
});
afterAll(() => dns.close());

const check = (...argv: string[]) => aWorld().postern(['check', ...argv], { env });

describe('postern check', () => {
  it('answers one line per address in the order of the arguments, and 0 when all are allowed', async () => {
    const { code, stdout } = await check('Jane.Doe+x@gmail.com', 'jane.doe@example.com');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^ALLOW {4}0 {2}low {5}janedoe@gmail\.com {2}<- Jane\.Doe\+x@gmail\.com$/),
      expect.stringMatching(/^ALLOW {4}0 {2}low {5}jane\.doe@example\.com$/),
      '',
    ]);
  });

  it('exits with 1 when one answer is BLOCK', async () => {
    const { code, stdout } = await check('jane.doe@example.com', 'x@mailinator.com');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^BLOCK +\d+ {2}high {4}x@mailinator\.com$/m);
  });

  it('exits with 1 when a text is not an address, reports why and where, and answers the others', async () => {
    const { code, stdout, stderr } = await check('nobody', 'jane.doe@example.com');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const [first, second] = stdout.split('\n');
    expect(first).toMatch(/^no address +nobody {2}.+ \(at \d+\)$/);
    expect(second).toMatch(/^ALLOW/);
  });

  it('prints no character that controls the terminal', async () => {
    const { stdout } = await check('a\u001b[2Jb', '\u202ea@example.com');
    expect(stdout).toContain('a\\u{1b}[2Jb');
    expect(stdout).toContain('\\u{202e}');
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });

  it('prints with --explain the ledger, whose last line is the score', async () => {
    const { stdout } = await check('--explain', 'x@mailinator.com');
    const score = /^BLOCK +(\d+)/.exec(stdout)?.[1];
    expect(stdout).toMatch(/^ {2}kind +rule +group +points +saw$/m);
    expect(stdout).toMatch(/^ {2}rule +disposable +domain +\+\d+ {2}domain\.is_known_disposable=true$/m);
    expect(stdout).toMatch(new RegExp(`^ {2}sum +${score}$`, 'm'));
  });

  it.each([[], ['--offline']])(
    'prints with --explain the lists that name a domain and their dates, with the options %j',
    async (...options) => {
      const { stdout } = await check('--explain', ...options, 'x@mailinator.com');
      expect(stdout).toMatch(
        /^ {2}disposable +.*"votes":\[.*"disposable_email_domains_js \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d"/m,
      );
    },
  );

  it('names the failed provider, and the facts that stayed unknown with the reason', async () => {
    const { code, stdout } = await check('--explain', 'jane@silent.example');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ALLOW.* degraded: mx$/m);
    expect(stdout).toMatch(/^ {2}timeout +domain\.has_mx(,|$)/m);
  });

  it('gives a rule the probable owner at a domain that is hosted elsewhere, after the DNS look-up', async () => {
    const world = aWorld({ 'rules/owner.yaml': OWNER_RULES });
    const explained = async (...argv: string[]) =>
      (await world.postern(['check', '--explain', ...argv], { env })).stdout;
    const saw = 'owner_cluster.basis=mail_host, owner_cluster.changes=1';
    expect(await explained('j.a.ne@firm.example')).toMatch(
      new RegExp(`^ {2}rule +scattered_dots +owner +\\+7 {2}${saw}$`, 'm'),
    );
    expect(await explained('jane@firm.example')).not.toContain('scattered_dots');
    const silent = await explained('j.a.ne@silent.example');
    expect(silent).toMatch(/^ALLOW +0 .* degraded: mx$/m);
    expect(silent).toMatch(/^ {2}stood_aside +scattered_dots +0 {2}unknown: owner_cluster\.basis/m);
    expect(silent).toMatch(/^ {2}not_run +.*\bowner_cluster\.changes(,|$)/m);
    expect(await explained('--offline', 'j.a.ne@firm.example')).toMatch(/^ {2}stood_aside +scattered_dots/m);
  });

  it('makes no network request with --offline, which is not degradation', async () => {
    const before = dns.queries.length;
    const { code, json } = await check('--offline', '--json', 'jane.doe@example.com');
    expect(code).toBe(0);
    expect(json()).toMatchObject({ degraded: [], unknown: { 'domain.has_mx': 'not_run' } });
    expect(json().signals['domain.has_mx']).toBeNull();
    expect(dns.queries).toHaveLength(before);
  });

  it('answers one JSON object per line with --json, also for refusals', async () => {
    const { code, stdout } = await check('--json', 'Jane+x@example.com', 'nobody');
    expect(code).toBe(1);
    const [answer, refusal] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answer).toEqual({
      email: 'Jane+x@example.com',
      summary: { action: 'ALLOW', risk_score: 0, risk_level: 'low' },
      normalized: {
        raw: 'Jane+x@example.com',
        canonical: 'jane@example.com',
        local_part: 'jane',
        domain: 'example.com',
        subaddress: 'x',
        has_dots_removed: false,
      },
      signals: expect.objectContaining({ 'domain.has_mx': true, 'mx.outcome': 'mx' }),
      unknown: expect.any(Object),
      evidence: expect.objectContaining({ tld: { tld: 'com' } }),
      ledger: expect.any(Array),
      rollouts: [],
      ruleset: expect.stringMatching(/^[0-9a-f]{16}$/),
      degraded: [],
    });
    expect(refusal).toEqual({
      email: 'nobody',
      error: {
        code: 'unparseable_email',
        message: expect.any(String),
        details: [{ fault: 'no_at', position: expect.any(Number), message: expect.any(String) }],
      },
    });
  });

  it('keeps the order of more addresses than it checks concurrently', async () => {
    const emails = Array.from({ length: 20 }, (_, index) => `jane${index}@example.com`);
    const { stdout } = await check('--json', ...emails);
    const answered = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).email);
    expect(answered).toEqual(emails);
  });

  it('treats the empty string as a text that is not an address', async () => {
    expect((await check('')).code).toBe(1);
  });

  it('uses what the service has stored about a domain, and writes nothing itself', async () => {
    const world = aWorld();
    const file = join(world.cwd, 'data/postern.db');
    const storage = await openSqliteStorage({ file, durability: 'commit' });
    const stores = new ProviderStores({ now: Date.now });
    stores.open(storage.providerValues);
    const service = await aMailWorld({
      store: stores.of('catch_all'),
      now: Date.now(),
      mx: { 'example.com': ['mx.example.com'] },
    });
    await service.ask('example.com');
    await expect.poll(() => service.asked.length).toBe(1);
    await service.reply(YES);
    await expect.poll(() => service.ask('example.com')).toHaveProperty('facts');
    const asking = { ...env, POSTERN__PROVIDERS__CATCH_ALL__HELO_NAME: 'probe.example.net' };
    const check = () => world.postern(['check', 'jane@example.com', '--json'], { env: asking });
    // Beside a service that has the database open, and without a service.
    const answers = [await check()];
    await storage.close();
    const before = readFileSync(file);
    answers.push(await check());
    for (const answer of answers) {
      const { signals, degraded } = answer.json();
      expect([signals['domain.is_catch_all'], degraded]).toEqual([true, []]);
    }
    expect(readFileSync(file)).toEqual(before);
  });

  it.each([
    ['damaged', (file: string) => writeFileSync(file, 'no database '.repeat(1_000))],
    ['of a version before it kept any', (file: string) => new DatabaseSync(file).exec('CREATE TABLE a (b)')],
  ])('answers beside a database that is %s', async (_what, make) => {
    const world = aWorld();
    mkdirSync(join(world.cwd, 'data'));
    make(join(world.cwd, 'data/postern.db'));
    const asking = { ...env, POSTERN__PROVIDERS__CATCH_ALL__HELO_NAME: 'probe.example.net' };
    const { code, json } = await world.postern(['check', 'jane@example.com', '--json'], { env: asking });
    expect(code).toBe(0);
    expect(json().unknown).toMatchObject({ 'domain.is_catch_all': 'not_run' });
  });

  it('writes nothing to the disk: no data directory, no record', async () => {
    const world = aWorld();
    await world.postern(['check', 'jane.doe@example.com'], { env });
    expect(readdirSync(world.cwd).sort()).toEqual(['config', 'rules', 'src']);
  });

  it('cannot run with rules that have an error, and lists it', async () => {
    const world = aWorld({ 'rules/broken.yaml': 'group: broken\n' });
    const { code, stdout, stderr } = await world.postern(['check', 'jane.doe@example.com'], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/broken\.yaml:1:1 error missing_key/);
  });
});
