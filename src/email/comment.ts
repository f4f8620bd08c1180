import type { SyntaxFault } from '../provider-kit/index.ts';
import { BACKSLASH, CLOSE_PAREN, OPEN_PAREN, SPACE } from './characters.ts';
import { type Refusal, refuse, unclean } from './faults.ts';
import type { Source } from './source.ts';

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
export function endOfComment(codes: readonly number[], from: number, to: number): number | null {
  let depth = 0;
  for (let index = from; index < to; index++) {
    const code = codes[index];
    if (code === BACKSLASH) index++;
    else if (code === OPEN_PAREN) depth++;
    else if (code === CLOSE_PAREN && --depth === 0) return index + 1;
  }
  return null;
}
