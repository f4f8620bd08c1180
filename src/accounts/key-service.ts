import { inject, injectable } from '../di.ts';
import { AppError } from '../errors.ts';
import { LONGEST_NAME, WORDS_PATTERN } from '../lib/text.ts';
import { CLOCK, HOUR_MS, isoTime } from '../lib/time.ts';
import { createUlids } from '../lib/ulids.ts';
import { LOGGER, type Logger } from '../observability/logger.ts';
import type { Clock } from '../provider-kit/index.ts';
import { ACCOUNT_STORE, type AccountStore, KEY_STORE, type KeyStore } from '../storage/ports.ts';
import type { Act, Noting } from './audit-trail.ts';
import {
  type Account,
  type ApiKey,
  createSecret,
  freshKey,
  hashSecret,
  isWellFormed,
  type NewApiKey,
} from './key.ts';

const WORDS = new RegExp(WORDS_PATTERN, 'u');

/** Why a name is refused: it could not be read or searched for. Undefined where it is allowed. `bearer` is "an account" or "a key". */
function nameFault(name: string, bearer: string): string | undefined {
  if (name.trim() === '') return `${bearer} needs a name`;
  if (name !== name.trim()) return 'a name neither begins nor ends with a blank';
  if (!WORDS.test(name)) return 'a name is on one line, of characters that can be seen';
  if ([...name].length > LONGEST_NAME) return `a name has at most ${LONGEST_NAME} characters`;
  return undefined;
}

function noSuch(what: 'account' | 'key', id: string): AppError {
  return new AppError('not_found', { message: `there is no ${what} "${id}"` });
}

function actOn(
  action: Act['action'],
  { id, accountId, name, environment }: Pick<ApiKey, 'id' | 'accountId' | 'name' | 'environment'>,
  more: Act['detail'] = {},
) {
  return { action, subject: id, accountId, detail: { name, environment, ...more } };
}

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

  /** Throws AppError `invalid_request` for a name, and `name_taken`: two accounts of one name could be told apart only by their ids. */
  async createAccount(name: string, note?: Noting): Promise<Account> {
    const isId = name.startsWith('acc_');
    const fault = isId ? 'what begins with acc_ is the id of an account' : nameFault(name, 'an account');
    if (fault !== undefined) throw new AppError('invalid_request', { message: fault });
    const taken = (await this.accounts.list()).find((account) => account.name === name);
    if (taken)
      throw new AppError('name_taken', { message: `there is an account "${name}" already: ${taken.id}` });
    const id = this.#id('acc');
    const account = { id, name, createdAt: this.#now() };
    const act = { action: 'account.created', subject: id, accountId: id, detail: { name } } as const;
    await this.accounts.create(account, note?.(act));
    return account;
  }

  listAccounts(): Promise<readonly Account[]> {
    return this.accounts.list();
  }

  /** The secret is to be shown once: it is not stored. Throws AppError `invalid_request` for a name, or `not_found` for an account. */
  async createKey(
    wanted: Pick<NewApiKey, 'accountId' | 'environment'> & { readonly name?: string | null },
    note?: Noting,
  ) {
    const { accountId, environment, name = null } = wanted;
    const fault = name === null ? undefined : nameFault(name, 'a key');
    if (fault !== undefined) throw new AppError('invalid_request', { message: fault });
    await this.#requireAccount(accountId);
    const { key, secret } = this.#make({ accountId, environment, name });
    await this.keys.create(key, note?.(actOn('key.issued', key)));
    return { key: freshKey(key), secret };
  }

  /**
   * Makes a key of the same account, environment and name. The old one still works for `graceMs`, then every process
   * refuses it; `previous` is the old key. Throws AppError `not_found`, or `not_rotatable` when it was revoked or rotated before.
   */
  async rotateKey(id: string, graceMs: number, note?: Noting) {
    const old = await this.#requireKey(id);
    const { key, secret } = this.#make(old);
    const expiresAt = isoTime(this.clock.now() + graceMs);
    const act = actOn('key.rotated', old, { replaced_by: key.id, expires_at: expiresAt });
    const isRotated = await this.keys.rotate(id, expiresAt, key, note?.(act));
    const previous = await this.#requireKey(id);
    if (!isRotated) {
      const { revokedAt, replacedBy } = previous;
      const message =
        revokedAt === null
          ? `"${id}" was rotated before: ${replacedBy} takes its place`
          : `"${id}" was revoked at ${revokedAt}: make a new key`;
      throw new AppError('not_rotatable', { message });
    }
    return { key: await this.#requireKey(key.id), secret, previous };
  }

  /** Throws AppError `not_found` when the account has no such key. */
  async keyOf(accountId: string, id: string): Promise<ApiKey> {
    const key = await this.#requireKey(id);
    if (key.accountId !== accountId) throw noSuch('key', id);
    return key;
  }

  /** The keys of one account or of all. Throws AppError `not_found` when there is no such account. */
  async listKeys(accountId?: string): Promise<readonly ApiKey[]> {
    if (accountId !== undefined) await this.#requireAccount(accountId);
    return this.keys.list(accountId);
  }

  /** Revokes a key from the next request of every process on. A key revoked before keeps its time. Throws AppError `not_found`. */
  async revokeKey(id: string, note?: Noting): Promise<ApiKey> {
    const key = await this.#requireKey(id);
    if (key.revokedAt !== null) return key;
    await this.keys.revoke(id, this.#now(), note?.(actOn('key.revoked', key)));
    return this.#requireKey(id);
  }

  /** Notes, once per key and hour at most, that a key came over plain HTTP, where it could be read on the way. Never rejects. */
  async flagKeySeenInClear(secret: string): Promise<void> {
    try {
      if (!isWellFormed(secret)) return;
      const key = (await this.keys.findByHash(hashSecret(secret)))?.key;
      if (!key) return;
      const now = this.clock.now();
      const hourAgo = isoTime(now - HOUR_MS);
      // Saves the write where a client keeps trying; the condition in the store decides.
      if (key.seenInClearAt !== null && key.seenInClearAt > hourAgo) return;
      if (!(await this.keys.markSeenInClear(key.id, isoTime(now), hourAgo))) return;
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
    if (!key) throw noSuch('key', id);
    return key;
  }

  async #requireAccount(id: string): Promise<void> {
    if (!(await this.accounts.find(id))) throw noSuch('account', id);
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
  if ((await keys.listAccounts()).length > 0) return null;
  const account = await keys.createAccount('default');
  const { secret } = await keys.createKey({ accountId: account.id, environment: 'live', name: 'first key' });
  return secret;
}
