import type { StatementSync } from 'node:sqlite';
import { unavailable } from '../commit-queue.ts';
import type { ProviderValueStore } from '../ports.ts';
import type { Connections } from './connections.ts';
import { FIND_PROVIDER_VALUE } from './schema.ts';

export class SqliteProviderValueStore implements ProviderValueStore {
  readonly #connections: Connections;
  readonly #find: StatementSync;

  constructor(connections: Connections) {
    this.#connections = connections;
    this.#find = connections.reader.prepare(FIND_PROVIDER_VALUE);
  }

  find(provider: string, key: string, atMs: number): string | undefined {
    try {
      const found = this.#find.get(provider, key, atMs);
      return found === undefined ? undefined : String(found.value);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async keep(provider: string, key: string, value: string, endsAtMs: number, atMs: number): Promise<void> {
    const { query } = await this.#connections.typed();
    const kept = { value, ends_at: endsAtMs };
    // By index: where nothing has ended, this touches no page.
    const ended = query.deleteFrom('provider_values').where('ends_at', '<=', atMs).compile();
    await this.#connections.writeAll([
      { ...ended, mayChangeNothing: true },
      query
        .insertInto('provider_values')
        .values({ provider, key, ...kept })
        .onConflict((conflict) => conflict.columns(['provider', 'key']).doUpdateSet(kept))
        .compile(),
    ]);
  }
}
