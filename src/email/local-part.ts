import { isAtext, isCombiningMark, isIgnorable, type Source, unsafety } from './characters.ts';
import { skipCfws } from './comments-and-names.ts';
import { refuse, unclean } from './faults.ts';

/** RFC 5321, 4.5.3.1.1. */
const MAX_LOCAL_PART_OCTETS = 64;

/** What was read last. A word may begin after `nothing` or `dot`; after an atom or a quoted string only a dot may follow. */
type Last = 'nothing' | 'dot' | 'atom' | 'quoted' | 'atom_and_gap';

/**
 * Reads `word *("." word)` with comments and spaces between, as RFC 5322 and its obsolete forms have it
 * (3.4.1, 4.4), and lets dots stand out of place: some mailboxes really have them. `value` is without quotes, comments, spaces and
 * characters that show nothing; `octets` is the length as it would be sent, quotes included; `end` is the index of the @.
 */
export function readLocalPart(source: Source, from: number, to: number) {
  const { characters, offset, faults } = source;
  let value = '';
  let sent = '';
  let last: Last = 'nothing';
  let first: number | null = null;
  /** The index of a dot that no word has followed yet, unless it is reported already. */
  let openDot: number | null = null;
  let index = from;

  for (;;) {
    const character = characters[index];
    if (index >= to || character === undefined) return refuse('no_at', index + offset);
    if (character === '@') break;
    if (character === ' ' || character === '(') {
      const after = skipCfws(source, index, to);
      if (typeof after !== 'number') return after;
      index = after;
      if (last === 'atom') last = 'atom_and_gap';
      continue;
    }
    first ??= index;
    if (character === '.') {
      const isMisplaced = last === 'nothing' || last === 'dot';
      // A row of dots is reported once.
      const isFirst = last === 'nothing' || openDot !== null;
      if (isMisplaced && isFirst) faults.push(unclean('misplaced_dot', index + offset));
      openDot = isMisplaced ? null : index;
      value += '.';
      sent += '.';
      last = 'dot';
      index++;
    } else if (character === '"') {
      if (last !== 'nothing' && last !== 'dot') return refuse('misplaced_quote', index + offset);
      faults.push(unclean('quoted_local_part', index + offset));
      const quoted = readQuotedString(source, index, to, value === '');
      if ('refusal' in quoted) return quoted;
      value += quoted.value;
      sent += quoted.sent;
      last = 'quoted';
      index = quoted.end;
    } else if (isAtext(character)) {
      const shown = shownOf(source, index, value === '');
      if (shown !== '') {
        if (last === 'quoted') return refuse('misplaced_quote', index + offset);
        if (last === 'atom_and_gap') return refuse('broken_local_part', index + offset);
        last = 'atom';
      }
      value += shown;
      sent += character;
      index++;
    } else {
      return refuse('local_character', index + offset);
    }
  }

  if (value === '') return refuse('empty_local_part', index + offset);
  if (last === 'dot' && openDot !== null) faults.push(unclean('misplaced_dot', openDot + offset));
  // NFC can be longer or shorter than the typed form; neither may pass the limit.
  const octets = Math.max(Buffer.byteLength(sent), Buffer.byteLength(sent.normalize('NFC')));
  if (octets > MAX_LOCAL_PART_OCTETS) {
    faults.push(unclean('local_part_too_long', (first ?? from) + offset));
  }
  return { value: value.normalize('NFC'), octets, end: index };
}

/** RFC 5322, 3.2.4: a backslash makes the next character plain. */
function readQuotedString(source: Source, from: number, to: number, isFirstWord: boolean) {
  let value = '';
  let sent = '"';
  for (let index = from + 1; index < to; index++) {
    let character = source.characters[index] ?? '';
    if (character === '"') return { value, sent: `${sent}"`, end: index + 1 };
    if (character === '\\') {
      index++;
      if (index >= to) break;
      character = source.characters[index] ?? '';
      sent += '\\';
    }
    value += shownOf(source, index, isFirstWord && value === '');
    sent += character;
  }
  return refuse('unclosed_quote', from + source.offset);
}

/** The character, or an empty text for an invisible one. Its fault is recorded. */
function shownOf({ characters, offset, faults }: Source, index: number, isFirst: boolean): string {
  const character = characters[index] ?? '';
  const fault = unsafety(character) ?? (isFirst && isCombiningMark(character) ? 'leading_mark' : null);
  if (fault !== null) faults.push(unclean(fault, index + offset));
  return isIgnorable(character) ? '' : character;
}
