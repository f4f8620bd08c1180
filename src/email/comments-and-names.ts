import type { SyntaxFault } from '../provider-kit/index.ts';
import type { Source } from './characters.ts';
import {
  AT,
  BACKSLASH,
  CLOSE_ANGLE,
  CLOSE_PAREN,
  OPEN_ANGLE,
  OPEN_PAREN,
  QUOTE,
  SPACE,
} from './characters.ts';
import { type Refusal, refuse, unclean } from './faults.ts';

/**
 * Skips comments and white space (RFC 5322, 3.2.2: CFWS) from `from`, and answers the index after them.
 * Comments nest, and a counter follows them, not the stack.
 */
export function skipCfws(source: Source, from: number, to: number, faults: SyntaxFault[]): number | Refusal {
  let index = from;
  while (index < to) {
    const code = source.codes[index];
    if (code === SPACE) {
      faults.push(unclean('white_space', index + source.offset));
      while (index < to && source.codes[index] === SPACE) index++;
    } else if (code === OPEN_PAREN) {
      const after = endOfComment(source.codes, index, to);
      if (after === null) return refuse('unclosed_comment', index + source.offset);
      faults.push(unclean('comment', index + source.offset));
      index = after;
    } else {
      break;
    }
  }
  return index;
}

/** The index after the comment that opens at `from`; null when it does not end before `to`. */
function endOfComment(codes: readonly number[], from: number, to: number): number | null {
  let depth = 0;
  for (let index = from; index < to; index++) {
    const code = codes[index];
    if (code === BACKSLASH) index++;
    else if (code === OPEN_PAREN) depth++;
    else if (code === CLOSE_PAREN && --depth === 0) return index + 1;
  }
  return null;
}

/** From where to where the address itself reaches. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the address in `Name <address>` (RFC 5322, 3.4), as it is copied from a mail program. The name may hold
 * anything but another address: that would be two.
 */
export function unwrapDisplayName(source: Source, faults: SyntaxFault[]): Span | Refusal {
  const { codes, offset } = source;
  const end = codes.length;
  const open = findOutsideQuotes(codes, OPEN_ANGLE, 0);
  if (open === null) return { from: 0, to: end };
  const close = findOutsideQuotes(codes, CLOSE_ANGLE, open + 1);
  if (close === null) return refuse('unclosed_angle', open + offset);
  const at = findOutsideQuotes(codes, AT, 0);
  if (at !== null && at < open) return refuse('second_at', at + offset);
  faults.push(unclean('display_name', offset));
  const after = skipCfws(source, close + 1, end, faults);
  if (typeof after !== 'number') return after;
  return after < end ? refuse('text_after_angle', after + offset) : { from: open + 1, to: close };
}

/** The first `wanted` that stands in no quoted string and no comment; null too when one of these does not end. */
function findOutsideQuotes(codes: readonly number[], wanted: number, from: number): number | null {
  let index = from;
  while (index < codes.length) {
    const code = codes[index];
    if (code === wanted) return index;
    let after: number | null = index + 1;
    if (code === QUOTE) after = endOfQuotes(codes, index);
    else if (code === OPEN_PAREN) after = endOfComment(codes, index, codes.length);
    if (after === null) return null;
    index = after;
  }
  return null;
}

function endOfQuotes(codes: readonly number[], from: number): number | null {
  for (let index = from + 1; index < codes.length; index++) {
    if (codes[index] === BACKSLASH) index++;
    else if (codes[index] === QUOTE) return index + 1;
  }
  return null;
}
