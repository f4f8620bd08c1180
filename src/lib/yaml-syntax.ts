import { type Document, isCollection, isScalar, visit, type YAMLParseError } from 'yaml';

/** The one mistake that keeps a text from being YAML. */
export interface SyntaxFault {
  /** Offsets in the text: where it stands, and where it ends. */
  readonly range: readonly [number, number];
  readonly message: string;
  /** The text that would mend the fault, in place of the range. */
  readonly replacement?: string;
}

/** By the parser's error code: what the author probably did, where the parser says only what it missed. */
const MESSAGES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second document begins here: a file holds one',
  BAD_INDENT: 'this line does not stand under those above it: is the indentation off?',
  TAB_AS_INDENT: 'a tab stands in the indentation: use spaces',
  MULTILINE_IMPLICIT_KEY: 'a key is expected here: is the colon missing, or the blank after it?',
  BLOCK_AS_IMPLICIT_KEY: 'this and what follows do not go together: is a line indented too far?',
  BLOCK_IN_FLOW: 'a comma is missing within { } or [ ], or quotes around text that holds ": "',
  KEY_OVER_1024_CHARS: 'a key has at most 1024 characters: is a colon or a quote missing before?',
  RESOURCE_EXHAUSTION: 'brackets or lists are nested too deeply here',
  BAD_ALIAS: 'an anchor or alias stands here, without a name: put text that begins with & or * in quotes',
};

/** Messages for a missing character, by the beginning of the parser's message. */
const MISSING: readonly (readonly [parser: string, message: string])[] = [
  ['Comments', 'a blank is missing before the #, with which a comment begins'],
  ['Missing ,', 'a comma is missing before this'],
  ['Missing directives-end', 'a line that begins with % is a directive: none is taken'],
];

/**
 * Explains the first mistake alone: the parser's later errors follow from it, and nothing after it can be trusted. Undefined
 * for a text that is YAML, even if a key stands twice. The document must have been parsed with its source tokens.
 */
export function explainSyntaxError(document: Document.Parsed, text: string): SyntaxFault | undefined {
  const [error] = document.errors
    .filter(({ code }) => code !== 'DUPLICATE_KEY')
    .toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (!error) return undefined;
  return (
    explainLines(error, text) ??
    explainOpenEnd(document, error, text) ??
    explainBareText(error, text) ??
    explainByCode(error, text)
  );
}

function explainByCode({ code, pos: [start, end], message }: YAMLParseError, text: string): SyntaxFault {
  const found = text.slice(start, end).trim();
  const before = text.slice(0, start).trimEnd();
  const sign = /(?:[:,[{-] +|[[{])([*&!>|])\S+$/d.exec(before);
  if (sign?.indices?.[1] && (code === 'UNEXPECTED_TOKEN' || code === 'MISSING_CHAR')) {
    return { range: sign.indices[1], message: mustBeQuoted(sign[1] ?? '') };
  }
  if (code === 'UNEXPECTED_TOKEN' && found !== '') {
    const begin = /[|>]$/.test(before) ? before.length - 1 : start;
    return { range: [begin, end], message: explainToken(found, before.at(-1)) };
  }
  if (code === 'BAD_DQ_ESCAPE') {
    const what = text.slice(start, start + 2);
    const message = `${what} means nothing within double quotes: write \\${what}, or use single quotes`;
    return { range: [start, start + 2], message };
  }
  if (message.startsWith('Sequence item')) {
    const indent = /^\s*/.exec(text.slice(start))?.[0].length ?? 0;
    const what =
      'an item of a list is expected here, "- " at its front: is the indentation off, or a dash too many above?';
    return { range: [start + indent, start + indent + 1], message: what };
  }
  const known = MESSAGES[code] ?? MISSING.find(([parser]) => message.startsWith(parser))?.[1];
  return { range: [start, end], message: known ?? message.split('\n', 1)[0] ?? message };
}

const mustBeQuoted = (sign: string) => `text that begins with ${sign} must stand in quotes`;

/** `'it's'` ends before the s, and `[draft] of it` at the bracket. The text there is not quoted: it may be half a secret. */
function explainToken(found: string, before = ''): string {
  if (/[|>]/.test(before)) return mustBeQuoted(before);
  if (before === '$' && found.startsWith('{')) return 'a fact or threshold is written { fact: threshold.… }';
  if (/[\]}]/.test(before) && /^[^\]}]/.test(found)) {
    return `this stands after the ${before} that closes it: text that begins with a bracket must stand in quotes`;
  }
  if (found === '-')
    return 'a list begins on a line of its own, and text that begins with - stands in quotes';
  if (before !== "'" && before !== '"') return `${found.length === 1 ? found : 'this'} is out of place here`;
  return `the text is over at the quote before this: write ${before === "'" ? "''" : '\\"'} for a ${before} within it`;
}

