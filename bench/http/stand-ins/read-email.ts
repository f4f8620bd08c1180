import { addressAt } from '../../support/addresses.ts';
import { ADDRESSES } from '../load.ts';

/** Addresses in turn; the body is left to node, which reads and drops it. */
export function readEmail(): () => string {
  let next = 0;
  return () => addressAt(next++ % ADDRESSES);
}
