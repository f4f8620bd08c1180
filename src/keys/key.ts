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
}

export interface NewApiKey extends Omit<ApiKey, 'revokedAt' | 'seenInClearAt'> {
  /** SHA-256 of the whole secret, 32 octets. */
  readonly hash: Uint8Array;
}
