import { inject, injectable } from '../di.ts';
import { AppError } from '../errors.ts';
import { isoTime } from '../lib/dates.ts';
import { CLOCK } from '../lib/system-clock.ts';
import { LONGEST_NAME, WORDS_PATTERN } from '../lib/text.ts';
import { createUlids } from '../lib/ulids.ts';
import { LOGGER, type Logger } from '../observability/logger.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { TrailEntry } from '../storage/people-ports.ts';
import { ACCOUNT_STORE, type AccountStore, KEY_STORE, type KeyStore } from '../storage/ports.ts';
import {
  type Account,
  type ApiKey,
  createSecret,
  type Environment,
  freshKey,
  hashSecret,
  isWellFormed,
  type NewApiKey,
} from './key.ts';

const WORDS = new RegExp(WORDS_PATTERN, 'u');

/** Why a name cannot be read, or cannot be searched for; undefined where it can. `bearer` is "an account" or "a key". */
export function nameFault(name: string, bearer: string): string | undefined {
  if (name.trim() === '') return `${bearer} needs a name`;
  if (name !== name.trim()) return 'a name neither begins nor ends with a blank';
  if (!WORDS.test(name)) return 'a name is on one line, of characters that can be seen';
  if ([...name].length > LONGEST_NAME) return `a name has at most ${LONGEST_NAME} characters`;
  return undefined;
}

/** The account or key does not exist. Its message is for the commands; the dashboard answers by its code. */
export class NotFoundError extends AppError {
  constructor(what: 'account' | 'key', id: string) {
    super('not_found');
    this.message = `there is no ${what} "${id}"`;
  }
}

/** A key that was revoked or rotated before cannot be rotated. Message and code: as of NotFoundError. */
export class NotRotatableError extends AppError {
  constructor({ id, revokedAt, replacedBy }: ApiKey) {
    super('not_rotatable');
    this.message =
      revokedAt === null
        ? `"${id}" was rotated before: ${replacedBy} takes its place`
        : `"${id}" was revoked at ${revokedAt}: make a new key`;
  }
}

/** A name that could not be read, or that would send control sequences to a terminal; the message says why. */
export class KeyNameError extends Error {
  override readonly name = 'KeyNameError';
}

export interface CreatedKey {
  readonly key: ApiKey;
  /** Shown once: it is not stored. */
  readonly secret: string;
}

export interface RotatedKey extends CreatedKey {
  /** The key that was rotated, with its end. */
  readonly previous: ApiKey;
}

/** A key that is sent in clear again within this time is not flagged again. */
const FLAG_EVERY_MS = 3_600_000;

/** Makes accounts and keys, lists, rotates and revokes them. */
@injectable()
export class KeyService {
  readonly #nextUlid = createUlids();

  constructor(
    @inject(ACCOUNT_STORE) private readonly accounts: AccountStore,
    @inject(KEY_STORE) private readonly keys: KeyStore,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly log: Logger,
  ) {}

