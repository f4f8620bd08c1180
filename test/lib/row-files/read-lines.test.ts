import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from '../../../src/lib/row-files/read-lines.ts';
import { allOf, anySize, chunksOf, linesOf } from './chunks.ts';

const read = async (text: string, size?: number) => allOf(linesOf(text, size));

describe('readLines', () => {
  it('numbers lines from 1, whether LF or CRLF ends them and whether the last one has an end', async () => {
    const expected = [
      { number: 1, text: 'a' },
      { number: 2, text: '' },
      { number: 3, text: 'b' },
    ];
    expect(await read('a\n\nb')).toEqual(expected);
    expect(await read('a\r\n\r\nb\r\n')).toEqual(expected);
    expect(await read('')).toEqual([]);
  });

  it('reads the same wherever the bytes are cut', async () => {
    const anyLine = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n\ufeff]/g, ' '));
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine), anySize, async (lines, size) => {
        const texts = (await read(lines.map((line) => `${line}\r\n`).join(''), size)).map(({ text }) => text);
        expect(texts).toEqual(lines);
      }),
    );
  });

  it('does not take U+2028 for the end of a line, which JSON may hold', async () => {
    expect(await read('{"a":"\u2028"}')).toHaveLength(1);
  });

  it('drops the mark at the beginning, and reads UTF-16 where the mark says so', async () => {
    expect(await read('\ufeffa\n')).toEqual([{ number: 1, text: 'a' }]);
    async function* utf16(bigEndian: boolean) {
      const octets = Buffer.from('\ufeffä\nb', 'utf16le');
      yield bigEndian ? octets.swap16() : octets;
    }
    for (const bigEndian of [false, true]) {
      expect((await allOf(readLines(utf16(bigEndian)))).map(({ text }) => text)).toEqual(['ä', 'b']);
    }
  });

  it('tells a line whose octets are no UTF-8, wherever they are cut, and reads those beside it', async () => {
    const octets = Buffer.from('a\nren\xe9\r\n\u00ef\u00bf\u00bd\nb\nren\xe9', 'latin1');
    for (const size of [1, 2, 3, 100]) {
      async function* cut() {
        for (let from = 0; from < octets.length; from += size) yield octets.subarray(from, from + size);
      }
      expect(await allOf(readLines(cut()))).toEqual([
        { number: 1, text: 'a' },
        { number: 2, text: 'ren\ufffd', isForeign: true },
        // Such a character can be written, too.
        { number: 3, text: '\ufffd' },
        { number: 4, text: 'b' },
        { number: 5, text: 'ren\ufffd', isForeign: true },
      ]);
    }
  });

  it('gives up a line that is longer than a mebibyte, and goes on with the next', async () => {
    const long = 'x'.repeat(1_048_577);
    for (const size of [65_536, 4_000_000]) {
      expect(await read(`a\n${long}\nb\n${long}`, size)).toEqual([
        { number: 1, text: 'a' },
        { number: 2, text: null },
        { number: 3, text: 'b' },
        { number: 4, text: null },
      ]);
    }
  });

  it('keeps no line in memory that has no end', async () => {
    let yielded = 0;
    async function* endless() {
      for (; yielded < 200; yielded++) yield* chunksOf('x'.repeat(65_536));
    }
    expect(await allOf(readLines(endless()))).toEqual([{ number: 1, text: null }]);
  });
});
