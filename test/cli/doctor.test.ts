import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { examinePostgres } from '../../src/cli/doctor/machine-and-servers.ts';
import { issueLocalhostCertificate } from '../../src/http/server/certificate.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { lockData } from '../../src/storage/file-lock.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { aWorldWith } from './recorded-world.ts';
import { aWorld, type World } from './world.ts';

const DAY_MS = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const rightDns = await startDnsServer({ 'a.root-servers.net': { A: ['198.41.0.4'] } });
const walledDns = await startDnsServer({});
afterAll(() => Promise.all([rightDns.close(), walledDns.close()]));

/** A command that prints `text`, in place of the command of the machine. */
function aProgram(name: string, text: string): string {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, name), `#!/bin/sh\necho '${text}'\n`, { mode: 0o755 });
  return directory;
}

async function findingsIn(world: World, env: Readonly<Record<string, string>> = {}) {
  const dns = { POSTERN__DNS__SERVERS: JSON.stringify([rightDns.address]) };
  const all = { PATH: aProgram('timedatectl', 'yes'), ...dns, ...env };
  const { code, stdout, json } = await world.postern(['doctor', '--json'], { env: all });
  expect(stdout).not.toContain('internal error');
  const findings: { check: string; level: string; message: string; remedy: string | null }[] =
    json().findings;
  const bad = findings.filter(({ level }) => level !== 'ok').map(({ level, check }) => `${level} ${check}`);
  return { code, findings, bad, of: (check: string) => findings.filter((found) => found.check === check) };
}

/** Every file with its size and times. */
function filesOf({ cwd }: World): readonly string[] {
  return readdirSync(cwd, { recursive: true })
    .map((name) => join(cwd, String(name)))
    .map((path) => [path, lstatSync(path)] as const)
    .map(([path, { size, mtimeMs, ctimeMs, mode }]) => `${path} ${size} ${mtimeMs} ${ctimeMs} ${mode}`)
    .sort();
}

function onDatabase({ cwd }: World, sql: string): void {
  const database = new DatabaseSync(join(cwd, 'data/postern.db'));
  database.exec(sql);
  database.close();
}

describe('postern doctor', () => {
  it('finds no fault in a sound installation, prints one line for each examination, and changes nothing', async () => {
    const world = await aWorldWith({ id: 'chk_1', created_at: ago(60_000) });
    const before = filesOf(world);
    const { code, bad, findings } = await findingsIn(world);
    expect([code, bad]).toEqual([0, []]);
    const checks = [
      'configuration',
      'data_directory',
      'database',
      'secrets',
      'certificate',
      'rules',
      'lists',
    ];
    const ofMachine = ['disk', 'open_files', 'clock', 'clock', 'dns'];
    expect(findings.map(({ check }) => check)).toEqual([...checks, ...ofMachine]);
    const env = {
      POSTERN__DNS__SERVERS: JSON.stringify([rightDns.address]),
      PATH: aProgram('timedatectl', 'yes'),
    };
    const { stdout } = await world.postern(['doctor'], { env });
    expect(stdout.split('\n')).toHaveLength(findings.length + 1);
    expect(stdout).toMatch(/^ok {6} dns: 127\.0\.0\.1:\d+ replies, and finds a root server$/m);
    expect(filesOf(world)).toEqual(before);
  });

  it('reports a missing data directory, and does not create it', async () => {
    const world = aWorld();
    const before = filesOf(world);
    const { code, bad, of } = await findingsIn(world);
    expect([code, bad]).toEqual([0, ['warning data_directory', 'warning database']]);
    expect(of('database')[0]).toMatchObject({
      message: `there is no database at ${join(world.cwd, 'data/postern.db')}`,
      remedy: 'is --data-dir right? The first start makes it',
    });
    expect(filesOf(world)).toEqual(before);
  });

  it('reports each fault of a configuration that cannot be read', async () => {
    const world = aWorld({ 'config/local.yaml': 'http: { prot: 1, port: x }\n' });
    const { code, findings } = await findingsIn(world);
    expect(code).toBe(1);
    expect(findings.map(({ check, message }) => [check, message.split(' ')[1]])).toEqual([
      ['configuration', 'http.prot'],
      ['configuration', 'http.port'],
    ]);
  });
});

const damagePageOf = (table: string) => (world: World) => {
  const file = join(world.cwd, 'data/postern.db');
  const database = new DatabaseSync(file);
  const found = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table);
  database.close();
  const page = Number(found?.rootpage);
  writeFileSync(file, readFileSync(file).fill(0xff, (page - 1) * 8192, page * 8192));
};

