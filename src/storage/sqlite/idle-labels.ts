import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { setImmediate as otherWork } from 'node:timers/promises';
import { startOf } from './checks-of-person.ts';

/** Stretches of block -1, which may hold any number of checks: by the first three hex digits of the hash. */
const STRETCHES = 4_096;

/** Labels of which those that are old enough are found at once. */
const LABELS_AT_ONCE = 1_000;

type Row = Readonly<Record<string, SQLOutputValue>>;

/**
 * Rowids of labels of people that came before the instant and whose person has no check in their account. Goes through the
 * index by person once, in steps of a quarter of a millisecond with other work between: a second in all for a million checks,
 * and no further than until each such label has met a check. What is recorded meanwhile may be missed.
 */
export async function findIdleLabels(
  reader: DatabaseSync,
  recordedBefore: string,
): Promise<readonly number[]> {
  const idle = await findOldLabels(reader, recordedBefore);
  const hashOf = reader.prepare('SELECT address_hmac FROM check_rows WHERE rowid = ?');
  for (const checks of stepsOf(reader)) {
    if (idle.size === 0) break;
    for (const check of checks) {
      const person = personIn(check);
      const labels = idle.get(person);
      if (labels === undefined) continue;
      const hash = hashOf.get(Number(check.place))?.address_hmac;
      const left = labels.filter(({ address_hmac }) => address_hmac !== hash);
      if (left.length > 0) idle.set(person, left);
      else idle.delete(person);
    }
    await otherWork();
  }
  return [...idle.values()].flat().map(({ place }) => Number(place));
}

/** By what the index knows of their person. */
async function findOldLabels(reader: DatabaseSync, recordedBefore: string): Promise<Map<string, Row[]>> {
  const last = Number(reader.prepare('SELECT max(rowid) AS place FROM labels').get()?.place ?? 0);
  const some = reader.prepare(
    `SELECT rowid AS place, ${startOf('address_hmac')} AS start, account_id, address_hmac FROM labels
     WHERE rowid > ? AND rowid <= ? AND address_hmac IS NOT NULL AND recorded_at < ?`,
  );
  const old: Row[] = [];
  for (let from = 0; from < last; from += LABELS_AT_ONCE) {
    old.push(...some.all(from, from + LABELS_AT_ONCE, recordedBefore));
    await otherWork();
  }
  return Map.groupBy(old, personIn);
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

function personIn({ start, account_id }: Row): string {
  return `${start} ${account_id}`;
}
