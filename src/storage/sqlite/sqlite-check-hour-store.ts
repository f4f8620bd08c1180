import type { CheckHour, CheckHourStore } from '../ports.ts';
import type { Connections } from './connections.ts';

/** Hours of a transaction: some milliseconds, which appends wait for. */
const KEPT_AT_ONCE = 50;

export class SqliteCheckHourStore implements CheckHourStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async keep(hours: readonly CheckHour[]): Promise<void> {
    for (let from = 0; from < hours.length; from += KEPT_AT_ONCE) {
      await this.#connections.call('keepHours', hours.slice(from, from + KEPT_AT_ONCE));
    }
  }
}
