import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, globSync, mkdirSync, truncateSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { issueLocalhostCertificate } from '../../src/http/server/certificate.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { aWorld, type World } from '../cli/world.ts';
import { codeIn, readPage, tableOf } from './markdown.ts';

/** The plain port is closed so that only one port can be taken; log lines would mix with the test output. */
const QUIET = { POSTERN__HTTP__PLAIN_PORT: 'null', POSTERN__LOG__LEVEL: 'silent' };

/** How to produce each message of "At 3 a.m."; returns the command that shows it. */
const PROVOCATIONS: Readonly<
  Record<string, (world: World) => Promise<readonly string[]> | readonly string[]>
> = {
  'another process listens there': async () => {
    const neighbour = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void neighbour.close());
    await once(neighbour, 'listening');
    return ['serve', '--port', String((neighbour.address() as AddressInfo).port)];
  },
  'is not a known key': (world) => ['serve', '--config', world.write('a.yaml', 'http: { prot: 1 }\n')],
  'error unknown_fact': (world) => {
    const rules = world.read('rules/domain.yaml');
    world.write('rules/domain.yaml', rules.replace('domain.is_known_disposable', 'domain.is_disposable'));
    return ['serve'];
  },
  'is open to others': (world) => {
    chmodSync(world.write('data/secrets/hmac.key', randomBytes(32).toString('hex')), 0o644);
    return ['serve'];
  },
  'written by a newer Postern': async (world) => {
    mkdirSync(join(world.cwd, 'data'));
    const file = join(world.cwd, 'data/postern.db');
    await (await openSqliteStorage({ file, durability: 'commit' })).close();
    const database = new DatabaseSync(file);
    database.exec("INSERT INTO migrations VALUES ('9999-from-the-future', '2099')");
    database.close();
    return ['serve'];
  },
  'cannot be opened as a database': (world) => {
    world.write('data/postern.db', 'no database '.repeat(1000));
    return ['serve'];
  },
  'cannot be opened as a database: it is the database of another program': (world) => {
    mkdirSync(join(world.cwd, 'data'));
    const database = new DatabaseSync(join(world.cwd, 'data/postern.db'));
    database.exec('CREATE TABLE bookmarks (url TEXT)');
    database.close();
    return ['serve'];
  },
  'cannot be opened as a database: database disk image': async (world) => {
    const file = join(world.cwd, 'data/postern.db');
    await (await openSqliteStorage({ file, durability: 'commit' })).close();
    truncateSync(file, 60_000);
    return ['serve'];
  },
  'is not the key of the first certificate': async (world) => {
    const [one, two] = await Promise.all([
      issueLocalhostCertificate(Date.now()),
      issueLocalhostCertificate(Date.now()),
    ]);
    world.write('tls/cert.pem', one.cert);
    world.write('tls/key.pem', two.key);
    const tls = 'http: { tls: { cert_file: tls/cert.pem, key_file: tls/key.pem } }\n';
    return ['serve', '--config', world.write('tls.yaml', tls)];
  },
  'there is no database at': () => ['keys', 'list'],
  'without it no record can be matched': async (world) => {
    mkdirSync(join(world.cwd, 'data'));
    await (
      await openSqliteStorage({ file: join(world.cwd, 'data/postern.db'), durability: 'commit' })
    ).close();
    return ['checks', 'forget', 'jane@example.com'];
  },
};

describe('docs/operations.md, at 3 a.m.', () => {
  const rows = tableOf(readPage('docs/operations.md'), 'you see', 'it means', 'do').map(
    ([seen = '']) => seen,
  );

  it.each(Object.entries(PROVOCATIONS))('quotes "%s" as the program prints it', async (words, provoke) => {
    const world = aWorld();
    const argv = await provoke(world);
    const { code, stderr } = await world.postern(argv, { env: QUIET });
    expect(code).toBe(argv[0] === 'serve' ? 78 : 2);
    const quote = rows.flatMap(codeIn).find((message) => message.includes(words)) ?? 'no row';
    const pattern = quote.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    expect(stderr).toMatch(new RegExp(pattern.join('.*')));
  });

  it('quotes log lines that the service writes', () => {
    const sources = globSync('{src,providers}/**/*.ts', { cwd: packageRoot })
      .map(readPage)
      .join('\n')
      .replaceAll("\\'", "'");
    const messages = rows.filter((row) => row.startsWith('log: ')).map((row) => codeIn(row)[0] ?? '');
    expect(messages.length).toBeGreaterThan(5);
    expect(messages.filter((message) => !sources.includes(`'${message}'`))).toEqual([]);
  });
});
