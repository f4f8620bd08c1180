import type { RequestContext } from '../../../dist/src/http/state.js';
import type { KeyAuthenticator } from '../../../dist/src/keys/authenticator.js';
import type { ApiKey } from '../../../dist/src/keys/key.js';

/** Reads the first key that comes, and takes every later request for its. */
export function authenticate(authenticator: KeyAuthenticator): (ctx: RequestContext) => ApiKey {
  let key: ApiKey | undefined;
  return (ctx) => {
    key ??= authenticator.authenticate(ctx.req.headers.authorization);
    ctx.state.key = key;
    return key;
  };
}
