import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LineCounter, parse, parseDocument } from 'yaml';
import { explainSyntaxError } from '../../src/lib/yaml-syntax.ts';

/** `line:column` and the message; null where the text is YAML. */
function explained(text: string): string | null {
  const lineCounter = new LineCounter();
  const fault = explainSyntaxError(
    parseDocument(text, { lineCounter, prettyErrors: false, keepSourceTokens: true }),
    text,
  );
  if (!fault) return null;
  const { line, col } = lineCounter.linePos(fault.range[0]);
  return `${line}:${col} ${fault.message}`;
}

describe('a syntax error in YAML', () => {
  it.each([
    ['a: [1, 2\nb: 1\n', '1:4 this [ is never closed'],
    ['a: [\n  - b: 1\n    c: 2\n', '1:4 this [ is never closed'],
    ['a: { b: { c: 1 }\nd: 1\n', '1:4 this { is never closed'],
    ['a: { b: { c: 1 }\n', '1:4 this { is never closed'],
    ['a: { b: 1 ]\nd: 1\n', '1:4 this { is never closed'],
    ['a: { b: see #1 }\nd: 1\n', '1:4 this { is never closed: a comment begins at the # behind it'],
    ['a: "see #1\nd: 1\n', '1:4 this " is never closed'],
    ["a: 'x\n  b: 'y'\n", "1:4 this ' is never closed"],
    ['a: "x\nb: 1\n', '1:4 this " is never closed'],
    ['a:\n\tb: 1\n', '2:1 a tab stands in the indentation: use spaces'],
    ['a:\n  b: 1\n  \tc: 2\n', '3:3 a tab stands in the indentation: use spaces'],
    ['a: { b: 1,\n\tc: 2 }\n', '2:1 a tab stands in the indentation: use spaces'],
    ['a:\n  -\tb: 1\n    c: 2\n', '2:4 a tab stands in the indentation: use spaces'],
    [
      'a:\n  - b: 1\n  \u00a0\u00a0c: 2\n',
      '3:3 this looks like a blank, or like nothing, and is another character: write a blank',
    ],
    [
      'a:\u00a0b\nc: 2\n',
      '1:3 this looks like a blank, or like nothing, and is another character: write a blank',
    ],
    ['a:\n  –\u0020b: 1\n    c: 2\n', '2:3 a list takes the plain dash -, not this one'],
    ['a:\n  b：1\n  c: 2\n', '2:4 a key takes the plain colon : and a blank, not this one'],
    ['a:\n  -b: 1\n   c: 2\n', '2:3 a blank is missing after the dash'],
    ['a: | x\n', '1:4 text that begins with | must stand in quotes'],
    ['a: >= 5\n', '1:4 text that begins with > must stand in quotes'],
    ['a: ? x\n', '1:4 text that begins with ? must stand in quotes'],
    ['a: %x\n', '1:4 text that begins with % must stand in quotes'],
    ['a: - x\n', '1:4 a list begins on a line of its own, and text that begins with - stands in quotes'],
    [
      'a: [x] y\n',
      '1:8 this stands after the ] that closes it: text that begins with a bracket must stand in quotes',
    ],
    [
      'a: {x} y\n',
      '1:8 this stands after the } that closes it: text that begins with a bracket must stand in quotes',
    ],
    ['a: x:\n', '1:4 a key stands on a line of its own, text that ends with a colon in quotes'],
    [
      'a:\n  - - b: 1\n    c: 2\n',
      '3:5 an item of a list is expected here, "- " at its front: is the indentation off, or a dash too many above?',
    ],
    ['a:\n    b: 1\n  c: 2\n', '3:1 this line does not stand under those above it: is the indentation off?'],
    ['a:\n  - x\n  y: 1\n', '3:1 this line does not stand under those above it: is the indentation off?'],
    ['a:\n  b: 1\n   c: 2\n', '2:6 this and what follows do not go together: is a line indented too far?'],
    ['a\n  b: 1\n', '1:1 a key is expected here: is the colon missing, or the blank after it?'],
    ['a:\n  b:1\n  c: 2\n', '2:3 a key is expected here: is the colon missing, or the blank after it?'],
    ['a: b: c\n', '1:4 text that holds ": " must stand in quotes'],
    ['a: b\nc: risk d: off\n', '2:4 text that holds ": " must stand in quotes, a key on a line of its own'],
    ['a: @x d: off\n', '1:4 text that holds ": " must stand in quotes, a key on a line of its own'],
    ['a: @x\n', '1:4 text that begins with @ must stand in quotes'],
    ['a: {b: 1 c: 2}\n', '1:8 a comma is missing within { } or [ ], or quotes around text that holds ": "'],
    ['a: ["x" "y"]\n', '1:9 a comma is missing before this'],
    ['a: [1]]\n', '1:7 ] is out of place here'],
    ["a: 'it's'\n", "1:8 the text is over at the quote before this: write '' for a ' within it"],
    ['a: "x" y\n', '1:8 the text is over at the quote before this: write \\" for a " within it'],
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
    ...['*bold* text', '**x** y', '>5 of them'].flatMap((text): [string, string][] => [
      [`a: ${text}\n`, `1:4 text that begins with ${text[0]} must stand in quotes`],
      [`- b: 1\n- a: ${text}\n`, `2:6 text that begins with ${text[0]} must stand in quotes`],
    ]),
    ['a: { b: *bold* text, c: 1 }\n', '1:9 text that begins with * must stand in quotes'],
    ['a: [x, *bold* text]\n', '1:8 text that begins with * must stand in quotes'],
    [`a: { b: \${threshold.x} }\n`, '1:10 a fact or threshold is written { fact: threshold.… }'],
    ...['•', '*', '1.', '2)'].map((front): [string, string] => [
      `a:\n  ${front} b: 1\n    c: 2\n`,
      '2:3 an item of a list begins with a dash and a blank, not with this',
    ]),
    [
      'a:\n  b: 1\n  - b: 2\n    c: 3\n',
      '3:3 an item of a list follows what is none: is the dash missing above?',
    ],
    ['a: 1\n---\nb: 2\n', '2:1 a second document begins here: a file holds one'],
  ])('in %j is reported: %s', (text, said) => {
    expect(explained(text)).toBe(said);
  });

  it.each([3_000, 30_000])('is also nesting that is too deep: %d brackets', (depth) => {
    expect(explained(`a: ${'['.repeat(depth)}${']'.repeat(depth)}\n`)).toMatch(
      /^1:\d+ .* nested too deeply here$/,
    );
  });

  it.each(['', 'a: 1\n', '# nothing\n', 'a: 1\na: 2\n'])('is not reported for %j', (text) => {
    expect(explained(text)).toBeNull();
  });
});

