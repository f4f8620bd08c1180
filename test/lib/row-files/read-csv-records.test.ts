import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsvRecords } from '../../../src/lib/row-files/read-csv-records.ts';
import { allOf, anySize, linesOf } from './chunks.ts';

const read = async (text: string, delimiter = ',', size?: number) =>
  allOf(readCsvRecords(linesOf(text, size), delimiter));
const cellsOf = async (text: string) =>
  (await read(text)).map(({ cells, broken }) => (broken === null ? cells : broken));

describe('readCsvRecords', () => {
  it('reads whatever a writer of CSV has written, wherever the bytes are cut', async () => {
    const anyCell = fc
      .oneof(
        fc.string(),
        fc.constantFrom('"', 'a"b', 'a,b', 'a\nb', 'a;b', ' "x" ', '""', 'jane@example.com'),
      )
      // Line ends come back as LF, and a NUL is no text.
      .map((text) => text.replace(/[\r\0]/g, ''));
    const anyTable = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(anyCell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      );
    await fc.assert(
      fc.asyncProperty(anyTable, fc.constantFrom(',', ';', '\t'), anySize, async (rows, delimiter, size) => {
        const records = await read(stringify(rows, { delimiter }), delimiter, size);
        expect(records.map(({ cells }) => cells)).toEqual(rows);
        expect(records.filter(({ broken }) => broken !== null)).toEqual([]);
      }),
    );
  });

  it('skips blank lines and tells the line that each record begins with', async () => {
    const records = await read('a,b\n\n1,"x\ny"\n2,z\n');
    expect(records.map(({ line, cells }) => [line, ...cells])).toEqual([
      [1, 'a', 'b'],
      [3, '1', 'x\ny'],
      [5, '2', 'z'],
    ]);
  });

  it('reads quotes that nobody doubled, where they leave no doubt', async () => {
    expect(await cellsOf('a,b\n"jane doe"@example.com,1\n5" disk,2\n')).toEqual([
      ['a', 'b'],
      ['"jane doe"@example.com', '1'],
      ['5" disk', '2'],
    ]);
  });

  it.each([
    ['too few cells', 'a,b\n1\n3,4\n', '1 cells where the first line has 2'],
    ['too many cells', 'a,b\n1,2,3\n3,4\n', '3 cells where the first line has 2'],
    ['a quote that is never closed', 'a,b\n"1,2\n3,4\n', 'a quote is not closed'],
  ])('a line with %s spoils no other', async (_, text, reason) => {
    expect(await cellsOf(text)).toEqual([['a', 'b'], reason, ['3', '4']]);
  });

  it('a stray quote costs its own line also when later lines have quotes', async () => {
    expect(await cellsOf('a,b\n"1,2\n"3",4\n5,"6"\n')).toEqual([
      ['a', 'b'],
      'a quote is not closed',
      ['3', '4'],
      ['5', '6'],
    ]);
  });

  it('looks a hundred lines ahead for a closing quote and no further', async () => {
    const spanning = (lines: number) => `a,b\n1,"${'x\n'.repeat(lines)}"\n`;
    expect((await read(spanning(100))).map(({ broken }) => broken)).toEqual([null, null]);
    const records = await read(spanning(101));
    expect(records[1]).toMatchObject({ line: 2, broken: 'a quote is not closed' });
    expect(records.at(-1)?.line).toBe(103);
  });

  it('keeps of a broken line what a person can recognise it by', async () => {
    expect((await read('a,b\n"1,2\n'))[1]?.cells).toEqual(['"1', '2']);
  });

  it('tells of a line that is too long', async () => {
    expect(await cellsOf(`a,b\n${'x'.repeat(1_100_000)}\n1,2\n`)).toEqual([
      ['a', 'b'],
      'the line is too long',
      ['1', '2'],
    ]);
  });
});
