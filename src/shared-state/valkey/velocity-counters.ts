import { randomInt } from 'node:crypto';
import type { Count } from '../../provider-kit/index.ts';
import { type CountHash, countsValues, keysOf, lengthOf, partOf, RETRY_MS, spanOf } from '../count-keys.ts';
import type { CountedCheck, CountReceipt, VelocityCounters } from '../ports.ts';
import type { Script, ValkeyConnection } from './connection.ts';
import { COUNT, UNDO } from './count-scripts.ts';

/** The server's clock ends what the instances' clocks count by: they may be so far apart. */
const SLACK_MS = 60_000;
/** Counts to be undone once there is a connection again; the oldest are given up first. */
const MOST_OWED = 10_000;
const MOST_TOKEN = 2 ** 32;

type Undoing = Parameters<Script>;

/**
 * Counts in Valkey, in one round trip. A check is counted there at once, and undone where it is refused or where the answer came too
 * late for it. Too high are only the checks that were under way in an instance that was killed; tried again within ten minutes,
 * as a client does that got no answer, they count once.
 */
export class ValkeyVelocityCounters implements VelocityCounters {
  readonly #count: Script;
  readonly #undo: Script;
  /** By the key of the retry. */
  readonly #owed = new Map<string, Undoing>();

  constructor(
    private readonly connection: ValkeyConnection,
    private readonly hashOf: CountHash,
  ) {
    this.#count = connection.script('posternCount', COUNT);
    this.#undo = connection.script('posternUndo', UNDO);
    connection.client.on('ready', () => this.#undoOwed());
  }

  async count(check: CountedCheck, counts: readonly Count[]): Promise<CountReceipt> {
    const { at } = check;
    const { retryKey, keyed } = keysOf(this.hashOf, check, counts);
    const entries = keyed.map(({ key, value, windows }) => {
      const span = spanOf(key);
      return {
        part: partOf(span, at),
        kept: span.kept,
        ttl: span.partMs * span.kept + SLACK_MS,
        ...(countsValues(key) && { value }),
        lengths: windows.map(([, window]) => lengthOf(window, span)),
      };
    });
    const token = randomInt(MOST_TOKEN);
    // `v` for velocity, before the letters of the key.
    const keys = [retryKey, ...keyed.map(({ key }) => key)].map((key) => `v${key}`);
    const undoing: Undoing = [keys, token, JSON.stringify(entries.map(({ value = false }) => value))];
    let isOver = false;
    const undo = async () => {
      if (isOver) return;
      isOver = true;
      this.#takeBack(undoing);
    };
    let numbers: readonly number[];
    try {
      const asked = this.#count(keys, JSON.stringify({ at, token, retryTtl: RETRY_MS + SLACK_MS, entries }));
      // A script that answers a list of whole numbers.
      numbers = await this.connection.answer(asked as Promise<readonly number[]>);
    } catch (error) {
      await undo();
      this.connection.miss('velocity', error);
      throw error;
    }
    const facts = keyed.flatMap(({ windows }) => windows.map(([fact]) => fact));
    // What the first try was not counted under is one all the same.
    const told = facts.map((fact, place) => [fact, Math.max(1, numbers[place] ?? 0)]);
    return {
      numbers: Object.fromEntries(told),
      settle: async () => {
        isOver = true;
      },
      undo,
    };
  }

  /** Behind the count on the same connection; where that is gone, on the next. The check does not wait for it. */
  #takeBack(undoing: Undoing): void {
    this.#undo(...undoing).catch(() => {
      const [[retryKey = '']] = undoing;
      this.#owed.set(retryKey, undoing);
      const [oldest = ''] = this.#owed.keys();
      if (this.#owed.size > MOST_OWED) this.#owed.delete(oldest);
    });
  }

  #undoOwed(): void {
    const owed = [...this.#owed.values()];
    this.#owed.clear();
    for (const undoing of owed) this.#takeBack(undoing);
  }
}
