import type { KeyObject } from 'node:crypto';
import { hashAddress } from '../privacy/address-privacy.ts';
import { bucketOf } from '../rules/rollout.ts';

/** Tells on which side of a rollout a person is, by the key under which addresses are hashed. */
export class RolloutBuckets {
  #key: KeyObject | undefined;

  /** Once the key is there: rules are read before the data directory is opened. */
  open(key: KeyObject): void {
    this.#key = key;
  }

  /** Null without a key. */
  of(canonicalAddress: string): string | null {
    return this.#key === undefined ? null : bucketOf(hashAddress(this.#key, canonicalAddress));
  }
}
