import { Random as Draws } from '../../src/provider-kit/testing/random.ts';

/** The source of chance of generated addresses, with the draws that only requests need. */
export class Random extends Draws {
  chance(share: number): boolean {
    return this.below(2 ** 32) < share * 2 ** 32;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}
