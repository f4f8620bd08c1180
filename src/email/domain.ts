import { isIPv4, isIPv6 } from 'node:net';
import { toASCII, toUnicode } from 'tr46';
import type { Address, SyntaxFault } from '../provider-kit/index.ts';
import { isAscii, isAsciiDomainText, isHidden, type Source, unsafety, withoutHidden } from './characters.ts';
import { skipCfws } from './comments-and-names.ts';
import { type Refusal, refuse, unclean } from './faults.ts';

interface Domain {
  /** A lower-case A-label name without a final dot, or a literal in brackets. */
  readonly value: string;
  readonly kind: Address['domainKind'];
  /** The longer of its lengths as typed and as A-labels: it can be sent either way (RFC 6531, 3.7.1). */
  readonly octets: number;
}

/** Reads a domain from `from`, the index after the @, up to `to`. */
export function readDomain(source: Source, from: number, to: number): Domain | Refusal {
  const start = skipCfws(source, from, to);
  if (typeof start !== 'number') return start;
  if (start >= to) return refuse('empty_domain', from + source.offset);
  if (source.characters[start] === '[') return readDomainLiteral(source, start, to);

  const typed = collect(source, start, to);
  if ('refusal' in typed) return typed;
  if (typed.mapped.length === 0) return refuse('empty_domain', from + source.offset);
  const name = nameDomain(typed.mapped, source.faults);
  if ('refusal' in name) return name;
  const octets = Math.max(name.value.length, Buffer.byteLength(typed.text));
  return { value: name.value, kind: name.isDotless ? 'dotless' : 'name', octets };
}

/** `text`: as typed, without comments and spaces; `mapped`: after the mapping of UTS 46, each code point with the position it comes from. */
function collect(source: Source, from: number, to: number) {
  const { characters, offset, faults } = source;
  const mapped: Mapped[] = [];
  let text = '';
  let hasGap = false;
  let index = from;
  while (index < to) {
    const typed = characters[index] ?? '';
    if (typed === ' ' || typed === '(') {
      const after = skipCfws(source, index, to);
      if (typeof after !== 'number') return after;
      index = after;
      hasGap = true;
      continue;
    }
    const position = index + offset;
    if (typed === '@') return refuse('second_at', position);
    const before = mapped.length;
    const becomes = isHidden(typed) ? '' : mapCharacter(typed);
    if (becomes === null) return refuseText('domain_character', source, index, to);
    if (becomes === '') {
      faults.push(unclean(unsafety(typed) ?? 'invisible_character', position));
    } else {
      for (const character of becomes) mapped.push({ character, position });
      if (typed === '_') faults.push(unclean('underscore', position));
      // Spaces and comments may stand around dots only (RFC 5322, 4.4: obs-domain).
      if (hasGap && before > 0 && mapped[before - 1]?.character !== '.' && becomes !== '.') {
        return refuseText('broken_domain', source, index, to);
      }
      hasGap = false;
    }
    text += typed;
    index++;
  }
  return { text, mapped };
}

/**
 * One code point after the mapping of UTS 46 (lower case, compatibility forms, the other full stops; an empty text for ignored ones); null
 * where no domain can have it. Mapped behind a digit, because alone a combining mark would count as an error.
 */
function mapCharacter(typed: string): string | null {
  if (isAscii(typed)) return isAsciiDomainText(typed) ? typed.toLowerCase() : null;
  const { domain, error } = toUnicode(`1${typed}`);
  const characters = domain.slice(1);
  const canBe = (character: string) => !isAscii(character) || isAsciiDomainText(character);
  return !error && [...characters].every(canBe) ? characters : null;
}

/** Reports a second @ first: for `a@x.org, b@x.org` it says more than that a comma cannot stand here. */
function refuseText(
  code: 'domain_character' | 'broken_domain',
  source: Source,
  index: number,
  to: number,
): Refusal {
  const at = source.characters.indexOf('@', index);
  return at !== -1 && at < to ? refuse('second_at', at + source.offset) : refuse(code, index + source.offset);
}

