import type { IncomingMessage } from 'node:http';
import { bearerOf } from '../../accounts/authenticator.ts';
import { saysHttps } from './forwarded-proto.ts';
import { isTrustedProxy, plainAddress } from './trusted-proxies.ts';

export interface PlainGateOptions {
  readonly trustedProxies: readonly string[];
  /** A key came over plain HTTP, where it can be read on the way. */
  readonly onKeyInClear: (secret: string) => void;
}

/** Tells whether the plain port serves a request: one that a trusted proxy took in by HTTPS. */
export function createPlainGate({ trustedProxies, onKeyInClear }: PlainGateOptions) {
  return (req: IncomingMessage): boolean => {
    const peer = plainAddress(req.socket.remoteAddress ?? '');
    if (isTrustedProxy(peer, trustedProxies) && saysHttps(req.headers)) return true;
    const secret = bearerOf(req.headers.authorization);
    if (secret !== undefined) onKeyInClear(secret);
    return false;
  };
}
