import { randomUUID } from 'node:crypto';
import { Redis, ReplyError } from 'iovalkey';
import { AppError, reasonOf, StartupError } from '../../errors.ts';
import { isSharedStateUrl } from '../../lib/service-url.ts';
import { codeOf } from '../../lib/thrown.ts';
import { unlessAborted, unrefInterval, withDeadline } from '../../lib/time.ts';
import type { LabelsOf } from '../../observability/metric-table.ts';
import type { Instruments } from '../../observability/metrics.ts';

/** A connection that answers nothing for so long, while commands wait, is given up. */
const SILENCE_MS = 2_000;
const LONGEST_RETRY_MS = 1_000;
const LOG_MS = 60_000;
/** The reason where no error says another: a server that speaks no TLS, or another protocol, is silent or ends the connection. */
const NO_VALKEY = 'no Valkey answers at the address, in TLS where it begins with valkeys: or rediss:';

/** Why there is no answer, without keys or secrets: the library's own error holds the command that it sent, even a password. */
class NoAnswer extends AppError {
  constructor(reason: string) {
    super('unavailable', { message: reason });
  }
}

type SharedPart = LabelsOf<'postern_shared_state_failures_total'>['part'];

/** Runs a Lua script. The caller knows the type of its answer. */
export type Script = (keys: readonly string[], ...args: readonly (string | number)[]) => Promise<unknown>;

/**
 * One connection to one Valkey, or Redis 7. Reconnects for ever. A command without a connection fails at once, and no command is sent
 * twice. Clusters are not supported: the keys of a script may be on several nodes.
 */
export class ValkeyConnection {
  readonly client: Redis;
  #reason = NO_VALKEY;
  /** The log already says that Valkey is away. */
  #isToldAway = false;
  /** Valkey answers commands with errors: it is full, a replica, or still starting. */
  #isRefusing = false;
  /** Valkey has no database of the number in the URL. Commands would go to database 0, which may be another program's. */
  #isWrongDatabase = false;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;

  /** `prefix` begins every key; `timeoutMs` is how long a command may take. Throws a StartupError where `url` is no URL of a Valkey. */
  constructor(
    url: string,
    prefix: string,
    private readonly parts: Pick<Instruments, 'log' | 'metrics'>,
    private readonly timeoutMs: number,
  ) {
    // The fault does not repeat the URL, which may hold a password.
    if (!isSharedStateUrl(url))
      throw new StartupError(['shared_state.url: is no URL of a Valkey, such as valkey://cache:6379']);
    this.client = new Redis(url, {
      keyPrefix: prefix,
      connectionName: 'postern',
      // IPv4 or IPv6, as the system resolves the host.
      family: 0,
      lazyConnect: true,
      connectTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      enableOfflineQueue: false,
      // Commands under way when the connection ends fail: sent again, they could count twice.
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      retryStrategy: (attempt) =>
        this.#isWrongDatabase
          ? LONGEST_RETRY_MS
          : Math.min(25 * 2 ** Math.min(attempt, 10), LONGEST_RETRY_MS),
      // After a failover the host name leads to the new primary. The first word of an error is its code.
      reconnectOnError: (error) => error.message.startsWith('READONLY '),
    });
    this.client.on('connect', () => {
      this.#isWrongDatabase = false;
    });
    this.client.on('error', (error) => {
      this.#reason = isUnanswered(error) ? NO_VALKEY : briefReasonOf(error);
      if (Object(error).command?.name !== 'select') return;
      this.#isWrongDatabase = true;
      this.client.disconnect(true);
    });
  }

