import type { StatementSync } from 'node:sqlite';
import { unavailable } from '../commit-queue.ts';
import type { UsageStore } from '../ports.ts';
import type { Connections } from './connections.ts';

export class SqliteUsageStore implements UsageStore {
  readonly #read: StatementSync;

  constructor({ reader }: Connections) {
    this.#read = reader.prepare('SELECT checks FROM usage WHERE account_id = ? AND month = ?');
  }

  async read(accountId: string, month: string): Promise<number> {
    try {
      return Number(this.#read.get(accountId, month)?.checks ?? 0);
    } catch (error) {
      throw unavailable(error);
    }
  }
}
