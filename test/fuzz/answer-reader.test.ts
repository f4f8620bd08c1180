import { describe, expect, it } from 'vitest';
import { AnswerReader } from './answer-reader.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
const read = (text: string, isHead = false) => new AnswerReader().read(Buffer.from(text), () => isHead);

describe('the reader of answers', () => {
  it('reads answers in one piece, and an answer that arrives byte by byte', () => {
    expect(read(OK + OK)).toHaveLength(2);
    const reader = new AnswerReader();
    const answers = [...Buffer.from(OK)].flatMap((octet) => reader.read(Buffer.from([octet]), () => false));
    expect(answers.map(({ status, body }) => [status, String(body)])).toEqual([[200, '{}']]);
    expect(reader.isMidway).toBe(false);
  });

  it('skips 100 Continue and reads no body after HEAD', () => {
    expect(read(`HTTP/1.1 100 Continue\r\n\r\n${OK}`)).toHaveLength(1);
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n', true)).toHaveLength(1);
  });

  it('reports an incomplete answer', () => {
    const reader = new AnswerReader();
    reader.read(Buffer.from(OK.slice(0, -1)), () => false);
    expect(reader.isMidway).toBe(true);
  });

  it.each([
    ['no status line', 'hello\r\n\r\n'],
    ['no length', 'HTTP/1.1 200 OK\r\nA: b\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}'],
    ['length beside chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}'],
    ['a header that is split', 'HTTP/1.1 200 OK\r\nA: b\nEvil: c\r\nContent-Length: 0\r\n\r\n'],
    ['an octet outside ASCII', 'HTTP/1.1 200 OK\r\nA: \u00e9\r\nContent-Length: 0\r\n\r\n'],
    ['more than the body', `${OK}x\r\n\r\n`],
  ])('refuses %s', (_, text) => {
    expect(() => read(text)).toThrow();
  });
});
