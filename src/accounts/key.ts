import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

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
  /** The first characters of the secret, by which people recognise it: `pst_live_4f7q…`. */
  readonly prefix: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** When the key last came over plain HTTP. */
  readonly seenInClearAt: string | null;
  /** From this moment the key is refused like a revoked one; null where it was not rotated. */
  readonly expiresAt: string | null;
  /** The key that takes its place; null where it was not rotated. */
  readonly replacedBy: string | null;
  /** The first key of a series of rotations; the key's own id where there was none. A family shares one rate limit. */
  readonly family: string;
}

/** A key to be created. The other members begin empty; its family is its own id. */
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

/** Whether the key is accepted at that moment, in ms since the epoch. */
export function isUsable({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === null && (expiresAt === null || now < Date.parse(expiresAt));
}

/** `ending`: another key takes its place, and until `expiresAt` both work. */
export function keyState(key: ApiKey, now: number): 'active' | 'ending' | 'ended' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt === null) return 'active';
  return isUsable(key, now) ? 'ending' : 'ended';
}

export function presentAccount({ id, name, createdAt }: Account) {
  return { id, name, created_at: createdAt };
}

/** As the command line and the dashboard show it. */
export function presentKey(key: ApiKey) {
  return {
    id: key.id,
    environment: key.environment,
    name: key.name,
    prefix: key.prefix,
    created_at: key.createdAt,
    revoked_at: key.revokedAt,
    seen_in_clear_at: key.seenInClearAt,
    expires_at: key.expiresAt,
    replaced_by: key.replacedBy,
  };
}

/** Crockford's base 32 in lower case (crockford.com/base32.html): no i, l, o or u to misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 160 bits: 32 characters of five bits each. */
const RANDOM_BYTES = 20;
const RANDOM_CHARACTERS = 32;
/** CRC-32 in five-bit characters; the first holds two bits. */
const CHECKSUM_CHARACTERS = 7;
/** Enough to tell one's own keys apart, far too little to guess one. */
const PREFIX_CHARACTERS = 4;

const FORM = new RegExp(
  `^(pst_(?:${ENVIRONMENTS.join('|')})_[${ALPHABET}]{${RANDOM_CHARACTERS}})([${ALPHABET}]{${CHECKSUM_CHARACTERS}})$`,
);

/** `pst_<environment>_`, 160 random bits and a checksum over all before it. `prefix` is how it begins, to recognise it by. */
export function createSecret(environment: Environment) {
  const label = `pst_${environment}_`;
  const random = randomBytes(RANDOM_BYTES);
  // Eight characters from five octets.
  const body = [0, 5, 10, 15].map((at) => encode(random.readUIntBE(at, 5), 8));
  const unsealed = label + body.join('');
  return {
    text: unsealed + checksumOf(unsealed),
    prefix: unsealed.slice(0, label.length + PREFIX_CHARACTERS),
  };
}

/** Whether the text has the form and the checksum of a key: a typo or a cut is found without a look-up. */
export function isWellFormed(text: string): boolean {
  const [, unsealed, checksum] = FORM.exec(text) ?? [];
  return unsealed !== undefined && checksumOf(unsealed) === checksum;
}

/**
 * The hash that is stored of a key, or of a link's token. A plain SHA-256 is enough: unlike a password it has 160 random bits, which no
 * dictionary and no search covers, so a slow hash would only slow every request.
 */
export function hashSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function checksumOf(text: string): string {
  return encode(crc32(text), CHECKSUM_CHARACTERS);
}

/** Five bits to a character; `value` has at most 53 bits. */
function encode(value: number, length: number): string {
  const digits = value.toString(32).padStart(length, '0');
  return digits.replace(/./g, (digit) => ALPHABET.charAt(Number.parseInt(digit, 32)));
}
