import { toASCII, toUnicode } from 'tr46';
import type { SyntaxFault } from '../provider-kit/index.ts';
import { isAscii } from './characters.ts';
import { type Refusal, refuse, unclean } from './faults.ts';

/** A code point of a domain after mapping, and where in the submitted string it comes from. */
export interface Mapped {
  readonly character: string;
  readonly position: number;
}

/** RFC 1035, 2.3.4. */
const MAX_LABEL_OCTETS = 63;
/** RFC 1035, 2.3.4: 255 octets on the wire, two of which the written form does not show. */
const MAX_NAME_OCTETS = 253;

interface Label {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Makes the A-label name. Hyphens, underscores and numbers out of place are unclean: DNS could carry such names. */
export function nameDomain(mapped: readonly Mapped[], faults: SyntaxFault[]) {
  const labels = split(mapped);
  const last = labels.at(-1);
  if (labels.length > 1 && last?.text === '') {
    labels.pop();
    faults.push(unclean('misplaced_dot', last.start));
  }

  const names: string[] = [];
  for (const label of labels) {
    if (label.text === '') return refuse('empty_label', label.start);
    const name = nameLabel(label, faults);
    if (typeof name !== 'string') return name;
    if (name.length > MAX_LABEL_OCTETS) return refuse('label_too_long', label.start);
    names.push(name);
  }

  const start = labels[0]?.start ?? 0;
  const value = names.join('.');
  if (value.length > MAX_NAME_OCTETS) return refuse('domain_too_long', start);
  if (/(?:^|\.)xn--/.test(value) && isBidiTrouble(value)) faults.push(unclean('bidi_domain', start));
  const isDotless = names.length === 1;
  const top = labels.at(-1);
  if (isDotless) faults.push(unclean('dotless_domain', start));
  // RFC 3696, 2: top-level domains are never all-numeric, so that a name cannot be taken for an IPv4 address.
  else if (top !== undefined && /^[0-9]+$/.test(top.text)) faults.push(unclean('numeric_tld', top.start));
  return { value, isDotless };
}

/** The labels; of an empty one, `start` is the dot that should have followed it, or that ends the name. */
function split(mapped: readonly Mapped[]): Label[] {
  const labels: Label[] = [];
  let text = '';
  let start: number | null = null;
  let end = 0;
  for (const { character, position } of mapped) {
    if (character === '.') {
      labels.push({ text: text.normalize('NFC'), start: start ?? position, end });
      text = '';
      start = null;
    } else {
      text += character;
      start ??= position;
    }
    end = position;
  }
  labels.push({ text: text.normalize('NFC'), start: start ?? end, end });
  return labels;
}

function nameLabel(label: Label, faults: SyntaxFault[]): string | Refusal {
  const { text, start, end } = label;
  if (text.startsWith('-')) faults.push(unclean('misplaced_hyphen', start));
  else if (text.endsWith('-')) faults.push(unclean('misplaced_hyphen', end));
  const isEncoded = text.startsWith('xn--');
  // RFC 5891, 4.2.3.1.
  if (!isEncoded && text.startsWith('--', 2)) faults.push(unclean('reserved_hyphens', start));

  if (isAscii(text)) {
    if (isEncoded && toASCII(text, { checkJoiners: true }) === null) {
      faults.push(unclean('invalid_a_label', start));
    } else if (isEncoded && !isOfIdna2008(toUnicode(text).domain)) {
      faults.push(unclean('not_idna2008', start));
    }
    return text;
  }

  // Some scripts are written with joiners (RFC 5892, appendix A); where they join nothing they only hide.
  const isJoined = toASCII(text, { checkJoiners: true }) !== null;
  const shown = isJoined ? text : text.replaceAll(/[\u200c\u200d]/g, '').normalize('NFC');
  if (shown === '') return refuse('empty_label', start);
  const name = toASCII(shown);
  if (name === null) return refuse('idn_label', start);
  if (!isJoined || !isOfIdna2008(text)) faults.push(unclean('not_idna2008', start));
  return name;
}

/** RFC 5893, 2; judged over the whole name, because one right-to-left label binds the others. */
function isBidiTrouble(value: string): boolean {
  return toUnicode(value, { checkBidi: true }).error && !toUnicode(value).error;
}

/**
 * RFC 5892, 2: letters, digits and marks, and the exceptions of 2.6 that are valid or depend on context. UTS 46
 * also takes symbols; registries that follow ICANN do not.
 */
function isOfIdna2008(label: string): boolean {
  return /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\-_\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb\u200c\u200d]*$/u.test(
    label,
  );
}
