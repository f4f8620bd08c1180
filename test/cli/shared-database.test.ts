import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { startService } from '../../src/app/main.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { checkOf } from '../storage/rows.ts';
import { aClosedPort } from '../support/closed-port.ts';
import { eventually } from '../support/eventually.ts';
import { describePostgres, makeDatabase, type PostgresDatabase } from '../support/postgres.ts';
import { TEST_SERVICES } from '../support/services.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { aWorld, type World } from './world.ts';

const PASSWORD = 'not-to-be-shown';
const UNUSABLE = 'the database cannot be reached, or takes no writes';
const LACKING = 'unknown the database does not have the schema of this version yet';

/** With a password, which a server with trust authentication does not check. */
function addressOf(database: PostgresDatabase): string {
  const url = new URL(database.url);
  url.password = PASSWORD;
  return url.href;
}

function onServer(world: World, url: string) {
  return (...argv: readonly string[]) => world.postern(argv, { env: { POSTERN__STORAGE__URL: url } });
}

/** A finished first start. */
async function startOnce(url: string): Promise<void> {
  const dataDir = temporaryDirectory();
  const env = { POSTERN__STORAGE__URL: url, POSTERN__RULES__WATCH: 'false' };
  const loaded = await loadConfig({ dataDir, files: [], env, cwd: dataDir, port: 0 });
  await (await startService(loaded, createLogger('silent'))).stop();
}

describePostgres('a command on a PostgreSQL', (database) => {
  const dropSchema = () => database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');

  it('migrates it to the schema of this version, and names the steps', async () => {
    await dropSchema();
    const postern = onServer(aWorld(), addressOf(database));
    const { steps, database: shown } = (await postern('migrate', '--json')).json();
    expect(steps[0]).toMatch(/^0018-/);
    expect(shown).toContain('postgres:[redacted]@');
    expect(await postern('migrate')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/has the schema of this version already\n$/),
    });
  });

  it('manages accounts, keys, people, labels, records and retention while the service runs', async () => {
    await database.empty();
    const url = addressOf(database);
    await startOnce(url);
    const postern = onServer(aWorld(), url);
    const [account] = (await postern('accounts', 'list', '--json')).json().accounts;
    const made = (await postern('keys', 'create', '--account', account.id, '--env', 'test', '--json')).json();
    expect((await postern('keys', 'rotate', made.key.id)).code).toBe(0);
    expect((await postern('keys', 'revoke', made.key.id)).code).toBe(0);
    expect((await postern('keys', 'list', '--json')).json().keys).toHaveLength(3);
    expect((await postern('people', 'setup-link')).code).toBe(0);
    expect((await postern('people', 'links', '--json')).json().links).toHaveLength(1);

    const storage = await openStorage({ url, directUrl: null, poolSize: 2 }, { durability: 'commit' });
    await storage.checks.append(checkOf('chk_1', { account_id: account.id }));
    await storage.close();
    expect((await postern('checks', 'show', 'chk_1', '--json')).json()).toMatchObject({ id: 'chk_1' });
    expect((await postern('checks', 'forget', 'jane@example.org')).code).toBe(1);
    expect((await postern('labels', 'list', '--json')).code).toBe(0);
    expect((await postern('retention', 'status', '--json')).json()).toMatchObject({ days: 90 });
    expect((await postern('rules', 'history', '--json')).json().versions).toHaveLength(1);
    const backtest = await postern('rules', 'backtest', 'rules', '--json');
    expect(backtest.json().source.name).toContain('[redacted]');
  });

  it.each([
    [['backup', 'b.db'], 'pg_dump'],
    [['restore', 'b.db', '--yes'], 'pg_restore'],
    [['verify'], 'pg_amcheck'],
  ])('names the alternative where it needs a file database: %j', async (argv, instead) => {
    const { code, stderr } = await onServer(aWorld(), addressOf(database))(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(instead);
    expect(stderr).toContain('docs/scale.md');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('replaces a key while no instance runs, and refuses while one runs', async () => {
    await database.empty();
    const url = addressOf(database);
    await startOnce(url);
    const postern = onServer(aWorld(), url);
    const before = await database.query("SELECT value FROM service_state WHERE name = 'session_secret'");
    const storage = await openStorage({ url, directUrl: null, poolSize: 2 }, { durability: 'commit' });
    await storage.ping();
    const refused = await postern('secrets', 'replace', 'session');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('stop every instance first') });
    await storage.close();
    // The server's processes for these connections end a moment later than the clients.
    await eventually(async () => expect((await postern('secrets', 'replace', 'session')).code).toBe(0));
    expect(await database.query("SELECT value FROM service_state WHERE name = 'session_secret'")).not.toEqual(
      before,
    );
    await startOnce(url);
  });

  it('reports what a start refuses: the encoding, and a storage.direct_url of another database', async () => {
    const latin = await makeDatabase(TEST_SERVICES.PostgreSQL ?? '', "ENCODING 'LATIN1' LOCALE 'C'");
    onTestFinished(() => latin.drop());
    const env = { POSTERN__STORAGE__URL: database.url, POSTERN__STORAGE__DIRECT_URL: latin.url };
    const { findings } = (await aWorld().postern(['doctor', '--json'], { env })).json();
    const messages = findings.map((finding: { message: string }) => finding.message);
    expect(messages).toContain('its encoding is LATIN1');
    expect(messages).toContain('storage.direct_url leads to another database than storage.url');
  });

  it('examines the server: its version, schema, clock and notifications, without showing its password', async () => {
    await dropSchema();
    const url = addressOf(database);
    const world = aWorld();
    const env = {
      POSTERN__STORAGE__URL: url,
      POSTERN__SHARED_STATE__URL: TEST_SERVICES['Valkey or Redis'] ?? 'null',
    };
    const examined = async (more = {}) =>
      (await world.postern(['doctor', '--json'], { env: { ...env, ...more } })).json().findings;
    const of = (findings: readonly { check: string; message: string; level: string }[], check: string) =>
      findings
        .filter((finding) => finding.check === check)
        .map(({ level, message }) => `${level} ${message}`);
    world.write('data/local.yaml', '');
    expect(of(await examined(), 'database')).toEqual([
      expect.stringMatching(/^ok postgres:\/\/postgres:\[redacted\]@.* is PostgreSQL \d+/),
      'warning it has no schema yet',
      expect.stringMatching(/^ok the clocks differ by \d+ ms$/),
    ]);
    const relations = () => database.query("SELECT relname FROM pg_class WHERE relname !~ '^pg_' ORDER BY 1");
    const reading = {
      POSTERN__RULES__SOURCE: 'database',
      POSTERN__LISTS__URLS: '["https://lists.example.org/a.txt"]',
    };
    const empty = await relations();
    const ofEmpty = await examined(reading);
    expect(await relations()).toEqual(empty);
    expect([of(ofEmpty, 'rules'), of(ofEmpty, 'lists')]).toEqual([[LACKING], [LACKING]]);
    await startOnce(url);
    await database.query(
      "DROP TABLE downloaded_lists, list_snapshots; DELETE FROM migrations WHERE name = '0019-downloaded-lists'",
    );
    const lacking = await relations();
    const ofLacking = await examined(reading);
    expect(of(ofLacking, 'database')[1]).toBe('warning it lacks steps: 0019-downloaded-lists');
    expect([of(ofLacking, 'rules'), of(ofLacking, 'lists')]).toEqual([[LACKING], [LACKING]]);
    expect(await relations()).toEqual(lacking);
    await startOnce(url);
    const findings = await examined();
    expect(of(findings, 'database')[1]).toBe('ok it has the schema of this version');
    expect(of(findings, 'announcements')).toEqual(['ok what other instances change is announced']);
    expect(of(findings, 'secrets')).toEqual([expect.stringMatching(/^ok /)]);
    if (TEST_SERVICES['Valkey or Redis'])
      expect(of(findings, 'shared_state')[0]).toMatch(/^ok redis.* is (redis|valkey) \d+/);
    expect(JSON.stringify(findings)).not.toContain(PASSWORD);
    await database.query(
      "INSERT INTO migrations VALUES ('9998-next', '', (SELECT max(name) FROM migrations)), ('9999-later', '', '9998-next')",
    );
    const [, refused] = of(await examined(), 'database');
    expect(refused).toBe(
      'error the database was migrated by a newer Postern (migration 9999-later), beside which this version does not run',
    );
    await database.query("DELETE FROM migrations WHERE name = '9999-later'");
    expect(of(await examined(), 'database')[1]).toBe('warning it has steps of a newer Postern: 9998-next');
    await database.query("DELETE FROM migrations WHERE name = '9998-next'");
    const name = new URL(url).pathname.slice(1);
    await database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    onTestFinished(async () => {
      await database.query(
        `BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`,
      );
    });
    const readOnly = await examined({ POSTERN__RULES__SOURCE: 'database' });
    expect(of(readOnly, 'database')[1]).toBe('error it takes no writes: every check is answered 503');
    expect(of(readOnly, 'announcements')).toEqual([`unknown ${UNUSABLE}`]);
    expect(of(readOnly, 'rules')).toEqual([`unknown ${UNUSABLE}`]);
  });
});

