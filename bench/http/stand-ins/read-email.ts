import type { Middleware } from 'koa';
import type { RequestState } from '../../../dist/src/http/state.js';
import { addressAt } from '../../support/addresses.ts';
import { ADDRESSES } from '../load.ts';

/** Addresses in turn; the body is left to node, which reads and drops it. */
export function readEmail(): Middleware<RequestState> {
  let next = 0;
  return (ctx, forth) => {
    ctx.state.email = addressAt(next++ % ADDRESSES);
    return forth();
  };
}
