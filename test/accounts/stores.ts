import { type Account, type ApiKey, freshKey, type NewApiKey } from '../../src/accounts/key.ts';
import type { AccountStore, KeyStore, StoredKey } from '../../src/storage/ports.ts';

/** Stores in memory, for tests of what stands on the ports. */
export class MemoryAccountStore implements AccountStore {
  readonly accounts: Account[] = [];

  async create(account: Account): Promise<void> {
    this.accounts.push(account);
  }

  async find(id: string): Promise<Account | undefined> {
    return this.accounts.find((account) => account.id === id);
  }

  async list(): Promise<readonly Account[]> {
    return this.accounts;
  }
}

type HashedKey = ApiKey & { readonly hash: Uint8Array };

export class MemoryKeyStore implements KeyStore {
  readonly keys: HashedKey[] = [];
  reads = 0;

  async create(key: NewApiKey): Promise<void> {
    this.keys.push({ ...freshKey(key), hash: key.hash });
  }

  async findByHash(hash: Uint8Array): Promise<StoredKey | undefined> {
    this.reads += 1;
    const found = this.keys.find((key) => Buffer.from(hash).equals(key.hash));
    if (!found) return undefined;
    const { hash: stored, ...key } = found;
    return { key, hash: stored };
  }

  async find(id: string): Promise<ApiKey | undefined> {
    return this.keys.find((key) => key.id === id);
  }

  async list(accountId?: string): Promise<readonly ApiKey[]> {
    return this.keys.filter((key) => accountId === undefined || key.accountId === accountId);
  }

  async revoke(id: string, at: string): Promise<boolean> {
    return this.#change(id, (key) => ({ ...key, revokedAt: key.revokedAt ?? at }));
  }

  async rotate(id: string, expiresAt: string, successor: NewApiKey): Promise<boolean> {
    const old = this.keys.find((key) => key.id === id);
    if (!old || old.revokedAt !== null || old.replacedBy !== null) return false;
    this.keys.push({ ...freshKey(successor), family: old.family, hash: successor.hash });
    return this.#change(id, (key) => ({ ...key, expiresAt, replacedBy: successor.id }));
  }

  async markSeenInClear(id: string, at: string, unlessSince: string): Promise<boolean> {
    const key = this.keys.find((candidate) => candidate.id === id);
    if (key?.seenInClearAt && key.seenInClearAt > unlessSince) return false;
    return this.#change(id, (found) => ({ ...found, seenInClearAt: at }));
  }

  #change(id: string, change: (key: HashedKey) => HashedKey): boolean {
    const index = this.keys.findIndex((key) => key.id === id);
    const key = this.keys[index];
    if (!key) return false;
    this.keys[index] = change(key);
    return true;
  }
}