/** How a sound installation is damaged, and what the command finds then. */
const DAMAGES: Readonly<
  Record<
    string,
    readonly [damage: (world: World) => unknown, finding: string, env?: () => Record<string, string>]
  >
> = {
  'a file that is no database': [
    (world) => world.write('data/postern.db', 'no database '.repeat(1000)),
    'error database file is not a database',
  ],
  'secrets of which nothing is known then': [
    (world) => world.write('data/postern.db', 'no database '.repeat(1000)),
    'unknown secrets it cannot be read',
  ],
  'a damaged page of the keys': [damagePageOf('api_keys'), 'error database malformed'],
  'a damaged page of the accounts': [damagePageOf('accounts'), 'error database malformed'],
  'a database that is gone beside the key of sessions': [
    ({ cwd }) => rmSync(join(cwd, 'data/postern.db')),
    'error database tells of an earlier start',
  ],
  'a database of a newer version': [
    (world) => onDatabase(world, "INSERT INTO migrations VALUES ('9999-from-the-future', '2099')"),
    'error database was written by a newer Postern',
  ],
  'a database of an older version': [
    (world) =>
      onDatabase(world, "DROP TABLE service_state; DELETE FROM migrations WHERE name = '0018-service-state'"),
    'warning database lacks steps: 0018-service-state',
  ],
  'a key that is gone': [
    ({ cwd }) => rmSync(join(cwd, 'data/secrets/hmac.key')),
    'error secrets hmac.key is missing, and the database was used with it: put it back',
  ],
  'another key': [
    (world) => chmodSync(world.write('data/secrets/session.key', 'x'.repeat(40)), 0o600),
    'error secrets is another key than the database was used with',
  ],
  'a key for all to read': [
    ({ cwd }) => chmodSync(join(cwd, 'data/secrets/hmac.key'), 0o644),
    'error secrets chmod 600 it',
  ],
  'a data directory for all to read': [
    ({ cwd }) => chmodSync(join(cwd, 'data'), 0o755),
    'error data_directory is open to others (mode 0755)',
  ],
  'a log of revocations that others may read': [
    (world) => chmodSync(world.write('data/revocations.log', ''), 0o644),
    'error data_directory revocations.log is open to others (mode 0644)',
  ],
  'the first key, still lying there': [
    (world) => chmodSync(world.write('data/first-run.txt', 'POSTERN_KEY=x'), 0o600),
    'warning data_directory first-run.txt still holds the first key',
  ],
  'rules with a fault': [
    (world) => world.write('rules/domain.yaml', 'group: domain\nrules: 7\n'),
    'error rules domain.yaml',
  ],
  'a list that was never downloaded': [
    () => undefined,
    'warning lists was never downloaded',
    () => ({ POSTERN__LISTS__URLS: '["https://lists.example.org/a.txt"]' }),
  ],
  'a record of tomorrow': [
    (world) => onDatabase(world, `UPDATE checks SET created_at = '${ago(-DAY_MS)}'`),
    'error clock the clock is behind',
  ],
  'a record of last year': [
    (world) => onDatabase(world, `UPDATE checks SET created_at = '${ago(365 * DAY_MS)}'`),
    'warning clock more than a day has gone by',
  ],
  'a clock that nothing keeps right': [
    () => undefined,
    'warning clock the clock is not synchronized',
    () => ({ PATH: aProgram('chronyc', 'Leap status     : Not synchronised') }),
  ],
  'a machine that does not tell of its clock': [
    () => undefined,
    'unknown clock neither timedatectl nor chronyc tells',
    () => ({ PATH: temporaryDirectory() }),
  ],
  'a name server that does not reply': [
    () => undefined,
    'error dns 127.0.0.1:9 does not reply',
    () => ({ POSTERN__DNS__SERVERS: '["127.0.0.1:9"]', POSTERN__DNS__TIMEOUT_MS: '50' }),
  ],
  'one of two name servers that does not reply': [
    () => undefined,
    'warning dns 127.0.0.1:9 does not reply',
    () => ({
      POSTERN__DNS__SERVERS: JSON.stringify([rightDns.address, '127.0.0.1:9']),
      POSTERN__DNS__TIMEOUT_MS: '50',
    }),
  ],
  'a name server without a way out': [
    () => undefined,
    'error dns replies, but finds no root server (nxdomain)',
    () => ({ POSTERN__DNS__SERVERS: JSON.stringify([walledDns.address]) }),
  ],
  'no room beside the database': [
    () => undefined,
    'error disk 0 MB free at /proc',
    () => ({ POSTERN__STORAGE__URL: '/proc/none/postern.db' }),
  ],
};

