import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startDnsServer } from '../support/dns-server.ts';
import { aClient, keyOf, spawnPostern } from '../support/postern-process.ts';
import { ZONE } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { times } from '../support/times.ts';

const ROUNDS = times(5);
const CLIENTS = 64;

it(`keeps every id that a client received, killed under load ${ROUNDS} times`, async () => {
  const dataDir = join(temporaryDirectory(), 'data');
  const server = await startDnsServer(ZONE);
  onTestFinished(() => server.close());
  const dns = JSON.stringify([server.address]);
  const received = new Set<string>();
  let key = '';
  let roundsWithAnswers = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const postern = spawnPostern({
      dataDir,
      env: { POSTERN__RATE_LIMIT__REQUESTS: '1000000', POSTERN__DNS__SERVERS: dns },
    });
    const { httpsPort } = await postern.ready;
    key ||= keyOf(postern);
    const before = received.size;
    let killed = false;
    const clients = Array.from({ length: CLIENTS }, async (_, n) => {
      const client = aClient(dataDir, httpsPort, key);
      // Goes on until the kill; a broken connection counts as no answer.
      while (!killed) {
        const answer = await client.check(`user${n}@example.com`).catch(() => undefined);
        if (answer?.status === 200) received.add(answer.json.id);
      }
      client.close();
    });
    // Every second round is killed while answers come; the others at any time, maybe before the first answer.
    if (round % 2 === 0) await expect.poll(() => received.size).toBeGreaterThan(before);
    await wait(randomInt(0, 900));
    postern.child.kill('SIGKILL');
    await postern.exited;
    killed = true;
    await Promise.all(clients);
    if (received.size > before) roundsWithAnswers++;
  }

  const database = new DatabaseSync(join(dataDir, 'postern.db'), { readOnly: true });
  const recorded = new Set(
    database
      .prepare('SELECT id FROM checks')
      .all()
      .map(({ id }) => String(id)),
  );
  const used = database.prepare('SELECT sum(checks) AS n FROM usage').get()?.n;
  database.close();
  expect([...received].filter((id) => !recorded.has(id))).toEqual([]);
  expect(used).toBe(recorded.size);
  // Rounds without an answer prove nothing.
  expect(roundsWithAnswers).toBeGreaterThanOrEqual(ROUNDS / 2);
});
