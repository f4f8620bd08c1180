import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable } from '../../../src/cli/shell.ts';

describe('printable', () => {
  it.each([
    ['\u001b[31m', '\\u{1b}[31m'],
    ['a\r\nb\tc', 'a\\u{d}\\u{a}b\\u{9}c'],
    ['\u009b1A', '\\u{9b}1A'],
    ['\u202egro.x@a', '\\u{202e}gro.x@a'],
    ['\u2066\u200b', '\\u{2066}\\u{200b}'],
    ['\ud800', '\\u{d800}'],
  ])('makes %j visible', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it.each(['jane.doe@example.com', 'dörte@bücher.example', '用户@例子.example', '😀'])(
    'keeps %s as it is',
    (text) => {
      expect(printable(text)).toBe(text);
    },
  );

  it('never prints a control character or a direction mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
      }),
    );
  });
});
