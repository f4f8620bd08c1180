import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as otherWork } from 'node:timers/promises';
import { startOf } from './checks-of-person.ts';

/** Stretches of block -1, which may hold any number of checks: by the first three hex digits of the hash. */
const STRETCHES = 4_096;

/**
 * Rowids of labels of people that came before the instant and whose person has no check in their account. Goes through the
 * index by person once, in steps of a quarter of a millisecond with other work between: a second in all for a million checks,
 * none where no label is that old. What is recorded meanwhile may be missed.
 */
export async function findIdleLabels(
  reader: DatabaseSync,
  recordedBefore: string,
): Promise<readonly number[]> {
  const old = reader
    .prepare(
      `SELECT rowid AS place, ${startOf('address_hmac')} AS start, account_id, address_hmac FROM labels
       WHERE address_hmac IS NOT NULL AND recorded_at < ?`,
    )
    .all(recordedBefore);
  if (old.length === 0) return [];
  const hashOf = reader.prepare('SELECT address_hmac FROM check_rows WHERE rowid = ?');
  const idle = Map.groupBy(old, personIn);
  for (const checks of stepsOf(reader)) {
    for (const check of checks) {
      const person = personIn(check);
      const labels = idle.get(person);
      if (labels === undefined) continue;
      const hash = hashOf.get(Number(check.place))?.address_hmac;
      idle.set(
        person,
        labels.filter(({ address_hmac }) => address_hmac !== hash),
      );
    }
    await otherWork();
  }
  return [...idle.values()].flat().map(({ place }) => Number(place));
}

function* stepsOf(reader: DatabaseSync) {
  const start = startOf('address_hmac');
  const entries = `SELECT rowid AS place, ${start} AS start, account_id FROM check_rows INDEXED BY checks_by_person`;
  const ofBlock = reader.prepare(`${entries} WHERE block = ?`);
  const ofStretch = reader.prepare(`${entries} WHERE block = -1 AND ${start} >= ? AND ${start} < ?`);
  for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
    yield ofStretch.all(boundary(stretch), boundary(stretch + 1));
  }
  for (const { block } of reader.prepare('SELECT block FROM check_blocks WHERE block >= 0').all()) {
    yield ofBlock.all(Number(block));
  }
}

/** The first stretch begins before every text, the last ends behind every hex digit. */
function boundary(stretch: number): string {
  if (stretch === 0) return '';
  return stretch === STRETCHES ? '~' : stretch.toString(16).padStart(3, '0');
}

function personIn({ start, account_id }: Readonly<Record<string, unknown>>): string {
  return `${start} ${account_id}`;
}