/** Each line of the shipped rule files, separately. */
const LINES = ['domain', 'address', 'decision'].flatMap((name) => {
  const path = new URL(`../../rules/${name}.yaml`, import.meta.url);
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.map((line, index) => ({ line, index, lines, where: `${name}.yaml:${index + 1}` }));
});

/** The text with this line in place of the original one. */
const withLine = ({ lines, index }: (typeof LINES)[number], line: string) =>
  lines.with(index, line).join('\n');

describe('in any line of the shipped rules', () => {
  it.each(LINES.filter(({ line }) => /^[^#]*: [[{].*[\]}]$/.test(line)))(
    'an unclosed bracket is reported where it opens: $where',
    (at) => {
      const opening = at.line.search(/[[{]/) + 1;
      const said = explained(withLine(at, at.line.slice(0, -1))) ?? '';
      expect(said).toBe(`${at.index + 1}:${opening} this ${at.line[opening - 1]} is never closed`);
    },
  );

  it.each(LINES.filter(({ line }) => /^ +[^ #]/.test(line)))('a tab before it is reported: $where', (at) => {
    const indent = at.line.search(/\S/);
    for (const tabbed of [`\t${at.line}`, `${at.line.slice(0, indent - 1)}\t${at.line.slice(indent)}`]) {
      const text = withLine(at, tabbed);
      const said = explained(text);
      // Within braces a tab after blanks is white space.
      if (said === null) expect(parse(text)).toEqual(parse(at.lines.join('\n')));
      else {
        const place = `${at.index + 1}:${tabbed.indexOf('\t') + 1}`;
        expect(said).toBe(`${place} a tab stands in the indentation: use spaces`);
      }
    }
  });

  it.each(LINES.filter(({ line }) => /^ *[^ #]/.test(line)))(
    'a merge conflict is reported where it begins: $where',
    (at) => {
      const conflict = `<<<<<<< HEAD\n${at.line}\n=======\n${at.line}x\n>>>>>>> main`;
      expect(explained(withLine(at, conflict))).toBe(
        `${at.index + 1}:1 a merge conflict is left in the file: mend it first`,
      );
    },
  );

  it.each(LINES.filter(({ line }) => /^[^#"]*: [A-Z][^"]*$/.test(line)))(
    'an unclosed quote is reported where it opens: $where',
    (at) => {
      const opening = at.line.indexOf(': ') + 2;
      const quoted = `${at.line.slice(0, opening)}"${at.line.slice(opening)}`;
      expect(explained(withLine(at, quoted))).toMatch(`${at.index + 1}:${opening + 1} this " is `);
    },
  );
});
