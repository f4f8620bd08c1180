import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HmacSha256 } from '../../src/privacy/hmac-sha256.ts';

/** Some ASCII, some not, a lone surrogate. */
const CHARACTERS = ['a', 'Z', '@', '.', 'é', 'ß', '漢', '😀', '\ud800'];

function randomText(length: number): string {
  return Array.from({ length }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
}

describe('HmacSha256', () => {
  it.each([1, 31, 32, 63, 64, 65, 200])('is node’s createHmac under a key of %i octets', (octets) => {
    const key = randomBytes(octets);
    const hmac = new HmacSha256(key);
    for (const length of [0, 1, 20, 55, 56, 64, 300, 5_000, 3]) {
      const text = randomText(length);
      expect(hmac.hex(text), JSON.stringify(text)).toBe(createHmac('sha256', key).update(text).digest('hex'));
    }
  });

  it('gives the values of RFC 4231 4.3 and 4.7', () => {
    expect(new HmacSha256(Buffer.from('Jefe')).hex('what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    expect(
      new HmacSha256(Buffer.alloc(131, 0xaa)).hex('Test Using Larger Than Block-Size Key - Hash Key First'),
    ).toBe('60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54');
  });
});
