import { type Document, isCollection, isScalar, visit, type YAMLParseError } from 'yaml';

/** The one mistake that keeps a text from being YAML. */
export interface SyntaxFault {
  /** Offsets in the text: where it stands, and where it ends. */
  readonly range: readonly [number, number];
  readonly message: string;
  /** What would mend it, in place of the range. */
  readonly replacement?: string;
}

/** What somebody did, where the parser says what it missed. */
const MESSAGES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second document begins here: a file holds one',
  BAD_INDENT: 'this line does not stand under those above it: is the indentation off?',
  TAB_AS_INDENT: 'a tab stands in the indentation: use spaces',
  MULTILINE_IMPLICIT_KEY: 'a key is expected here: is the colon missing, or the blank after it?',
  BLOCK_AS_IMPLICIT_KEY: 'this and what follows do not go together: is a line indented too far?',
  BLOCK_IN_FLOW: 'a comma is missing within { } or [ ]',
  KEY_OVER_1024_CHARS: 'a key has at most 1024 characters: is a colon or a quote missing before?',
  BAD_ALIAS: 'an anchor or alias stands here, without a name: put text that begins with & or * in quotes',
};

/** The same for a character that is missing, by what the parser says of it. */
const MISSING: readonly (readonly [parser: string, message: string])[] = [
  ['Comments', 'a blank is missing before the #, with which a comment begins'],
  ['Missing ,', 'a comma is missing before this'],
  ['Missing directives-end', 'a line that begins with % is a directive: none is taken'],
];

/**
 * The first mistake alone: a parser that stumbles once goes on to complain of what follows from it, and nothing after
 * it can be trusted. Undefined for a text that is YAML, be it one in which a key stands twice.
 */
export function explainSyntaxError(document: Document.Parsed, text: string): SyntaxFault | undefined {
  const [error] = document.errors
    .filter(({ code }) => code !== 'DUPLICATE_KEY')
    .toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (!error) return undefined;
  return explainOpenEnd(document, error, text) ?? explainBareText(error, text) ?? explainByCode(error, text);
}

function explainByCode({ code, pos: [start, end], message }: YAMLParseError, text: string): SyntaxFault {
  const found = text.slice(start, end).trim();
  if (code === 'UNEXPECTED_TOKEN' && found !== '') {
    return { range: [start, end], message: explainToken(found, text.slice(0, start).trimEnd().at(-1)) };
  }
  if (code === 'BAD_DQ_ESCAPE') {
    const what = text.slice(start, start + 2);
    const message = `${what} means nothing within double quotes: write \\${what}, or use single quotes`;
    return { range: [start, start + 2], message };
  }
  if (message.startsWith('Sequence item')) {
    const indent = /^\s*/.exec(text.slice(start))?.[0].length ?? 0;
    const what = 'an item of a list is expected here, "- " at its front: is the indentation off?';
    return { range: [start + indent, start + indent + 1], message: what };
  }
  const known = MESSAGES[code] ?? MISSING.find(([parser]) => message.startsWith(parser))?.[1];
  return { range: [start, end], message: known ?? message.split('\n', 1)[0] ?? message };
}

/** `'it's'` is over before the s. */
function explainToken(found: string, before: string | undefined): string {
  if (before !== "'" && before !== '"') return `${found} is out of place here`;
  return `the text is over at the quote before ${found}: write ${before === "'" ? "''" : '\\"'} for a ${before} within it`;
}

/** The parser notices at the end of the text that a quote or bracket was left open; the mistake is where it opens. */
function explainOpenEnd(
  document: Document.Parsed,
  { code, pos, message }: YAMLParseError,
  text: string,
): SyntaxFault | undefined {
  const isQuote = code === 'MISSING_CHAR' && message.includes('closing');
  const isBracket = code === 'BAD_INDENT' && message.startsWith('Flow');
  if (!isQuote && !isBracket) return undefined;
  let opening: number | undefined;
  visit(document, {
    Node(_key, node) {
      const [start, end] = node.range ?? [0, 0];
      if (start > pos[0]) return;
      const first = text[start] ?? '';
      const closing = isQuote && isScalar(node) ? first : isBracket && isCollection(node) ? PAIRS[first] : '';
      // The innermost: an outer one is open because this one is.
      if (closing && !(end - start > 1 && text.slice(start, end).trimEnd().endsWith(closing)))
        opening = start;
    },
  });
  if (opening === undefined) return undefined;
  return { range: [opening, opening + 1], message: `this ${text[opening]} is never closed` };
}

const PAIRS: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** `description: Note: this` is a mapping within a line to the parser; `@` at the front of a text is kept for later. */
function explainBareText({ code, pos }: YAMLParseError, text: string): SyntaxFault | undefined {
  const isColon = code === 'BLOCK_AS_IMPLICIT_KEY';
  if (!isColon && code !== 'BAD_SCALAR_START') return undefined;
  const value = /^[^\n\r]*/.exec(text.slice(pos[0]))?.[0].trimEnd() ?? '';
  const message = `text that ${isColon ? 'holds ": "' : `begins with ${value.slice(0, 1)}`} must stand in quotes`;
  if (/['"[\]{}#\\,]/.test(value)) return isColon ? undefined : { range: [pos[0], pos[1]], message };
  if (isColon && !/:\s/.test(value)) return undefined;
  return { range: [pos[0], pos[0] + value.length], message, replacement: JSON.stringify(value) };
}
