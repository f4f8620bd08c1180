import { describe, expect, it } from 'vitest';
import { LineCounter, parseDocument } from 'yaml';
import { explainSyntaxError } from '../../src/lib/yaml-syntax.ts';

/** `line:column` and what is said; null where the text is YAML. */
function explained(text: string): string | null {
  const lineCounter = new LineCounter();
  const fault = explainSyntaxError(parseDocument(text, { lineCounter, prettyErrors: false }), text);
  if (!fault) return null;
  const { line, col } = lineCounter.linePos(fault.range[0]);
  return `${line}:${col} ${fault.message}`;
}

describe('a mistake in YAML', () => {
  it.each([
    ['a: [1, 2\nb: 1\n', '1:4 this [ is never closed'],
    ['a: "x\nb: 1\n', '1:4 this " is never closed'],
    ['a:\n\tb: 1\n', '2:1 a tab stands in the indentation: use spaces'],
    ['a:\n    b: 1\n  c: 2\n', '3:1 this line does not stand under those above it: is the indentation off?'],
    ['a:\n  - x\n  y: 1\n', '3:1 this line does not stand under those above it: is the indentation off?'],
    ['a:\n  b: 1\n   c: 2\n', '2:6 this and what follows do not go together: is a line indented too far?'],
    ['a\n  b: 1\n', '1:1 a key is expected here: is the colon missing, or the blank after it?'],
    ['a:\n  b:1\n  c: 2\n', '2:3 a key is expected here: is the colon missing, or the blank after it?'],
    ['a: b: c\n', '1:4 text that holds ": " must stand in quotes'],
    ['a: @x\n', '1:4 text that begins with @ must stand in quotes'],
    ['a: {b: 1 c: 2}\n', '1:8 a comma is missing within { } or [ ]'],
    ['a: ["x" "y"]\n', '1:9 a comma is missing before this'],
    ['a: [1]]\n', '1:7 ] is out of place here'],
    ["a: 'it's'\n", "1:8 the text is over at the quote before s': write '' for a ' within it"],
    ['a: "x" y\n', '1:8 the text is over at the quote before y: write \\" for a " within it'],
    ['a: "\\d+"\n', '1:5 \\d means nothing within double quotes: write \\\\d, or use single quotes'],
    ['a: "x"#c\n', '1:7 a blank is missing before the #, with which a comment begins'],
    ['%FOO\na: 1\n', '2:1 a line that begins with % is a directive: none is taken'],
    [
      `${'k'.repeat(1_100)}: 1\n`,
      '1:1 a key has at most 1024 characters: is a colon or a quote missing before?',
    ],
    [
      'a: *\n',
      '1:4 an anchor or alias stands here, without a name: put text that begins with & or * in quotes',
    ],
    ['a: 1\n---\nb: 2\n', '2:1 a second document begins here: a file holds one'],
  ])('in %j is told: %s', (text, said) => {
    expect(explained(text)).toBe(said);
  });

  it.each(['', 'a: 1\n', '# nothing\n', 'a: 1\na: 2\n'])('is none in %j', (text) => {
    expect(explained(text)).toBeNull();
  });
});
