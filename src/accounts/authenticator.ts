import { timingSafeEqual } from 'node:crypto';
import { inject, injectable } from '../di.ts';
import { AppError } from '../errors.ts';
import { CLOCK } from '../lib/time.ts';
import type { Clock } from '../provider-kit/index.ts';
import { KEY_STORE, type KeyStore } from '../storage/ports.ts';
import { type ApiKey, hashSecret, isUsable, isWellFormed } from './key.ts';

/** RFC 9110 11.4: the scheme in any case, then spaces, then the credentials. */
const BEARER = /^bearer +(?<credentials>.+)$/i;

/** The credentials of an `Authorization: Bearer` header; undefined where there is none, or another scheme. */
export function bearerOf(header: string | undefined): string | undefined {
  return BEARER.exec(header?.trim() ?? '')?.groups?.credentials;
}

/** RFC 6750 3: no error code when no credentials of ours were sent … */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="postern"' };
/** … and `invalid_token` for what is malformed, revoked, expired or unknown alike (3.1). */
const REFUSAL = { 'WWW-Authenticate': 'Bearer realm="postern", error="invalid_token"' };

/** Finds the API key of a request. */
@injectable()
export class KeyAuthenticator {
  constructor(
    @inject(KEY_STORE) private readonly keys: KeyStore,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The key of an `Authorization` header, as stored now. Throws AppError `missing_api_key`, `malformed_api_key` or `invalid_api_key`. */
  async authenticate(header: string | undefined): Promise<ApiKey> {
    const secret = bearerOf(header);
    if (secret === undefined) throw new AppError('missing_api_key', { headers: CHALLENGE });
    if (!isWellFormed(secret)) throw new AppError('malformed_api_key', { headers: REFUSAL });
    const hash = hashSecret(secret);
    const found = await this.keys.findByHash(hash);
    // The index compared hashes in variable time, which reveals nothing useful about the secret; this comparison
    // in constant time is the one that decides.
    if (!found || !timingSafeEqual(found.hash, hash) || !isUsable(found.key, this.clock.now())) {
      throw new AppError('invalid_api_key', { headers: REFUSAL });
    }
    return found.key;
  }
}
