import { isIPv4, isIPv6 } from 'node:net';
import { toUnicode } from 'tr46';
import type { Address } from '../provider-kit/index.ts';
import { isAscii, isAsciiDomainText, isHidden, type Source, unsafety, withoutHidden } from './characters.ts';
import { skipCfws } from './comments-and-names.ts';
import { type Mapped, nameDomain } from './domain-name.ts';
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
  // URLs know the short form, and that the deprecated `::1.2.3.4` is not `::ffff:1.2.3.4`, another host.
  return new URL(`http://[${address}]`).hostname.replace('[', '[ipv6:');
}
