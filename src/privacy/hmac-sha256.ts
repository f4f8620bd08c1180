import { hash } from 'node:crypto';

/** Of SHA-256, in octets. */
const BLOCK = 64;
const DIGEST = 32;
/** Of texts, in octets, before more room is made: an address has 1,024 at most. */
const ROOM = 1_024;

/**
 * HMAC-SHA-256 of texts under one key (RFC 2104 2): the hash of the padded key and the hash of the other padded key and the
 * text. node's `createHmac` makes the same of them, and an object for each text, which takes twice the time of the two hashes.
 */
export class HmacSha256 {
  readonly #outer: Buffer;
  #inner: Buffer;

  constructor(key: Uint8Array) {
    const short = key.length > BLOCK ? hash('sha256', key, 'buffer') : key;
    const padded = (pad: number, room: number) => {
      const block = Buffer.alloc(BLOCK + room).fill(pad, 0, BLOCK);
      for (const [index, octet] of short.entries()) block[index] = octet ^ pad;
      return block;
    };
    this.#inner = padded(0x36, ROOM);
    this.#outer = padded(0x5c, DIGEST);
  }

  /** Of the text's UTF-8 octets, in hexadecimal. Nothing of the text is kept. */
  hex(text: string): string {
    const most = BLOCK + 3 * text.length;
    if (this.#inner.length < most) this.#inner = Buffer.concat([this.#inner], most);
    const end = BLOCK + this.#inner.write(text, BLOCK);
    // As text of an octet to a character: one octet array less to make.
    this.#outer.write(hash('sha256', this.#inner.subarray(0, end), 'binary'), BLOCK, 'latin1');
    this.#inner.fill(0, BLOCK, end);
    return hash('sha256', this.#outer, 'hex');
  }
}
