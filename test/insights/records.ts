import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { Answer, Ask, QuestionKind } from '../../src/insights/insights-queries.ts';
import { InsightsReader } from '../../src/insights/insights-reader.ts';
import type { NewCheck, Storage } from '../../src/storage/ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { checkOf } from '../storage/rows.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

export const PROVIDER_OF = { 'domain.has_mx': 'mx', 'mx.outcome': 'mx', 'domain.is_catch_all': 'catch_all' };

/** A database of its own, and the one who reads it. */
export interface Records {
  readonly file: string;
  readonly storage: Storage;
  add(...rows: readonly (Partial<NewCheck> & { readonly id: string })[]): Promise<void>;
  /** As the service has it answered: turn after turn, and what was counted is stored. */
  ask<K extends QuestionKind>(
    kind: K,
    question: Ask<K>,
    turnMs?: number,
    patienceMs?: number,
  ): Promise<Answer<K>>;
  /** Turns that the last answer took. */
  readonly turns: number;
  /** Hours that are stored. */
  hours(): readonly string[];
}

export async function someRecords(
  now: () => number = () => Date.parse('2027-01-01T00:00:00Z'),
): Promise<Records> {
  const file = join(temporaryDirectory(), 'postern.db');
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  const reading = new DatabaseSync(file, { readOnly: true });
  onTestFinished(async () => {
    reading.close();
    await storage.close();
  });
  let [number, turns] = [0, 0];
  return {
    file,
    storage,
    async add(...rows) {
      await Promise.all(rows.map(({ id, ...fields }) => storage.checks.append(checkOf(id, fields))));
    },
    async ask(kind, question, turnMs, patienceMs) {
      const reader = new InsightsReader(reading, { providerOf: PROVIDER_OF, now, turnMs, patienceMs });
      number += 1;
      for (turns = 1; ; turns += 1) {
        const { answer, isAnswered, fresh } = await reader.take({ number, kind, question });
        await storage.checkHours.keep(fresh);
        if (isAnswered) return answer as never;
      }
    },
    get turns() {
      return turns;
    },
    hours: () =>
      reading
        .prepare('SELECT hour FROM check_hours ORDER BY hour')
        .all()
        .map(({ hour }) => String(hour)),
  };
}