describe('postern doctor, of a damaged installation', () => {
  it.each(Object.entries(DAMAGES))('reports %s', async (_what, [damage, finding, env]) => {
    const world = await aWorldWith({ id: 'chk_1', created_at: ago(60_000) });
    await damage(world);
    const before = filesOf(world);
    const { code, findings } = await findingsIn(world, env?.());
    const [level = '', check = '', ...words] = finding.split(' ');
    expect(findings).toContainEqual({
      ...{ check, level },
      message: expect.stringContaining(words.join(' ')),
      remedy: findings.find((found) => found.level === level && found.check === check)?.remedy,
    });
    expect(code).toBe(findings.some((found) => found.level === 'error') ? 1 : 0);
    expect(filesOf(world)).toEqual(before);
  });

  it.each([
    [-1, 'error'],
    [13, 'warning'],
    [15, 'ok'],
  ])('reports a certificate that ends in %d days: %s', async (days, level) => {
    const world = aWorld();
    const VALID_DAYS = 825;
    const { cert, key } = await issueLocalhostCertificate(Date.now() + (days + 0.5 - VALID_DAYS) * DAY_MS);
    const tls = { cert_file: world.write('own/cert.pem', cert), key_file: world.write('own/key.pem', key) };
    chmodSync(tls.key_file, 0o600);
    world.write('config/local.yaml', JSON.stringify({ http: { tls } }));
    const { of } = await findingsIn(world);
    expect(of('certificate')).toMatchObject([{ level }]);
  });

  it('reports a certificate that was made while the clock was ahead, and is not valid yet', async () => {
    const world = aWorld();
    const made = await issueLocalhostCertificate(Date.now() + 3 * DAY_MS);
    for (const name of ['ca', 'cert', 'key'] as const) {
      chmodSync(world.write(`data/tls/${name}.pem`, made[name]), 0o600);
    }
    const { of } = await findingsIn(world);
    expect(of('certificate')).toMatchObject([
      { level: 'error', message: expect.stringContaining('tls/cert.pem is not valid before') },
    ]);
  });

  it('compares the limit of open files of the running service, or of a later one, with the number of connections', async ({
    skip,
  }) => {
    const [, hard = ''] =
      /^Max open files +\S+ +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    skip(!(Number(hard) < 2_000_000), 'this machine lets a process open as many files as there may be');
    const world = await aWorldWith({ id: 'chk_1' });
    const found = async () => {
      const { of } = await findingsIn(world, { POSTERN__HTTP__MAX_CONNECTIONS: '1000000' });
      return of('open_files').map(({ level, message }) => [level, message]);
    };
    const needed = '2 ports with http.max_connections need 2000200';
    const who = 'a process that is started here';
    expect(await found()).toEqual([['warning', `${who} may have ${hard} files open; ${needed}`]]);
    const dataDir = join(world.cwd, 'data');
    using _lock = lockData({ dataDir, database: join(dataDir, 'postern.db') });
    const running = expect.stringContaining(`the service (process ${process.pid}) may have`);
    expect(await found()).toEqual([['warning', running]]);
  });

  // Only root can become another user.
  it.runIf(process.getuid?.() === 0).each([
    ['doctor', 'data_directory'],
    ['verify', 'database'],
  ])('%s reports what it may not read, and does not report it as missing', async (command, check) => {
    const world = await aWorldWith({ id: 'chk_1' });
    const dataDir = join(world.cwd, 'data');
    const argv = [join(packageRoot, 'bin/postern.js'), command, '--data-dir', dataDir, '--json'];
    const { status, stdout } = spawnSync(process.execPath, argv, {
      uid: 65_534,
      gid: 65_534,
      encoding: 'utf8',
    });
    const faults = JSON.parse(stdout).findings.filter(({ level }: { level: string }) => level !== 'ok');
    const remedy = 'run as the user that the service runs as; what else is there cannot be seen';
    expect([status, faults]).toEqual([
      1,
      [{ check, level: 'error', message: expect.stringContaining('EACCES'), remedy }],
    ]);
  });

  it('advises no restore where the database belongs to another user', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root becomes another user');
    const world = await aWorldWith({ id: 'chk_1' });
    const dataDir = join(world.cwd, 'data');
    chmodSync(world.cwd, 0o755);
    chownSync(dataDir, 65_534, 65_534);
    const argv = [join(packageRoot, 'bin/postern.js'), 'doctor', '--data-dir', dataDir, '--json'];
    const { stdout } = spawnSync(process.execPath, argv, { uid: 65_534, gid: 65_534, encoding: 'utf8' });
    const findings: { check: string; message: string; remedy: string }[] = JSON.parse(stdout).findings;
    expect(findings.filter(({ check }) => check === 'database')).toMatchObject([
      { message: expect.stringContaining('EACCES'), remedy: expect.stringMatching(/^run as the user/) },
    ]);
  });

  it('advises no restore where the disk is full, so that the index of the log cannot be made', async () => {
    const world = await aWorldWith({ id: 'chk_1' });
    const dataDir = join(world.cwd, 'data');
    // As the log of a service that was killed. No file may have more than 4 kB.
    writeFileSync(join(dataDir, 'postern.db-wal'), 'x'.repeat(4_000), { mode: 0o600 });
    const argv = [process.execPath, join(packageRoot, 'bin/postern.js'), 'doctor', '--data-dir', dataDir];
    const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 8; exec "$0" "$@" --json', ...argv], {
      encoding: 'utf8',
    });
    const findings: { check: string; remedy: string }[] = JSON.parse(stdout).findings;
    expect(findings.find(({ check }) => check === 'database')).toMatchObject({
      level: 'error',
      message: expect.stringContaining('disk'),
      remedy: expect.stringMatching(/^the disk is full or fails: free space/),
    });
  });

  it('advises no restore where another program has locked the database', async () => {
    const world = await aWorldWith({ id: 'chk_1' });
    using other = new DatabaseSync(join(world.cwd, 'data/postern.db'));
    other.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; SELECT count(*) FROM checks');
    const { of } = await findingsIn(world);
    expect(of('database')).toMatchObject([
      { level: 'error', message: 'database is locked', remedy: expect.stringMatching(/^end the program/) },
    ]);
  });

  it('reports files that another user has made', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root gives files away');
    const world = await aWorldWith({ id: 'chk_1' });
    chownSync(join(world.cwd, 'data/postern.db'), 12_345, 12_345);
    const { of } = await findingsIn(world);
    expect(of('data_directory')[0]).toMatchObject({ level: 'error', remedy: 'chown it' });
  });

  it('names a directory that another user has made, into which only that user may look', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root gives files away');
    const world = await aWorldWith({ id: 'chk_1' });
    const secrets = join(world.cwd, 'data/secrets');
    for (const path of [secrets, join(secrets, 'hmac.key')]) chownSync(path, 12_345, 12_345);
    const { of } = await findingsIn(world);
    expect(of('data_directory')).toEqual([
      {
        check: 'data_directory',
        level: 'error',
        message: `${secrets} belongs to user 12345, the data directory to 0`,
        remedy: 'chown -R it',
      },
    ]);
  });

  it.each([
    [140.4, 'ok the clocks differ by 140 ms'],
    [-990, 'ok the clocks differ by 990 ms'],
    [1_200, 'warning the clocks differ by 1.2 s; this one is ahead'],
    [-90_000, 'warning the clocks differ by 1.5 min; this one is behind'],
    [3_599_893, 'warning the clocks differ by 1 h; this one is ahead'],
    [364.9 * DAY_MS, 'warning the clocks differ by 360 d; this one is ahead'],
  ])(
    'reports the difference to the clock of PostgreSQL, in a suitable unit: %i ms',
    async (aheadMs, told) => {
      const url = 'postgres://db/postern';
      const { config } = await loadConfig({
        ...{ dataDir: '/nowhere', files: [], cwd: packageRoot },
        env: { POSTERN__STORAGE__URL: url },
      });
      const verdicts = examinePostgres(config, {
        ...{ version: '15.14', versionNumber: 150_014, schema: null, aheadMs, takesWrites: true },
        encoding: 'UTF8',
        ...{ synchronousCommit: 'on', others: 0, find: () => undefined, newest: undefined },
      });
      const { level, message, remedy } = verdicts.at(-1) ?? {};
      expect(`${level} ${message}${remedy ? `; ${remedy.split(':')[0]}` : ''}`).toBe(told);
    },
  );
});
