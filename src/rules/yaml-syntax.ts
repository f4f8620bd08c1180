import { type Document, isCollection, isScalar, visit, type YAMLParseError } from 'yaml';

/** The one mistake that keeps a text from being YAML. */
export interface SyntaxFault {
  /** Offsets in the text: where it stands, and where it ends. */
  readonly range: readonly [number, number];
  readonly message: string;
  /** What would mend it, in place of the range. */
  readonly replacement?: string;
}

/** What an analyst did, where the parser says what it missed. */
const MESSAGES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second document begins here: a file holds one',
  TAB_AS_INDENT: 'a tab stands in the indentation: use spaces',
  MULTILINE_IMPLICIT_KEY: 'a key is expected here: is the colon missing, or the blank after it?',
  BLOCK_AS_IMPLICIT_KEY: 'this and what follows do not go together: is a line indented too far?',
  BLOCK_IN_FLOW: 'a comma is missing within { } or [ ]',
  BAD_ALIAS: 'an anchor or alias stands here, without a name: put text that begins with & or * in quotes',
};

/**
 * The first mistake alone: a parser that stumbles once goes on to complain of what follows from it, and nothing after
 * it can be trusted. Undefined for a text that is YAML.
 */
export function explainSyntaxError(document: Document.Parsed, text: string): SyntaxFault | undefined {
  const [error] = document.errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (!error) return undefined;
  return explainOpenEnd(document, error, text) ?? explainBareText(error, text) ?? explainByCode(error, text);
}

function explainByCode({ code, pos: [start, end], message }: YAMLParseError, text: string): SyntaxFault {
  const found = text.slice(start, end).trim();
  if (code === 'UNEXPECTED_TOKEN' && found !== '') {
    return { range: [start, end], message: `${found} is out of place here` };
  }
  if (message.startsWith('Sequence item')) {
    const indent = /^\s*/.exec(text.slice(start))?.[0].length ?? 0;
    const what = 'an item of a list is expected here, "- " at its front: is the indentation off?';
    return { range: [start + indent, start + indent + 1], message: what };
  }
  return { range: [start, end], message: MESSAGES[code] ?? message.split('\n', 1)[0] ?? message };
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