/** The message for a character that looks like a blank, or like nothing. */
export const ODD_BLANK = 'this looks like a blank, or like nothing, and is another character: write a blank';
/** Joiners, tags and variation selectors show in what is not ASCII: in scripts that are written with them, and in pictures. */
export const ODD_BLANKS =
  /(?![ \t\n\r]|(?<=\P{ASCII})[\p{Join_Control}\p{Variation_Selector}\u{e0020}-\u{e007f}])[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

/** Characters that look right in the line where the parser fails, but are wrong. */
const LOOKALIKES: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/^ *(\t)/d, 'a tab stands in the indentation: use spaces'],
  [new RegExp(`(?:^[ -]*|:)((?:${ODD_BLANKS.source})+)`, 'du'), ODD_BLANK],
  [/^ *(-)[\w"'{[]/d, 'a blank is missing after the dash'],
  [/^ *([–—]) /d, 'a list takes the plain dash -, not this one'],
  [/^ *([•*]|\d+[.)]) /d, 'an item of a list begins with a dash and a blank, not with this'],
  [/^(<{7}|={7}|>{7})(?: |$)/d, 'a merge conflict is left in the file: mend it first'],
  [/^[ -]*\w+(：)/d, 'a key takes the plain colon : and a blank, not this one'],
];

/** Finds a lookalike in the line of the error, or in the next line, which the parser may take for more of the text. */
function explainLines({ pos: [at] }: YAMLParseError, text: string): SyntaxFault | undefined {
  let start = text.lastIndexOf('\n', at - 1) + 1;
  const lines = text.slice(start).split('\n', 2);
  for (const line of lines) {
    for (const [pattern, message] of LOOKALIKES) {
      const found = pattern.exec(line)?.indices?.[1];
      if (found) return { range: [start + found[0], start + found[1]], message };
    }
    start += line.length + 1;
  }
  return undefined;
}

/** The parser fails below a quote or bracket that was left open; the mistake is where it opens. */
function explainOpenEnd(
  document: Document.Parsed,
  { code, pos, message }: YAMLParseError,
  text: string,
): SyntaxFault | undefined {
  const isQuote = code === 'MISSING_CHAR' && message.includes('closing');
  let opening: number | undefined;
  visit(document, {
    Node(_key, node) {
      const [start, end] = node.range ?? [0, 0];
      if (start > pos[0]) return;
      const written = text.slice(start, end);
      const first = text[start] ?? '';
      let isClosed = true;
      if (isCollection(node) && node.srcToken?.type === 'flow-collection') {
        isClosed = node.srcToken.end.some(({ source }) => source === PAIRS[first]);
      } else if (isScalar(node) && isQuote) {
        isClosed = written.length > 1 && written.endsWith(first);
      } else if (isScalar(node) && node.type?.startsWith('QUOTE')) {
        // Closed by the quote that opens another text, lines below.
        isClosed = !(written.includes('\n') && code === 'UNEXPECTED_TOKEN' && end === pos[0]);
      }
      // The innermost: an outer one is open because this one is.
      if (!isClosed) opening = start;
    },
  });
  if (opening === undefined) return undefined;
  const isCut = /^[^\n\r]*?\s#[^\n\r]*[\]}"']/.test(text.slice(opening));
  const why = isCut ? ': a comment begins at the # behind it' : '';
  return { range: [opening, opening + 1], message: `this ${text[opening]} is never closed${why}` };
}

const PAIRS: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** `description: Note: this` is a mapping within a line to the parser; `@` at the front of a text is kept for later. */
function explainBareText({ code, pos }: YAMLParseError, text: string): SyntaxFault | undefined {
  const isColon = code === 'BLOCK_AS_IMPLICIT_KEY';
  if (!isColon && code !== 'BAD_SCALAR_START') return undefined;
  const value = /^[^\n\r]*/.exec(text.slice(pos[0]))?.[0].trimEnd() ?? '';
  const isQuestion = value.startsWith('? ');
  const message = `text that ${isColon && !isQuestion ? 'holds ": "' : `begins with ${value.slice(0, 1)}`} must stand in quotes`;
  if (/^\s+- /.test(value)) {
    const at = pos[0] + value.indexOf('-');
    return {
      range: [at, at + 1],
      message: 'an item of a list follows what is none: is the dash missing above?',
    };
  }
  // It may be a key whose value stands below.
  if (isColon && value.endsWith(':')) {
    return {
      range: [pos[0], pos[0] + value.length],
      message: 'a key stands on a line of its own, text that ends with a colon in quotes',
    };
  }
  if (/['"[\]{}#\\,]/.test(value)) return isColon ? undefined : { range: [pos[0], pos[1]], message };
  if (isColon && !isQuestion && !/:\s/.test(value)) return undefined;
  const range = [pos[0], pos[0] + value.length] as const;
  // `risk mode: off` may be two keys in one line: within quotes the second would be lost silently.
  if (/\s[a-z_]+:\s/.test(value)) return { range, message: `${message}, a key on a line of its own` };
  return goesOnBelow(text, pos[0])
    ? { range, message }
    : { range, message, replacement: JSON.stringify(value) };
}

/** Whether the next line is indented further than the one of this offset: what stands there is more than one line of text. */
function goesOnBelow(text: string, offset: number): boolean {
  const [line = '', ...below] = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n');
  const next = below.find((other) => /^ *[^ #\r]/.test(other)) ?? '';
  return next.search(/\S/) > line.search(/[^ -]/);
}

/** Why a text is not the list or mapping that is expected, as the end of a message; empty where the text does not tell. */
export function explainLostShape(text: unknown, expected: 'list' | 'mapping'): string {
  if (typeof text !== 'string') return '';
  if (expected === 'list') return /^-\S/.test(text) ? ': a blank is missing after the dash' : '';
  if (/^[\w.]+:\S/.test(text)) return ': a blank is missing after the colon';
  return /^[\w.]+\s*=/.test(text) ? ': a key takes a colon and a blank, not =' : '';
}
