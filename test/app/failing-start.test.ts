import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { platform } from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { startService } from '../../src/app/main.ts';
import { StartupError } from '../../src/errors.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Only Linux shows the names of threads. */
const tells = platform === 'linux';

function writers(): number {
  const tasks = readdirSync('/proc/self/task');
  return tasks.filter((task) => readFileSync(`/proc/self/task/${task}/comm`, 'utf8') === 'postern-writer\n')
    .length;
}

const start = async (dataDir: string, env: Readonly<Record<string, string>>) =>
  startService(await loadConfig({ dataDir, files: [], env, cwd: dataDir, port: 0 }), createLogger('silent'));

it.runIf(tells)('the count of threads sees an open database', async () => {
  const storage = await openSqliteStorage({
    file: `${temporaryDirectory()}/some.db`,
    durability: 'commit',
  });
  expect(writers()).toBe(1);
  await storage.close();
  expect(writers()).toBe(0);
});

it.runIf(tells)(
  'a start that fails before the database is opened leaves no database and no thread',
  async () => {
    const dataDir = temporaryDirectory();
    const starting = start(dataDir, { POSTERN__RULES__DIR: '/nowhere' });
    await expect(starting).rejects.toThrow(StartupError);
    expect(writers()).toBe(0);
    expect(existsSync(`${dataDir}/postern.db`)).toBe(false);
  },
);

it.runIf(tells)('a start that fails after the database is opened leaves no thread', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => void taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const starting = start(temporaryDirectory(), {
    POSTERN__HTTP__HOST: '127.0.0.1',
    POSTERN__METRICS__PORT: port,
  });
  await expect(starting).rejects.toThrow(port);
  expect(writers()).toBe(0);
});

it.runIf(tells)('a database that cannot be opened leaves no thread', async () => {
  const opening = openSqliteStorage({ file: temporaryDirectory(), durability: 'commit' });
  await expect(opening).rejects.toThrow(StartupError);
  expect(writers()).toBe(0);
});

it('a start fails where the key of the hashes is lost, replaced or older than the database, and makes no other key', async () => {
  const dataDir = temporaryDirectory();
  const env = { POSTERN__HTTP__PLAIN_PORT: '0', POSTERN__RULES__WATCH: 'false' };
  await (await start(dataDir, env)).stop();
  const key = `${dataDir}/secrets/hmac.key`;
  const bytes = readFileSync(key);

  rmSync(key);
  await expect(start(dataDir, env)).rejects.toThrow(`privacy.hmac_key_file: ${key} is missing`);
  expect(existsSync(key)).toBe(false);
  writeFileSync(key, Buffer.alloc(32, 9), { mode: 0o600 });
  await expect(start(dataDir, env)).rejects.toThrow(`${key} is another key than the database was used with`);
  writeFileSync(key, bytes);
  await (await start(dataDir, env)).stop();

  rmSync(`${dataDir}/postern.db`);
  await expect(start(dataDir, env)).rejects.toThrow(`storage.url: ${dataDir}/postern.db is missing`);
  expect(existsSync(`${dataDir}/postern.db`)).toBe(false);
});
