import { isIgnorable, type Source, unsafety } from './characters.ts';
import { type Refusal, refuse, unclean } from './faults.ts';

/**
 * Skips comments, white space (RFC 5322, 3.2.2: CFWS) and invisible characters from `from`, and returns the index after them. Comments
 * nest; a counter follows them, not the stack.
 */
export function skipCfws(source: Source, from: number, to: number): number | Refusal {
  const { characters, offset, faults } = source;
  let index = from;
  while (index < to) {
    const character = characters[index] ?? '';
    if (isIgnorable(character)) {
      faults.push(unclean(unsafety(character) ?? 'invisible_character', index + offset));
      index++;
    } else if (character === ' ') {
      faults.push(unclean('white_space', index + offset));
      while (index < to && characters[index] === ' ') index++;
    } else if (character === '(') {
      const after = endOfComment(characters, index, to);
      if (after === null) return refuse('unclosed_comment', index + offset);
      faults.push(unclean('comment', index + offset));
      index = after;
    } else {
      break;
    }
  }
  return index;
}

/** The index after the comment that opens at `from`; null when it does not end before `to`. */
function endOfComment(characters: readonly string[], from: number, to: number): number | null {
  let depth = 0;
  for (let index = from; index < to; index++) {
    const character = characters[index];
    if (character === '\\') index++;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return index + 1;
  }
  return null;
}

/**
 * Finds the span of the address itself in `Name <address>` (RFC 5322, 3.4), as it is copied from a mail program. The name may hold anything
 * but another address: two addresses are refused.
 */
export function unwrapDisplayName(source: Source) {
  const { characters, offset, faults } = source;
  const end = characters.length;
  const open = findOutsideQuotes(characters, '<', 0);
  if (open === null) return { from: 0, to: end };
  const close = findOutsideQuotes(characters, '>', open + 1);
  if (close === null) return refuse('unclosed_angle', open + offset);
  const at = findOutsideQuotes(characters, '@', 0);
  if (at !== null && at < open) {
    const second = findOutsideQuotes(characters, '@', at + 1);
    return second === null ? refuse('text_after_angle', open + offset) : refuse('second_at', second + offset);
  }
  faults.push(unclean('display_name', offset));
  const after = skipCfws(source, close + 1, end);
  if (typeof after !== 'number') return after;
  return after < end ? refuse('text_after_angle', after + offset) : { from: open + 1, to: close };
}

/** The first `wanted` that stands in no quoted string and no comment; null too when one of these does not end. */
function findOutsideQuotes(characters: readonly string[], wanted: string, from: number): number | null {
  let index = from;
  while (index < characters.length) {
    const character = characters[index];
    if (character === wanted) return index;
    let after: number | null = index + 1;
    if (character === '"') after = endOfQuotes(characters, index);
    else if (character === '(') after = endOfComment(characters, index, characters.length);
    if (after === null) return null;
    index = after;
  }
  return null;
}

function endOfQuotes(characters: readonly string[], from: number): number | null {
  for (let index = from + 1; index < characters.length; index++) {
    if (characters[index] === '\\') index++;
    else if (characters[index] === '"') return index + 1;
  }
  return null;
}
