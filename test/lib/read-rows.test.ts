import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRows } from '../../src/lib/read-rows.ts';
import type { Format } from '../../src/lib/row-file.ts';
import { allOf, anySize, chunksOf, cut } from '../support/chunks.ts';

async function read(format: Format, chunks: AsyncIterable<Uint8Array>, exactNumbers = false) {
  const table = await readRows({ name: 'x', format, chunks }, { wanted: [], exactNumbers });
  return { ...table, rows: await allOf(table.rows) };
}

const csv = (text: string, size?: number) => read('csv', chunksOf(text, size));
const jsonl = (text: string, size?: number) => read('jsonl', chunksOf(text, size));
const valuesOf = async (text: string) =>
  (await csv(text)).rows.map(({ values, broken }) => broken ?? Object.values(values));

describe('rows of CSV', () => {
  it('are read as a CSV writer has written them, wherever the bytes are split', async () => {
    const anyCell = fc
      .oneof(
        fc.string(),
        fc.constantFrom('"', 'a"b', 'a,b', 'a\nb', 'a\r\nb', 'a;b', ' "x" ', '""', 'jane@example.com'),
      )
      // A lone CR outside of quotes ends a line, and a NUL is no text.
      .map((text) => text.replace(/\r(?!\n)|\0/g, ''));
    const anyTable = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(anyCell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      );
    await fc.assert(
      fc.asyncProperty(anyTable, fc.constantFrom(',', ';', '\t'), anySize, async (cells, delimiter, size) => {
        const names = cells[0]?.map((_, place) => `c${place}`) ?? [];
        const { rows } = await csv(stringify([names, ...cells], { delimiter }), size);
        expect(rows.map(({ values }) => names.map((name) => values[name]))).toEqual(cells);
        expect(rows.filter(({ broken }) => broken !== null)).toEqual([]);
      }),
    );
  });

  it('have the number of their first line; blank lines are not rows', async () => {
    const { rows } = await csv('a,b\n\n1,"x\ny"\n2,z\n');
    expect(rows.map(({ line, values }) => [line, values])).toEqual([
      [3, { a: '1', b: 'x\ny' }],
      [5, { a: '2', b: 'z' }],
    ]);
  });

  it.each(['\n', '\r\n', '\r'])('end with %j, also the last one without it', async (end) => {
    expect(await valuesOf(['a,b', '1,2', '3,4'].join(end))).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('keep quotes that were not doubled, where they are not ambiguous', async () => {
    expect(await valuesOf('a,b\n"jane doe"@example.com,1\n5" disk,2\n')).toEqual([
      ['"jane doe"@example.com', '1'],
      ['5" disk', '2'],
    ]);
  });

  it.each([
    ['too few cells', 'a,b\n1\n3,4\n', '1 cells where the first line has 2'],
    ['too many cells', 'a,b\n1,2,3\n3,4\n', '3 cells where the first line has 2'],
  ])('with %s do not affect other rows', async (_, text, reason) => {
    expect(await valuesOf(text)).toEqual([reason, ['3', '4']]);
  });

  it('end where a quote is never closed, and the rows before it are kept', async () => {
    expect((await csv('a,b\n1,2\n"3,4\n5,6\n')).rows).toEqual([
      { line: 2, values: { a: '1', b: '2' }, broken: null },
      { line: 3, values: { a: '', b: '' }, broken: 'a quote is not closed: nothing from here on is read' },
    ]);
  });

  it('keep enough of a broken row for a person to recognise it', async () => {
    expect((await csv('a,b\n1,2,3\n')).rows[0]?.values).toEqual({ a: '1', b: '2' });
  });

  it('have no column names where the first line cannot be read', async () => {
    await expect(csv('a,"b\n1,2\n')).rejects.toThrow('x:1 a quote is not closed, and names the columns');
  });

  it('may have no header, and then the first line is a row', async () => {
    const { names, rows } = await csv('1,a@b.org\n2,c@d.org\n');
    expect(names).toEqual(['column_1', 'column_2']);
    expect(rows.map(({ line }) => line)).toEqual([1, 2]);
  });
});

describe('rows of JSON lines', () => {
  it('are the same wherever the bytes are split, and each has its line number', async () => {
    const anyObject = fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' }));
    await fc.assert(
      fc.asyncProperty(fc.array(anyObject), anySize, async (objects, size) => {
        const { rows } = await jsonl(
          objects.map((object) => `${JSON.stringify(object)}\r\n\n`).join(''),
          size,
        );
        expect(rows.map(({ line }) => line)).toEqual(objects.map((_, index) => 2 * index + 1));
        expect(rows.map(({ values }) => JSON.stringify(values))).toEqual(
          objects.map((o) => JSON.stringify(o)),
        );
      }),
    );
  });

  it('may contain U+2028 and quotes, which do not end a line', async () => {
    expect((await jsonl('{"a":"\u2028 \\"x\\", y"}\n{"a":2}')).rows.map(({ values }) => values.a)).toEqual([
      '\u2028 "x", y',
      2,
    ]);
  });

  it('that are not objects do not affect other rows', async () => {
    const { rows } = await jsonl('{"a":1}\n[1]\n{"a"\nnull\n{"a":2}\n');
    const broken = 'the line is no JSON object';
    expect(rows.map((row) => row.broken)).toEqual([null, broken, broken, broken, null]);
  });

  it('are reported as another format where the first thousand contain no object', async () => {
    await expect(jsonl('x\n'.repeat(1_000))).rejects.toThrow(
      'x: the first 1000 lines are no JSON objects; is it of another format?',
    );
    expect((await jsonl(`${'x\n'.repeat(999)}{"a":1}`)).rows).toHaveLength(1_000);
  });

  it('keep the digits of numbers where they are written again', async () => {
    const line = '{"a":12345678901234567890,"b":1e400,"c":1.0,"d":-0,"e":0.0000001,"f":5}';
    const { rows } = await read('jsonl', chunksOf(line), true);
    expect(JSON.stringify(rows[0]?.values)).toBe(line);
  });
});

describe('rows of either format', () => {
  it('may begin with a byte order mark, and be UTF-16 where it says so', async () => {
    expect((await csv('\ufeffa,b\n1,2\n')).names).toEqual(['a', 'b']);
    expect((await jsonl('\ufeff{"a":1}\n')).names).toEqual(['a']);
    const utf16 = Buffer.from('\ufeffä;b\r\n1;2\r\n', 'utf16le');
    for (const size of [1, 3, 100]) {
      const { names, delimiter, rows } = await read('csv', cut(utf16, size));
      expect([names, delimiter, rows[0]?.values]).toEqual([['ä', 'b'], ';', { ä: '1', b: '2' }]);
    }
  });

  it('with invalid UTF-8 are reported, wherever they are split, and the other rows are read', async () => {
    const octets = Buffer.from('a,b\nren\xe9,1\nx,2\n', 'latin1');
    for (const size of [1, 2, 3, 100]) {
      expect((await read('csv', cut(octets, size))).rows).toEqual([
        { line: 2, values: { a: 'ren\ufffd', b: '1' }, broken: 'the line is not UTF-8' },
        { line: 3, values: { a: 'x', b: '2' }, broken: null },
      ]);
    }
  });

  it('may contain U+FFFD, which an earlier program has left', async () => {
    for (const size of [1, 2, 100]) {
      const { rows } = await csv('\ufeffa;b\nJ\ufffdrgen;1\n', size);
      expect(rows).toEqual([{ line: 2, values: { a: 'J\ufffdrgen', b: '1' }, broken: null }]);
      const json = await jsonl('\ufeff{"a":"J\ufffdrgen"}\n', size);
      expect(json.rows).toEqual([{ line: 1, values: { a: 'J\ufffdrgen' }, broken: null }]);
    }
    const named = await csv('sep=§\na§b\nü§1\n');
    expect(named.rows[0]?.values).toEqual({ a: 'ü', b: '1' });
  });

  it('end with one longer than a mebibyte, and the rows before it are kept', async () => {
    const long = 'x'.repeat(1_100_000);
    const reason = 'the line is too long: nothing from here on is read';
    expect((await csv(`a,b\n1,2\n${long}\n3,4\n`)).rows.map(({ line, broken }) => [line, broken])).toEqual([
      [2, null],
      [3, reason],
    ]);
    expect((await jsonl(`{"a":1}\n${long}\n`)).rows.map(({ line, broken }) => [line, broken])).toEqual([
      [1, null],
      [2, reason],
    ]);
  });

  it('are not read into memory completely where no line ends', async () => {
    let yielded = 0;
    async function* endless() {
      for (; yielded < 200; yielded++) yield* chunksOf('x'.repeat(65_536));
    }
    await expect(read('csv', endless())).rejects.toThrow('the line is too long');
    expect(yielded).toBeLessThan(100);
  });

  it('fail when their source does', async () => {
    async function* failing() {
      yield Buffer.from('a,b\n1,2\n');
      throw new Error('the disk is gone');
    }
    await expect(read('csv', failing())).rejects.toThrow('the disk is gone');
  });

  it('do not exist in an empty file', async () => {
    for (const format of ['csv', 'jsonl'] as const) {
      expect(await read(format, chunksOf(''))).toMatchObject({ names: null, rows: [] });
    }
  });
});
