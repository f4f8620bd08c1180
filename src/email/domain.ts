import ipaddr from 'ipaddr.js';
import { toUnicode } from 'tr46';
import type { Address, SyntaxFault } from '../provider-kit/index.ts';
import { isAscii, isAsciiDomainText, type Source } from './characters.ts';
import { skipCfws } from './comments-and-names.ts';
import { type Mapped, nameDomain } from './domain-name.ts';
import { type Refusal, refuse, unclean } from './faults.ts';

/** The part after the @. */
interface Domain {
  /** A lower-case A-label name without a final dot, or a literal in brackets. */
  readonly value: string;
  readonly kind: Address['domainKind'];
  /** The longer of its lengths as typed and as A-labels: it can be sent either way (RFC 6531, 3.7.1). */
  readonly octets: number;
}

/** Reads a domain from `from`, the index after the @, up to `to`. */
export function readDomain(
  source: Source,
  from: number,
  to: number,
  faults: SyntaxFault[],
): Domain | Refusal {
  const start = skipCfws(source, from, to, faults);
  if (typeof start !== 'number') return start;
  if (start >= to) return refuse('empty_domain', from + source.offset);
  if (source.characters[start] === '[') return readDomainLiteral(source, start, to, faults);

  const typed = collect(source, start, to, faults);
  if ('refusal' in typed) return typed;
  if (typed.mapped.length === 0) return refuse('empty_domain', from + source.offset);
  const name = nameDomain(typed.mapped, faults);
  if ('refusal' in name) return name;
  const octets = Math.max(name.value.length, Buffer.byteLength(typed.text));
  return { value: name.value, kind: name.isDotless ? 'dotless' : 'name', octets };
}

interface Typed {
  /** As typed, without comments and spaces. */
  readonly text: string;
  /** After the mapping of UTS 46, each code point with the position it comes from. */
  readonly mapped: readonly Mapped[];
}

function collect(source: Source, from: number, to: number, faults: SyntaxFault[]): Typed | Refusal {
  const { characters, offset } = source;
  const mapped: Mapped[] = [];
  let text = '';
  let hasGap = false;
  let index = from;
  while (index < to) {
    const typed = characters[index] ?? '';
    if (typed === ' ' || typed === '(') {
      const after = skipCfws(source, index, to, faults);
      if (typeof after !== 'number') return after;
      index = after;
      hasGap = true;
      continue;
    }
    const position = index + offset;
    if (typed === '@') return refuse('second_at', position);
    const before = mapped.length;
    const becomes = mapCharacter(typed);
    if (becomes === null) return refuseText('domain_character', source, index, to);
    for (const character of becomes) mapped.push({ character, position });
    if (becomes === '') faults.push(unclean('invisible_character', position));
    if (typed === '_') faults.push(unclean('underscore', position));
    // Spaces and comments may stand around dots only (RFC 5322, 4.4: obs-domain).
    if (hasGap && before > 0 && mapped[before - 1]?.character !== '.' && becomes !== '.') {
      return refuseText('broken_domain', source, index, to);
    }
    hasGap = false;
    text += typed;
    index++;
  }
  return { text, mapped };
}

/**
 * One code point after the mapping of UTS 46 (lower case, compatibility forms, the other full stops; nothing for
 * those that are to be ignored); null where no domain can have it. Mapped behind a digit, because alone a
 * combining mark would count as an error.
 */
function mapCharacter(typed: string): string | null {
  if (isAscii(typed)) return isAsciiDomainText(typed) ? typed.toLowerCase() : null;
  const { domain, error } = toUnicode(`1${typed}`);
  const characters = domain.slice(1);
  const canBe = (character: string) => !isAscii(character) || isAsciiDomainText(character);
  return !error && [...characters].every(canBe) ? characters : null;
}

/** `a@x.org, b@x.org`: that there are two addresses says more than that a comma cannot stand here. */
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
function readDomainLiteral(
  source: Source,
  from: number,
  to: number,
  faults: SyntaxFault[],
): Domain | Refusal {
  const { characters, offset } = source;
  const close = characters.indexOf(']', from);
  if (close === -1 || close >= to) return refuse('unclosed_literal', from + offset);
  const content = characters
    .slice(from + 1, close)
    .join('')
    .toLowerCase();
  const value = literalValue(content);
  if (value === null) return refuse('literal_address', from + 1 + offset);
  faults.push(unclean('domain_literal', from + offset));
  const after = skipCfws(source, close + 1, to, faults);
  if (typeof after !== 'number') return after;
  if (after < to) return refuse('domain_character', after + offset);
  return { value, kind: 'literal', octets: Math.max(value.length, content.length + 2) };
}

function literalValue(content: string): string | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(content)) return `[${ipaddr.IPv4.parse(content).toString()}]`;
  if (!content.startsWith('ipv6:')) return null;
  const address = content.slice('ipv6:'.length);
  // A zone (`%eth0`) has a meaning on one host only (RFC 4007, 11.2).
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return null;
  return `[ipv6:${ipaddr.IPv6.parse(inHexadecimal(address)).toRFC5952String()}]`;
}

/** `::1.2.3.4` as `::102:304` (RFC 4291, 2.2): the parser takes the former, a deprecated form, for `::ffff:1.2.3.4`, another host. */
function inHexadecimal(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...octets: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}
