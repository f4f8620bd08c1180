import { describe, expect, it } from 'vitest';
import { MAX_OCTETS, ReplyReader } from '../../../src/net/smtp/smtp-connection.ts';

const read = (...chunks: readonly string[]) => {
  const reader = new ReplyReader();
  return { replies: chunks.flatMap((chunk) => reader.read(Buffer.from(chunk, 'latin1'))), reader };
};

describe('ReplyReader', () => {
  it.each([
    ['one line', ['220 ready\r\n'], [{ code: 220, lines: ['ready'] }]],
    ['a bare code', ['250\r\n'], [{ code: 250, lines: [''] }]],
    ['a bare line feed', ['250 ok\n'], [{ code: 250, lines: ['ok'] }]],
    ['several lines', ['250-a\r\n250-STARTTLS\r\n250 b\r\n'], [{ code: 250, lines: ['a', 'STARTTLS', 'b'] }]],
    ['octet by octet', [...'550-no\r\n550 5.1.1 x\r\n'], [{ code: 550, lines: ['no', '5.1.1 x'] }]],
    [
      'two replies at once',
      ['220 a\r\n250 b\r\n'],
      [
        { code: 220, lines: ['a'] },
        { code: 250, lines: ['b'] },
      ],
    ],
    ['octets that are no UTF-8', ['250 \xff\r\n'], [{ code: 250, lines: ['\xff'] }]],
  ])('reads %s', (_what, chunks, replies) => expect(read(...chunks).replies).toEqual(replies));

  it.each([
    ['another protocol', 'HTTP/1.1 400 Bad Request\r\n'],
    ['an empty line', '\r\n'],
    ['a code of two digits', '25 ok\r\n'],
    ['a code of no class', '150 ok\r\n'],
    ['a code of four digits', '2500 ok\r\n'],
    ['lines of different codes', '250-a\r\n550 b\r\n'],
  ])('rejects %s as a reply', (_what, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ outcome: 'malformed' }));
  });

  it('reads up to its limit, and not a byte more in one session', () => {
    const line = `250-${'x'.repeat(506)}\r\n`;
    const lines = line.repeat(Math.floor(MAX_OCTETS / line.length));
    expect(() => read(lines)).not.toThrow();
    expect(() => read(lines, line)).toThrow(expect.objectContaining({ outcome: 'malformed' }));
    expect(() => read('x'.repeat(MAX_OCTETS + 1))).toThrow(expect.objectContaining({ outcome: 'malformed' }));
  });

  it('reports whether a reply has begun', () => {
    expect(read('250 ok\r\n').reader.isWithinReply).toBe(false);
    expect(read('250-ok\r\n').reader.isWithinReply).toBe(true);
    expect(read('25').reader.isWithinReply).toBe(true);
  });
});