  /** Resolves once it is connected, or the first attempt has failed or takes too long: then a warning is logged. Never rejects. */
  async begin(): Promise<void> {
    // Not the promise of connect(), which rejects at the first failure while the client goes on trying.
    const tried = new Promise<void>((resolve) => {
      this.client.once('ready', resolve);
      this.client.once('close', resolve);
    });
    this.client.connect().catch(() => undefined);
    await withDeadline(SILENCE_MS, (signal) => unlessAborted(signal, tried, undefined));
    if (this.isReady) return;
    this.#isToldAway = true;
    this.parts.log.warn({ reason: this.#reason }, 'Valkey cannot be reached; it is tried again for ever');
  }

  get isReady(): boolean {
    return this.client.status === 'ready' && !this.#isWrongDatabase;
  }

  /** Why Valkey executes no commands; undefined where it does, as far as is known. */
  get unusableBecause(): string | undefined {
    return this.isReady && !this.#isRefusing ? undefined : this.#reason;
  }

  script(name: string, lua: string): Script {
    this.client.defineCommand(name, { lua });
    // The library makes the method at run time, where no type knows of it.
    const run = (this.client as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[name];
    return (keys, ...args) => {
      if (!run) throw new Error(`the script "${name}" was not defined`);
      return run.call(this.client, keys.length, ...keys, ...args);
    };
  }

  /**
   * Notes the result of the write by which each instance announces itself, every two seconds and once it is connected. Only that write
   * shows that Valkey answers again: a full one still executes commands that need no memory, a replica those that only read.
   */
  noteAnnounced(error?: unknown): void {
    this.#isRefusing = error instanceof ReplyError;
    if (this.#isRefusing) this.#reason = briefReasonOf(error);
    if (error !== undefined) return;
    if (this.#isToldAway) this.parts.log.info('Valkey answers again');
    this.#isToldAway = false;
  }

  /** The result of a command. Rejects with NoAnswer where the command fails, or takes too long: then Valkey may still execute it. */
  async answer<Result>(asked: Promise<Result>): Promise<Result> {
    const late = Symbol('late');
    let answer: Result | typeof late;
    try {
      answer = await withDeadline(this.timeoutMs, (signal) =>
        unlessAborted<Result | typeof late>(signal, asked, late),
      );
    } catch (error) {
      if (error instanceof ReplyError) {
        this.#isRefusing = true;
        this.#reason = briefReasonOf(error);
      }
      throw new NoAnswer(this.isReady ? briefReasonOf(error) : this.#reason);
    }
    if (answer === late) throw new NoAnswer(`no answer within ${this.timeoutMs} ms`);
    return answer;
  }

  /** Counts an operation that went without Valkey; logs at most once a minute, and when an outage begins. Throws an error that is no NoAnswer. */
  miss(part: SharedPart, error: unknown, known: Readonly<Record<string, number>> = {}): void {
    if (!(error instanceof NoAnswer)) throw error;
    const { log, metrics } = this.parts;
    metrics.count('postern_shared_state_failures_total', { part });
    this.#failures += 1;
    const now = performance.now();
    // A Valkey that is only slow is not away.
    const isAway = this.unusableBecause !== undefined;
    const isNews = isAway && !this.#isToldAway;
    if (!isNews && now - this.#loggedAt < LOG_MS) return;
    this.#loggedAt = now;
    this.#isToldAway ||= isAway;
    log.warn(
      { reason: error.message, part, failures: this.#failures, ...known },
      'Valkey does not answer in time: this instance limits by itself, and velocity is unknown',
    );
  }

  async close(): Promise<void> {
    // QUIT is answered after all commands that were sent before it.
    if (this.isReady) await this.answer(this.client.quit()).catch(() => undefined);
    this.client.disconnect();
  }
}

/** Whether the connection was silent or closed: the library's second error only says that its own first command had no answer. */
function isUnanswered(error: Error): boolean {
  return codeOf(error) === 'ETIMEDOUT' || error.name === 'MaxRetriesPerRequestError';
}

/** The message of the server or the system, which begins with a code; cut off, because its end may repeat what was sent. */
function briefReasonOf(error: unknown): string {
  return reasonOf(error).slice(0, 80);
}

const ANNOUNCE_MS = 2_000;
/** An instance that has not announced itself for so long counts as gone. */
const LIFE_MS = 7_000;

/** Uses the server's clock, so that an instance with a wrong clock does no harm. */
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
  readonly #announce: Script;
  readonly #id = randomUUID();
  readonly #stop: () => void;
  /** How many instances there were when Valkey was last asked, this one included: 1 or more. */
  seen = 1;

  /** `key` is the installation's own, so that instances of another installation on the same server do not count. */
  constructor(
    private readonly connection: ValkeyConnection,
    private readonly key: string,
  ) {
    this.#announce = connection.script('posternAnnounce', ANNOUNCE);
    const announce = () => void this.announce();
    connection.client.on('ready', announce);
    this.#stop = unrefInterval(ANNOUNCE_MS, announce);
  }

  /** Never rejects. */
  async announce(): Promise<void> {
    try {
      const count = await this.#announce([this.key], this.#id, LIFE_MS);
      if (typeof count === 'number') this.seen = count;
      this.connection.noteAnnounced();
    } catch (error) {
      this.connection.noteAnnounced(error);
    }
  }

  /** Removes this instance from the register, so that the others need not wait until it counts as gone. */
  async close(): Promise<void> {
    this.#stop();
    await this.connection.answer(this.connection.client.zrem(this.key, this.#id)).catch(() => undefined);
  }
}

const TIMEOUT_MS = 2_000;

/** Reads and changes nothing. Rejects where the server cannot be reached, with the system's error, which holds nothing of the URL. */
export async function examineValkey(url: string) {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    family: 0,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectionName: 'postern examination',
  });
  let reason: Error | undefined;
  client.on('error', (error) => {
    reason = isUnanswered(error) ? new Error(NO_VALKEY) : error;
  });
  try {
    // The promise rejects only with the message that the connection is closed; the error event before it says why.
    await client.connect().catch(() => Promise.reject(reason ?? new Error(NO_VALKEY)));
    const info = await client.info();
    // The client connects even where the server has no database of the number in the URL; only the error event tells.
    if (reason) throw reason;
    const told = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
    const [name, version = ''] = told('valkey_version')
      ? ['valkey', told('valkey_version')]
      : ['redis', told('redis_version')];
    return {
      /** `valkey 8.0.1`, `redis 7.0.15` */
      version: `${name} ${version}`,
      major: Number.parseInt(version, 10),
      /** Undefined where the server does not tell. */
      eviction: told('maxmemory_policy'),
      /** In octets; 0 for no limit. */
      memoryLimit: Number(told('maxmemory') ?? 0),
      memoryUsed: Number(told('used_memory') ?? 0),
    };
  } finally {
    client.disconnect();
  }
}
