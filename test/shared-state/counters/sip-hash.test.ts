import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SipHash } from '../../../src/shared-state/counters/sip-hash.ts';

/** `key[i] = i`, as in the paper's appendix and the reference code's `vectors.h`. */
const hash = new SipHash(new Int32Array(Uint8Array.from({ length: 16 }, (_, i) => i).buffer));

/** The eight octets of the hash, the lowest first, as the vectors have them. */
function hex(text: string): string {
  hash.of(text);
  const octets = Buffer.alloc(8);
  octets.writeUInt32LE(hash.low, 0);
  octets.writeUInt32LE(hash.high, 4);
  return octets.toString('hex');
}

it.each([
  [0, '310e0edd47db6f72'],
  [1, 'fd67dc93c539f874'],
  [2, '5a4fa9d909806c0d'],
  [3, '2d7efbd796666785'],
  [4, 'b7877127e09427cf'],
  [5, '8da699cd64557618'],
  [6, 'cee3fe586e46c9cb'],
  [7, '37d1018bf50002ab'],
  [8, '6224939a79f5f593'],
  [9, 'b0e4a90bdf82009e'],
  [15, 'e545be4961ca29a1'],
  [16, 'db9bc2577fcc2a3f'],
  [63, '724506eb4c328a95'],
])('hashes the octets 0 to %i − 1 as the reference does', (length, expected) => {
  expect(hex(String.fromCharCode(...Array.from({ length }, (_, octet) => octet)))).toBe(expected);
});

it('hashes UTF-8: what is said in two ways is one text only when its octets are', () => {
  expect(hex('é')).not.toBe(hex('Ã©'));
  expect(hex('jürgen@example.com')).not.toBe(hex('jurgen@example.com'));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      expect(hex(one) === hex(other)).toBe(one === other);
    }),
  );
});

it('is another hash under another key', () => {
  const other = new SipHash(new Int32Array([1, 2, 3, 5]));
  other.of('jane@example.com');
  hash.of('jane@example.com');
  expect([other.low, other.high]).not.toEqual([hash.low, hash.high]);
});
