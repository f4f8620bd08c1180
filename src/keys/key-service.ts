import { monotonicFactory } from 'ulid';
import { inject, injectable } from '../di.ts';
import type { Logger } from '../observability/logger.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { AccountStore, KeyStore } from '../storage/ports.ts';
import { ACCOUNT_STORE, CLOCK, KEY_STORE, LOGGER } from '../tokens.ts';
import type { Account, ApiKey, Environment } from './key.ts';
import { createSecret, hashSecret, parseSecret } from './secret.ts';

/** What was named does not exist. For those who manage keys, not for the API. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
  readonly code: 'account_not_found' | 'key_not_found';

  constructor(code: NotFoundError['code'], id: string) {
    super(code === 'account_not_found' ? `there is no account "${id}"` : `there is no key "${id}"`);
    this.code = code;
  }
}

export interface CreatedKey {
  readonly key: ApiKey;
  /** To be shown once: it is not stored. */
  readonly secret: string;
}

/** A key that comes in clear again within this is not flagged again. */
const FLAG_EVERY_MS = 3_600_000;

/** Makes, lists and revokes accounts and keys. */
@injectable()
export class KeyService {
  readonly #accounts: AccountStore;
  readonly #keys: KeyStore;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #nextUlid = monotonicFactory();

  constructor(
    @inject(ACCOUNT_STORE) accounts: AccountStore,
    @inject(KEY_STORE) keys: KeyStore,
    @inject(CLOCK) clock: Clock,
    @inject(LOGGER) log: Logger,
  ) {
    this.#accounts = accounts;
    this.#keys = keys;
    this.#clock = clock;
    this.#log = log;
  }

  async createAccount(name: string): Promise<Account> {
    const account = { id: this.#id('acc'), name, createdAt: this.#now() };
    await this.#accounts.create(account);
    return account;
  }

  listAccounts(): Promise<readonly Account[]> {
    return this.#accounts.list();
  }

  /** Throws NotFoundError when there is no such account. */
  async createKey(wanted: {
    readonly accountId: string;
    readonly environment: Environment;
    readonly name?: string | null;
  }): Promise<CreatedKey> {
    const { accountId, environment, name = null } = wanted;
    await this.#requireAccount(accountId);
    const { text, prefix } = createSecret(environment);
    const key = { id: this.#id('key'), accountId, environment, name, prefix, createdAt: this.#now() };
    await this.#keys.create({ ...key, hash: hashSecret(text) });
    return { key: { ...key, revokedAt: null, seenInClearAt: null }, secret: text };
  }

  /** Of one account or of all. Throws NotFoundError when there is no such account. */
  async listKeys(accountId?: string): Promise<readonly ApiKey[]> {
    if (accountId !== undefined) await this.#requireAccount(accountId);
    return this.#keys.list(accountId);
  }

  /** Holds for the next request of every process. A key revoked before keeps its time. Throws NotFoundError. */
  async revokeKey(id: string): Promise<ApiKey> {
    await this.#keys.revoke(id, this.#now());
    const key = await this.#keys.find(id);
    if (!key) throw new NotFoundError('key_not_found', id);
    return key;
  }

  /**
   * Notes that a key came over plain HTTP, where anyone on the way could read it: at most once per key
   * and hour. Never rejects, and tells the caller nothing: the request is refused either way.
   */
  async flagKeySeenInClear(secret: string): Promise<void> {
    try {
      if (!parseSecret(secret).ok) return;
      const key = this.#keys.findByHash(hashSecret(secret));
      if (!key) return;
      const now = this.#clock.now();
      const hourAgo = new Date(now - FLAG_EVERY_MS).toISOString();
      // Spares the write where a client keeps trying; the store's own condition is what decides.
      if (key.seenInClearAt !== null && key.seenInClearAt > hourAgo) return;
      if (!(await this.#keys.markSeenInClear(key.id, new Date(now).toISOString(), hourAgo))) return;
      this.#log.warn(
        { key_id: key.id, account_id: key.accountId },
        'a key came over plain HTTP and may have been read on the way: replace it',
      );
    } catch (err) {
      this.#log.error({ err }, 'a key seen in clear could not be flagged');
    }
  }

  async #requireAccount(id: string): Promise<void> {
    if (!(await this.#accounts.find(id))) throw new NotFoundError('account_not_found', id);
  }

  #id(kind: 'acc' | 'key'): string {
    return `${kind}_${this.#nextUlid(this.#clock.now())}`;
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}
