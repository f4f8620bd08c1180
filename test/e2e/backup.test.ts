import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { checkOf } from '../storage/rows.ts';
import { aClient, keyOf, spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const POSTERN = join(packageRoot, 'bin/postern.js');
const OFFLINE = { POSTERN__DNS__SERVERS: '["127.0.0.1:9"]' };

/** Resolves once the directory has a file whose name starts with `begin`. Uses `fs.watch`, as polling would slow the other process. */
async function untilThere(directory: string, begin: string): Promise<void> {
  const watched = watch(directory);
  try {
    const isThere = () => readdirSync(directory).some((name) => name.startsWith(begin));
    while (!isThere()) await once(watched, 'change');
  } finally {
    watched.close();
  }
}

it('leaves what stands under the asked name whole when kill -9 ends a backup', async () => {
  const cwd = temporaryDirectory();
  const storage = await openSqliteStorage({ file: join(cwd, 'data/postern.db'), durability: 'commit' });
  const evidence = 'x'.repeat(1_000_000);
  for (let number = 0; number < 200; number += 1) {
    await storage.checks.append(checkOf(`chk_${number}`, number === 0 ? {} : { evidence }));
    if (number === 0)
      expect(spawnSync(process.execPath, [POSTERN, 'backup', 'old.db'], { cwd }).status).toBe(0);
  }
  await storage.close();
  const before = readFileSync(join(cwd, 'old.db'));
  for (const name of ['old.db', 'new.db']) {
    const child = spawn(process.execPath, [POSTERN, 'backup', name, '--overwrite'], { cwd });
    const ended = once(child, 'close');
    await untilThere(cwd, `.${name}`);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
  }
  expect(readFileSync(join(cwd, 'old.db')).equals(before)).toBe(true);
  expect(existsSync(join(cwd, 'new.db'))).toBe(false);
  expect(spawnSync(process.execPath, [POSTERN, 'backup', 'new.db'], { cwd }).status).toBe(0);
});

it('leaves the database as it was when kill -9 ends a restore', async () => {
  const cwd = temporaryDirectory();
  const file = join(cwd, 'data/postern.db');
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  for (let number = 0; number < 100; number += 1) {
    await storage.checks.append(checkOf(`chk_${number}`, { evidence: 'x'.repeat(1_000_000) }));
  }
  await storage.close();
  const postern = (...argv: string[]) => spawnSync(process.execPath, [POSTERN, ...argv], { cwd }).status;
  expect(postern('backup', 'b.db')).toBe(0);
  expect(postern('accounts', 'create', 'late')).toBe(0);
  const before = readFileSync(file);
  const child = spawn(process.execPath, [POSTERN, 'restore', 'b.db', '--overwrite', '--yes'], { cwd });
  const ended = once(child, 'close');
  await untilThere(join(cwd, 'data'), '.postern.db');
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(postern('restore', 'b.db', '--overwrite', '--yes')).toBe(0);
});

it('refuses after a restore the key that was revoked since', async () => {
  const cwd = temporaryDirectory();
  const dataDir = join(cwd, 'data');
  const postern = (...argv: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [POSTERN, ...argv], {
      cwd,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const first = spawnPostern({ dataDir, env: OFFLINE });
  onTestFinished(() => void first.child.kill('SIGKILL'));
  const { httpsPort } = await first.ready;
  const kept = aClient(dataDir, httpsPort, keyOf(first));
  const secret = postern('keys', 'create', '--account', 'default', '--env', 'live').stdout.trim();
  const leaked = aClient(dataDir, httpsPort, secret);
  expect((await leaked.check('jane@example.com')).status).toBe(200);
  expect(postern('backup', 'b.db').status).toBe(0);
  const [, { id }] = JSON.parse(postern('keys', 'list', '--json').stdout).keys;
  expect(postern('keys', 'revoke', id).status).toBe(0);
  expect((await leaked.check('jane@example.com')).status).toBe(401);
  expect(postern('restore', 'b.db', '--overwrite', '--yes').stderr).toContain('another postern serves');
  for (const client of [kept, leaked]) client.close();
  first.child.kill('SIGTERM');
  await first.exited;
  expect(postern('restore', 'b.db', '--overwrite', '--yes').status).toBe(0);

  const second = spawnPostern({ dataDir, env: OFFLINE });
  onTestFinished(() => void second.child.kill('SIGKILL'));
  const port = (await second.ready).httpsPort;
  const again = [keyOf(second), secret].map((key) => aClient(dataDir, port, key));
  const answers = await Promise.all(again.map((client) => client.check('jane@example.com')));
  expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  expect(postern('verify').stdout).not.toContain('error');
  for (const client of again) client.close();
});