describe('a command on an unreachable server', () => {
  it('reports that, without the password, and exits with 2', async () => {
    const url = `postgres://postern:${PASSWORD}@127.0.0.1:${await aClosedPort()}/postern`;
    const world = aWorld();
    const postern = onServer(world, url);
    for (const argv of [['keys', 'list'], ['migrate']]) {
      const { code, stderr } = await postern(...argv);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^storage\.url: 127\.0\.0\.1:\d+\/postern cannot be opened: /);
      expect(stderr).not.toContain(PASSWORD);
    }
    // EX_TEMPFAIL: a systemd unit restarts the service, which it does not after a fault of the configuration.
    expect((await postern('serve', '--port', '0')).code).toBe(75);
    world.write('data/local.yaml', '');
    const { stdout, json } = await postern('doctor', '--json');
    expect(stdout).not.toContain(PASSWORD);
    expect(stdout).toContain('cannot be reached');
    expect(json().findings).toContainEqual({
      ...{ check: 'announcements', level: 'unknown', remedy: null },
      message: UNUSABLE,
    });
    expect(json().findings).toContainEqual({
      ...{ check: 'secrets', level: 'unknown', remedy: null },
      message: 'with which secrets the database was used: it cannot be read',
    });
    expect(json().findings).toContainEqual({
      ...{ check: 'clock', level: 'unknown', remedy: null },
      message: expect.stringMatching(/^it is \S+; what is on record cannot be read$/),
    });
    expect((await postern('config', 'show')).stdout).not.toContain(PASSWORD);
  });
});
