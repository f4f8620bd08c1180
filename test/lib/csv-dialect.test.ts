import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRows } from '../../src/lib/read-rows.ts';
import { allOf, anySize, chunksOf, cut } from '../support/chunks.ts';

async function read(
  text: string | Buffer,
  { size = 65_536, delimiter = undefined as string | undefined } = {},
) {
  const chunks = typeof text === 'string' ? chunksOf(text, size) : cut(text, size);
  const table = await readRows({ name: 'x.csv', format: 'csv', chunks, delimiter }, { wanted: [] });
  const rows = await allOf(table.rows);
  return { ...table, cells: rows.map(({ values, broken }) => broken ?? Object.values(values)), rows };
}

const LINES = [
  ['name', 'email'],
  ['Jane', 'jane@gmail.com'],
  ['Joe', 'joe@x.org'],
];
const written = (lines: readonly (readonly string[])[], delimiter: string) =>
  lines.map((cells) => `${cells.join(delimiter)}\n`).join('');
const ROWS = LINES.slice(1);

describe('the delimiter of a file', () => {
  it('is found, whatever its cells contain, with a header and without, wherever the bytes are split', async () => {
    const word = fc.constantFrom(
      'Jane',
      'Doe, Jane',
      'a;b',
      'a|b',
      'x\ty',
      '0,5',
      'a:b',
      '"',
      'a "b" c',
      '',
      'new\nline',
    );
    const table = fc.array(fc.tuple(word, fc.integer({ min: 0, max: 999 }), word), {
      minLength: 1,
      maxLength: 8,
    });
    const delimiters = fc.constantFrom(',', ';', '\t', '|');
    await fc.assert(
      fc.asyncProperty(
        table,
        delimiters,
        fc.boolean(),
        anySize,
        async (words, delimiter, hasHeader, size) => {
          const rows = words.map(([before, id, after]) => [before, `u${id}@x.org`, after]);
          const header = hasHeader ? [['first', 'email', 'last']] : [];
          const text = stringify([...header, ...rows], { delimiter });
          const found = await read(text, { size });
          expect([found.delimiter, found.cells]).toEqual([delimiter, rows]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([',', ';', '\t', '|'])(
    'is found where column names contain other delimiters without quotes: %j',
    async (delimiter) => {
      const other = delimiter === ',' ? ';' : ',';
      const rows = [
        [`Doe${other} Jane`, 'jane@x.org'],
        [`Roe${other} Joe`, 'joe@x.org'],
      ];
      for (const header of [[], [['name', 'email']]]) {
        const { delimiter: found, cells } = await read(written([...header, ...rows], delimiter));
        expect([found, cells]).toEqual([delimiter, rows]);
      }
    },
  );

  it.each(['\n', '\r\n', '\r'])('is found where lines end with %j', async (end) => {
    const { delimiter, cells } = await read(LINES.map((cells) => cells.join('|')).join(end));
    expect([delimiter, cells]).toEqual(['|', ROWS]);
  });

  it.each([';', '|', '\t', ',', ':', '^'])(
    'is the one of a line sep=%s, which is not a row',
    async (delimiter) => {
      for (const sep of [
        `sep=${delimiter}`,
        `"sep=${delimiter}"`,
        `SEP=${delimiter}`,
        `\ufeffsep=${delimiter}`,
      ]) {
        const found = await read(`${sep}\r\n${written(LINES, delimiter)}`);
        expect([found.delimiter, found.names, found.cells]).toEqual([delimiter, LINES[0], ROWS]);
        expect(found.rows.map(({ line }) => line)).toEqual([3, 4]);
      }
    },
  );

  it.each([':', '^', '~', ' '])(
    'must be given where %j seems to be it, and is the given one',
    async (delimiter) => {
      for (const lines of [LINES, ROWS, ROWS.slice(1)]) {
        const text = written(lines, delimiter);
        await expect(read(text)).rejects.toThrow(
          `x.csv: does "${delimiter}" stand between its cells? --delimiter`,
        );
        expect((await read(text, { delimiter })).cells).toEqual(
          ROWS.slice(lines === LINES ? 0 : 2 - lines.length),
        );
        expect((await read(text, { delimiter: ',' })).cells.flat()).toContain(`Joe${delimiter}joe@x.org`);
      }
    },
  );

  it.each([
    ['addresses alone', 'jane@x.org\njoe@x.org\n'],
    ['addresses under a name', 'E-Mail Address\njane@x.org\njoe@x.org\n'],
    ['addresses with names', 'Jane Doe <jane@x.org>\nJoe Roe <joe@x.org>\n'],
    ['one with a blank among others', 'jane doe@x.org\njoe@x.org\n'],
    ['one with a pipe under a name', 'email\njane|x@x.org\njoe@x.org\n'],
  ])('does not split a file of %s', async (_, text) => {
    const { names, rows } = await read(text);
    expect(names).toHaveLength(1);
    expect(rows.filter(({ broken }) => broken !== null)).toEqual([]);
  });

  it.each([
    ['csv', 'name|email\nJane|jane@x.org\n'],
    ['jsonl', '{"name":"a, b; c|d","email":"jane@x.org"}\n{}\n'],
  ] as const)(
    'is known without a line beyond the first where there is no choice: %s',
    async (format, text) => {
      async function* slow() {
        yield Buffer.from(text);
        await new Promise(() => {});
      }
      const { names } = await readRows({ name: 'x', format, chunks: slow() }, { wanted: [] });
      expect(names).toEqual(['name', 'email']);
    },
  );
});

const encoded = (text: string, order: 'LE' | 'BE') => {
  const octets = Buffer.from(text, 'utf16le');
  return order === 'LE' ? octets : octets.swap16();
};

describe('UTF-16', () => {
  it.each(['LE', 'BE'] as const)(
    'is read with its byte order mark, wherever it is split: %s',
    async (order) => {
      for (const delimiter of [';', '|', '\t']) {
        const lines = [
          ['näme', 'email'],
          ['Ωmega 😀', 'jane@gmail.com'],
          ['Дом', 'joe@x.org'],
        ];
        const octets = encoded(`\ufeff${written(lines, delimiter)}`, order);
        for (const size of [1, 2, 3, 7, 65_536]) {
          const found = await read(octets, { size });
          expect([found.delimiter, found.names, found.cells]).toEqual([delimiter, lines[0], lines.slice(1)]);
        }
      }
    },
  );

  it.each(['LE', 'BE'] as const)(
    'is reported where its byte order mark is missing, with a command that converts it: %s',
    async (order) => {
      for (const text of [written(LINES, ','), 'jane@x.org\n', `Имя,Почта\n${'Дом,joe@x.org\n'.repeat(9)}`]) {
        for (const size of [5, 65_536]) {
          await expect(read(encoded(text, order), { size })).rejects.toThrow(
            `x.csv: it is UTF-16${order} without a byte order mark: save it as UTF-8, as "iconv -f UTF-16${order} -t UTF-8" does`,
          );
        }
      }
    },
  );

  it('is read, and reported, in JSON lines too', async () => {
    const lines = '{"email":"jané@x.org"}\n{"email":"joe@x.org"}\n';
    const jsonl = (octets: Buffer) =>
      readRows({ name: 'x.jsonl', format: 'jsonl', chunks: cut(octets, 7) }, { wanted: [] });
    const { rows } = await jsonl(encoded(`\ufeff${lines}`, 'BE'));
    expect((await allOf(rows)).map(({ values }) => values.email)).toEqual(['jané@x.org', 'joe@x.org']);
    await expect(jsonl(encoded(lines, 'LE'))).rejects.toThrow('x.jsonl: it is UTF-16LE without');
  });

  it('is not detected in text of other encodings', async () => {
    const latin1 = Buffer.from('näme|email\nJané|jane@x.org\n', 'latin1');
    await expect(read(latin1)).rejects.toThrow('x.csv:1 the line is not UTF-8, and names the columns');
    expect((await read(Buffer.from('name|email\nJané|jane@x.org\n', 'latin1'))).cells).toEqual([
      'the line is not UTF-8',
    ]);
    expect((await read('name|email\nJa\0ne|jane@x.org\n')).cells).toEqual([['Ja\0ne', 'jane@x.org']]);
  });
});
