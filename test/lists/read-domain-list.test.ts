import { describe, expect, it } from 'vitest';
import { readDomainList } from '../../src/lists/judge-download.ts';

const read = (content: string | Buffer, contentType: string | null = 'text/plain') => {
  const reading = readDomainList(Buffer.from(content), contentType);
  return reading.ok ? [...reading.domains] : reading.reason;
};
const many = Array.from({ length: 200 }, (_, i) => `d${i}.example`);

describe('a list of domains', () => {
  it.each([
    ['one on a line', 'a.example\nb.co.uk\n'],
    ['with the line ends of Windows, a mark at its head and none at its end', '\uFEFFa.example\r\nb.co.uk'],
    ['with comments and blank lines', '# head\n\na.example # why\n// more\nb.co.uk//x\n  \n'],
    ['in capitals, with wildcards', '*.A.example\n@b.CO.uk\n.b.co.uk\n'],
    ['with the wildcards of addresses', '*@a.example\n*@*.b.co.uk\n@.a.example\n'],
    ['as JSON', ' ["a.example", "b.co.uk"]'],
  ])('is read: %s', (_, text) => {
    expect(read(text)).toEqual(['a.example', 'b.co.uk']);
  });

  it('is read in linear time, whatever the number of comment signs in a line with a carriage return', () => {
    const line = `${'#'.repeat(2_000_000)}\rx`;
    expect(read(`a.example\n${line}\nb.co.uk\n`)).toEqual(['a.example', 'b.co.uk']);
  });

  it('is read with any content type except HTML', () => {
    expect(read('a.example\n', 'application/octet-stream')).toEqual(['a.example']);
    expect(read('a.example\n', null)).toEqual(['a.example']);
    expect(read('a.example\n', 'text/html; charset=utf-8')).toBe('it is HTML, not a list');
  });

  it('gives Unicode names as A-labels', () => {
    expect(read('müller.example\n')).toEqual(['xn--mller-kva.example']);
  });

  it('ignores invalid lines up to one in a hundred', () => {
    expect(read([...many, 'no domain', 'x'].join('\n'))).toEqual(many);
    expect(read([...many, 'no domain', 'x', '1.2.3.4'].join('\n'))).toBe(
      '3 of 203 entries are no domains, the first is entry 201',
    );
  });
});

describe('a text that is not a list', () => {
  it.each([
    ['nothing', '', 'it is empty'],
    ['comments alone', '# nothing\n\n', 'it is empty'],
    ['an empty array', '[]', 'it is empty'],
    ['HTML', '<!doctype html><html><body>a.example</body></html>', 'it is HTML or XML, not a list'],
    ['a page after blank lines', '\n\n  <html>', 'it is HTML or XML, not a list'],
    ['JSON that is cut off', '["a.example", "b.ex', 'it begins like JSON and is none: cut off, perhaps'],
    ['a JSON object', '{"a.example": 1}', 'it is JSON, but no array'],
    ['an array of others', '["a.example", 1]', 'its JSON array holds other things than texts'],
    ['an array of arrays', '[["a.example"]]', 'its JSON array holds other things than texts'],
    ['words', 'Not found\n', '1 of 1 entries are no domains, the first is entry 1'],
    ['a hosts file', '0.0.0.0 a.example\n', '1 of 1 entries are no domains, the first is entry 1'],
    ['top-level domains', 'com\norg\n', '2 of 2 entries are no domains, the first is entry 1'],
  ])('is refused: %s', (_, text, reason) => {
    expect(read(text)).toBe(reason);
  });

  it('is refused: bytes that are not text', () => {
    expect(read(Buffer.from([0x61, 0xff, 0xfe]))).toBe('it is no UTF-8 text');
  });

  it.each([
    '-a.example',
    'a-.example',
    'a..example',
    'a.example.',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}example`,
    'a b.example',
    'a.1',
  ])('is not a domain: %s', (text) => expect(read(text)).toMatch(/^1 of 1 entries/));
});
