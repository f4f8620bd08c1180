import { createSecretKey } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freshKey } from '../../dist/src/accounts/key.js';
import { CheckRecorder } from '../../dist/src/checks/check-record.js';
import { AddressPrivacy } from '../../dist/src/privacy/address-privacy.js';
import { openSqliteStorage } from '../../dist/src/storage/sqlite/sqlite-storage.js';
import { addressAt } from '../support/addresses.ts';
import { counted } from '../support/counted.ts';
import { startLoopbackDns } from '../support/loopback-dns.ts';
import { openBuiltPipeline } from '../support/open-pipeline.ts';

/** Checks that are recorded without waiting; the store's queue holds twice as many. */
const BATCH = 5_000;
/** Instant of the first check; each next one is a second later. Fixed, so that every run writes the same. */
const BEGIN = Date.parse('2026-10-20T00:00:00Z');

/** Assesses `checks` different addresses and records them in a new database. */
export async function recordChecks(directory: string, checks: number): Promise<void> {
  const dns = await startLoopbackDns();
  const { assessor, policies, collector } = await openBuiltPipeline(dns.address);
  // `async` is enough: after a crash the benchmark makes the data again.
  const storage = await openSqliteStorage({ file: join(directory, 'postern.db'), durability: 'async' });
  try {
    const privacy = new AddressPrivacy('hmac', createSecretKey(Buffer.alloc(32, 7)));
    const recorder = new CheckRecorder(storage.checks, privacy, collector.catalogue);
    const key = freshKey({
      id: 'key_bench',
      accountId: 'acc_bench',
      environment: 'live',
      name: null,
      prefix: 'pst_live_bench',
      createdAt: new Date(0).toISOString(),
      hash: new Uint8Array(32),
    });
    const assess = counted(assessor);
    for (let from = 0; from < checks; from += BATCH) {
      for (let n = from; n < Math.min(from + BATCH, checks); n += 1) {
        const id = `chk_${String(n).padStart(26, '0')}`;
        const createdAt = new Date(BEGIN + n * 1000).toISOString();
        const assessment = await assess(addressAt(n, 1_000));
        await recorder.record({ id, createdAt, durationUs: 12, ...assessment }, key);
      }
      while (storage.checks.pending > BATCH) await new Promise(setImmediate);
    }
  } finally {
    policies.close();
    await storage.close();
    await dns.close();
  }
}

/** Copies the checks `times` times, with other ids and days: takes a tenth of the time of assessing them. */
export function repeatChecks(directory: string, times: number): void {
  const database = new DatabaseSync(join(directory, 'postern.db'));
  const columns = database.prepare('SELECT * FROM checks LIMIT 1').columns();
  const rest = columns.map(({ name }) => name).filter((name) => name !== 'id' && name !== 'created_at');
  const again = database.prepare(`
    INSERT INTO checks (id, created_at, ${rest.join(', ')})
    SELECT id || '-' || ?1, strftime('%Y-%m-%dT%H:%M:%fZ', created_at, ?1 || ' days'), ${rest.join(', ')}
    FROM checks WHERE id NOT LIKE '%-%' ORDER BY rowid`);
  database.exec('PRAGMA synchronous = OFF');
  for (let time = 1; time <= times; time += 1) again.run(time);
  database.close();
}
