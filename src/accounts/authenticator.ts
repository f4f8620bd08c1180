import { timingSafeEqual } from 'node:crypto';
import { inject, injectable } from '../di.ts';
import { AppError } from '../errors.ts';
import { CLOCK } from '../lib/system-clock.ts';
import type { Clock } from '../provider-kit/index.ts';
import { KEY_STORE, type KeyStore } from '../storage/ports.ts';
import { type ApiKey, hashSecret, isUsable, isWellFormed } from './key.ts';

/** RFC 9110 11.4: the scheme in any case, then spaces, then the credentials. */
const BEARER = /^bearer +(?<credentials>.+)$/i;

/** What an `Authorization: Bearer` header carries; undefined where there is none, or another scheme. */
export function bearerOf(header: string | undefined): string | undefined {
  return BEARER.exec(header?.trim() ?? '')?.groups?.credentials;
}

/** RFC 6750 3: no error code when no credentials of ours were sent … */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="postern"' };
/** … and `invalid_token` for what is malformed, revoked, expired or unknown alike (3.1). */
const REFUSAL = { 'WWW-Authenticate': 'Bearer realm="postern", error="invalid_token"' };

/** The header that a connection sent last; forgotten with the connection. */
interface Presented {
  readonly header: string;
  /** SHA-256 of the secret. */
  readonly hash: Buffer;
}

/** Finds the API key of a request. */
@injectable()
export class KeyAuthenticator {
  readonly #presented = new WeakMap<object, Presented>();

  constructor(
    @inject(KEY_STORE) private readonly keys: KeyStore,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The key that an `Authorization` header carries, read from the store at this moment. Rejects with AppError
   * `missing_api_key`, `malformed_api_key`, or `invalid_api_key`: unknown, revoked and rotated out look the same.
   *
   * `client` is the connection of one client, which sends the same header again and again: it is parsed and hashed once.
   * Never pass a proxy's connection: the time of one client's request could then tell of another client's header.
   */
  async authenticate(header: string | undefined, client?: object): Promise<ApiKey> {
    const hash = this.#hashOf(header, client);
    const found = await this.keys.findByHash(hash);
    // The index compared hashes in variable time, which reveals nothing useful about the secret; this comparison
    // in constant time is the one that decides.
    if (!found || !timingSafeEqual(found.hash, hash) || !isUsable(found.key, this.clock.now())) {
      throw new AppError('invalid_api_key', { headers: REFUSAL });
    }
    return found.key;
  }

  #hashOf(header: string | undefined, client: object | undefined): Buffer {
    const last = client && this.#presented.get(client);
    if (last && last.header === header) return last.hash;
    const hash = readCredentials(header);
    if (client && header !== undefined) this.#presented.set(client, { header, hash });
    return hash;
  }
}

/** The hash of the secret that a header carries. */
function readCredentials(header: string | undefined): Buffer {
  const secret = bearerOf(header);
  if (secret === undefined) throw new AppError('missing_api_key', { headers: CHALLENGE });
  if (!isWellFormed(secret)) throw new AppError('malformed_api_key', { headers: REFUSAL });
  return hashSecret(secret);
}
