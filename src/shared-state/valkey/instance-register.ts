import { randomUUID } from 'node:crypto';
import { unrefInterval } from '../../lib/timers.ts';
import type { Script, ValkeyConnection } from './connection.ts';

const ANNOUNCE_MS = 2_000;
/** An instance that has not announced itself for so long is gone. */
const LIFE_MS = 7_000;

/** By the server's clock, so that an instance whose own is wrong does no harm. */
const ANNOUNCE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])
`;

/** How many instances there are, as each announces itself in Valkey. */
export class InstanceRegister {
  readonly #connection: ValkeyConnection;
  readonly #announce: Script;
  readonly #id = randomUUID();
  readonly #stop: () => void;
  #seen = 1;

  /** `key` is the installation's own: the instances of another one on the same server have no part in its limits. */
  constructor(
    connection: ValkeyConnection,
    private readonly key: string,
  ) {
    this.#connection = connection;
    this.#announce = connection.script('posternAnnounce', ANNOUNCE);
    const announce = () => void this.announce();
    connection.client.on('ready', announce);
    this.#stop = unrefInterval(ANNOUNCE_MS, announce);
  }

  /** When Valkey was last asked, this one included: 1 or more. */
  get seen(): number {
    return this.#seen;
  }

  /** Never rejects. */
  async announce(): Promise<void> {
    try {
      const count = await this.#announce([this.key], this.#id, LIFE_MS);
      if (typeof count === 'number') this.#seen = count;
      this.#connection.noteAnnounced();
    } catch (error) {
      this.#connection.noteAnnounced(error);
    }
  }

  /** Takes this instance off the register, so that the others need not wait for its time to run out. */
  async close(): Promise<void> {
    this.#stop();
    await this.#connection.answer(this.#connection.client.zrem(this.key, this.#id)).catch(() => undefined);
  }
}
