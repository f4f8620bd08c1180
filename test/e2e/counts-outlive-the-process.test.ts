import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { startDnsServer } from '../support/dns-server.ts';
import { aClient, keyOf, spawnPostern } from '../support/postern-process.ts';
import { ZONE } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

it('counts on after a stop, with nothing of an address on the disk; a retry is still one, and a kill forgets a minute', async () => {
  const dataDir = join(temporaryDirectory(), 'data');
  const folder = join(dataDir, 'counters');
  const server = await startDnsServer(ZONE);
  onTestFinished(() => server.close());
  const env = { POSTERN__DNS__SERVERS: JSON.stringify([server.address]) };
  let key = '';
  /** Starts a service, checks the addresses and ends it. Resolves to the domain's count at each check. */
  async function run(signal: 'SIGKILL' | 'SIGTERM', emails: readonly string[]) {
    const postern = spawnPostern({ dataDir, env });
    const { httpsPort } = await postern.ready;
    key ||= keyOf(postern);
    const client = aClient(dataDir, httpsPort, key);
    const ids: string[] = [];
    for (const email of emails) ids.push((await client.check(email)).json.id);
    client.close();
    postern.child.kill(signal);
    await postern.exited;
    const database = new DatabaseSync(join(dataDir, 'postern.db'), { readOnly: true });
    const record = database.prepare('SELECT facts FROM checks WHERE id = ?');
    const counts = ids.map((id) => JSON.parse(`${record.get(id)?.facts}`)['velocity.domain_1h']);
    database.close();
    return counts;
  }

  expect(await run('SIGKILL', ['lost@example.com'])).toEqual([1]);
  expect(await run('SIGTERM', ['a@example.com', 'b@example.com', 'c@example.com'])).toEqual([1, 2, 3]);
  expect(await run('SIGTERM', ['d@example.com', 'b@example.com'])).toEqual([4, 4]);
  const files = readdirSync(folder).map((file) => join(folder, file));
  expect(files).toHaveLength(1);
  for (const file of files) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'latin1');
    expect(text.length).toBeGreaterThan(100);
    // No address, no part of one, no account and no key.
    expect(text).not.toMatch(/@example|example\.com|acc_|key_/);
  }
});
