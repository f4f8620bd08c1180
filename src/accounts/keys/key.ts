export const ENVIRONMENTS = ['live', 'test'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export interface Account {
  /** `acc_…` */
  readonly id: string;
  readonly name: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
}

/** A key as stored; its secret is not. */
export interface ApiKey {
  /** `key_…` */
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly name: string | null;
  /** The first characters of the secret, for people to recognise it by: `pst_live_4f7q…`. */
  readonly prefix: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** When the key last came over plain HTTP. */
  readonly seenInClearAt: string | null;
  /** From this moment the key is refused like a revoked one; null where it was not rotated. */
  readonly expiresAt: string | null;
  /** The key that takes its place; null where it was not rotated. */
  readonly replacedBy: string | null;
  /** The first key of a row of rotations; the key's own id where there was none. A family shares one rate limit. */
  readonly family: string;
}

/** What a key is made of. The rest begins empty, and its family with itself. */
export interface NewApiKey
  extends Pick<ApiKey, 'id' | 'accountId' | 'environment' | 'name' | 'prefix' | 'createdAt'> {
  /** SHA-256 of the whole secret, 32 octets. */
  readonly hash: Uint8Array;
}

/** A key as it is when it has just been made. */
export function freshKey({ id, accountId, environment, name, prefix, createdAt }: NewApiKey): ApiKey {
  const unused = { revokedAt: null, seenInClearAt: null, expiresAt: null, replacedBy: null };
  return { id, accountId, environment, name, prefix, createdAt, ...unused, family: id };
}

/** Whether the key opens anything at that moment, in ms since the epoch. */
export function isUsable({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === null && (expiresAt === null || now < Date.parse(expiresAt));
}