  /** `entryOf` makes the entry of the audit trail that is committed with the account. */
  async createAccount(name: string, entryOf?: (account: Account) => TrailEntry): Promise<Account> {
    const account = { id: this.#id('acc'), name, createdAt: this.#now() };
    await this.accounts.create(account, entryOf?.(account));
    return account;
  }

  hasAccounts(): Promise<boolean> {
    return this.accounts.hasAny();
  }

  listAccounts(): Promise<readonly Account[]> {
    return this.accounts.list();
  }

  /** `entryOf`: as in `createAccount`, of the new key. Throws KeyNameError, or NotFoundError when there is no such account. */
  async createKey(
    wanted: {
      readonly accountId: string;
      readonly environment: Environment;
      readonly name?: string | null;
    },
    entryOf?: (key: NewApiKey) => TrailEntry,
  ): Promise<CreatedKey> {
    const { accountId, environment, name = null } = wanted;
    const fault = name === null ? undefined : nameFault(name, 'a key');
    if (fault !== undefined) throw new KeyNameError(fault);
    await this.#requireAccount(accountId);
    const { key, secret } = this.#make({ accountId, environment, name });
    await this.keys.create(key, entryOf?.(key));
    return { key: freshKey(key), secret };
  }

  /**
   * Makes a key of the same account, environment and name. The old one still works for `graceMs`, then every process
   * refuses it. Throws NotFoundError, or NotRotatableError when it was revoked or rotated before.
   */
  async rotateKey(
    id: string,
    graceMs: number,
    entryOf?: (successor: NewApiKey, expiresAt: string) => TrailEntry,
  ): Promise<RotatedKey> {
    const old = await this.#requireKey(id);
    const { key, secret } = this.#make(old);
    const expiresAt = new Date(this.clock.now() + graceMs).toISOString();
    const isRotated = await this.keys.rotate(id, expiresAt, key, entryOf?.(key, expiresAt));
    const previous = await this.#requireKey(id);
    if (!isRotated) throw new NotRotatableError(previous);
    return { key: await this.#requireKey(key.id), secret, previous };
  }

  /** Throws NotFoundError when the account has no such key. */
  async keyOf(accountId: string, id: string): Promise<ApiKey> {
    const key = await this.#requireKey(id);
    if (key.accountId !== accountId) throw new NotFoundError('key', id);
    return key;
  }

  /** Of one account or of all. Throws NotFoundError when there is no such account. */
  async listKeys(accountId?: string): Promise<readonly ApiKey[]> {
    if (accountId !== undefined) await this.#requireAccount(accountId);
    return this.keys.list(accountId);
  }

  /** Holds for the next request of every process. A key revoked before keeps its time. Throws NotFoundError. */
  async revokeKey(id: string, entry?: TrailEntry): Promise<ApiKey> {
    await this.keys.revoke(id, this.#now(), entry);
    return this.#requireKey(id);
  }

  /**
   * Notes that a key was sent over plain HTTP, where it could be read on the way: at most once per key
   * and hour. Never rejects and returns nothing: the request is refused either way.
   */
  async flagKeySeenInClear(secret: string): Promise<void> {
    try {
      if (!isWellFormed(secret)) return;
      const key = (await this.keys.findByHash(hashSecret(secret)))?.key;
      if (!key) return;
      const now = this.clock.now();
      const hourAgo = new Date(now - FLAG_EVERY_MS).toISOString();
      // Saves the write where a client keeps trying; the condition in the store decides.
      if (key.seenInClearAt !== null && key.seenInClearAt > hourAgo) return;
      if (!(await this.keys.markSeenInClear(key.id, new Date(now).toISOString(), hourAgo))) return;
      this.log.warn(
        { key_id: key.id, account_id: key.accountId },
        'a key came over plain HTTP and may have been read on the way: replace it',
      );
    } catch (err) {
      this.log.error({ err }, 'a key seen in clear could not be flagged');
    }
  }

  #make(wanted: Pick<NewApiKey, 'accountId' | 'environment' | 'name'>): { key: NewApiKey; secret: string } {
    const { accountId, environment, name } = wanted;
    const { text, prefix } = createSecret(environment);
    const key = { id: this.#id('key'), accountId, environment, name, prefix, createdAt: this.#now() };
    return { key: { ...key, hash: hashSecret(text) }, secret: text };
  }

  async #requireKey(id: string): Promise<ApiKey> {
    const key = await this.keys.find(id);
    if (!key) throw new NotFoundError('key', id);
    return key;
  }

  async #requireAccount(id: string): Promise<void> {
    if (!(await this.accounts.find(id))) throw new NotFoundError('account', id);
  }

  #id(kind: 'acc' | 'key'): string {
    return `${kind}_${this.#nextUlid(this.clock.now())}`;
  }

  #now(): string {
    return isoTime(this.clock.now());
  }
}

/** On an empty store: a default account with one live key, whose secret is returned. Otherwise null. */
export async function createFirstKey(keys: KeyService): Promise<string | null> {
  if (await keys.hasAccounts()) return null;
  const account = await keys.createAccount('default');
  const { secret } = await keys.createKey({ accountId: account.id, environment: 'live', name: 'first key' });
  return secret;
}