/**
 * Reads `[192.0.2.1]` and `[IPv6:2001:db8::1]` (RFC 5321, 4.1.3). The value is in lower case with the IPv6 address
 * in its one short form (RFC 5952), so that one host has one spelling. Other tags are not registered.
 */
function readDomainLiteral(source: Source, from: number, to: number): Domain | Refusal {
  const { characters, offset, faults } = source;
  const close = characters.indexOf(']', from);
  if (close === -1 || close >= to) return refuse('unclosed_literal', from + offset);
  const content = withoutHidden(characters.slice(from + 1, close).join('')).toLowerCase();
  const value = literalValue(content);
  if (value === null) return refuse('literal_address', from + 1 + offset);
  faults.push(unclean('domain_literal', from + offset));
  const after = skipCfws(source, close + 1, to);
  if (typeof after !== 'number') return after;
  if (after < to) return refuse('domain_character', after + offset);
  return { value, kind: 'literal', octets: Math.max(value.length, content.length + 2) };
}

function literalValue(content: string): string | null {
  if (isIPv4(content)) return `[${content}]`;
  const address = content.startsWith('ipv6:') ? content.slice('ipv6:'.length) : '';
  // A zone (`%eth0`) has a meaning on one host only (RFC 4007, 11.2).
  if (!isIPv6(address) || address.includes('%')) return null;
  // URL writes the short form, and knows that the deprecated `::1.2.3.4` is another host than `::ffff:1.2.3.4`.
  return new URL(`http://[${address}]`).hostname.replace('[', '[ipv6:');
}

/** A code point of a domain after mapping, and where in the submitted string it comes from. */
interface Mapped {
  readonly character: string;
  readonly position: number;
}

/** RFC 1035, 2.3.4. */
const MAX_LABEL_OCTETS = 63;
/** RFC 1035, 2.3.4: 255 octets on the wire, two of which the written form does not show. */
const MAX_NAME_OCTETS = 253;

/** Makes the A-label name. Hyphens, underscores and numbers out of place are unclean: DNS could carry such names. */
function nameDomain(mapped: readonly Mapped[], faults: SyntaxFault[]) {
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

/** The labels. The `start` of an empty label is that of the dot after it, or of the dot that ends the name. */
function split(mapped: readonly Mapped[]) {
  const dots = mapped.flatMap(({ character }, index) => (character === '.' ? [index] : []));
  return [...dots, mapped.length].map((dot, index) => {
    const label = mapped.slice(index === 0 ? 0 : (dots[index - 1] ?? 0) + 1, dot);
    const text = label.map(({ character }) => character).join('');
    const start = (label[0] ?? mapped[dot] ?? mapped.at(-1))?.position ?? 0;
    return { text: text.normalize('NFC'), start, end: label.at(-1)?.position ?? start };
  });
}

type Label = ReturnType<typeof split>[number];

function nameLabel({ text, start, end }: Label, faults: SyntaxFault[]): string | Refusal {
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

  // Some scripts need joiners (RFC 5892, appendix A); elsewhere joiners join nothing and only hide.
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
 * also takes symbols; registries that follow ICANN do not. The folded form of Cherokee is its capitals.
 */
const VALID =
  /[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u13a0-\u13f5\-_\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb\u200c\u200d]/v;
/** The exceptions of 2.6 that are disallowed, the blocks of 2.4, and the letters of old Hangul, 2.9. */
const DISALLOWED =
  /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u20d0-\u20ff\u{1d100}-\u{1d24f}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/v;
const OF_IDNA_2008 = new RegExp(`^[${VALID.source}--${DISALLOWED.source}]*$`, 'v');

function isOfIdna2008(label: string): boolean {
  return OF_IDNA_2008.test(label);
}
