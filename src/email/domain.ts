import { toUnicode } from 'tr46';
import type { Address, SyntaxFault } from '../provider-kit/index.ts';
import { AT, isAsciiDomainText, OPEN_PAREN, OPEN_SQUARE, SPACE, UNDERSCORE } from './characters.ts';
import { skipCfws } from './comment.ts';
import { readDomainLiteral } from './domain-literal.ts';
import { type Mapped, nameDomain } from './domain-name.ts';
import { type Refusal, refuse, unclean } from './faults.ts';
import type { Source } from './source.ts';

/** The part after the @. */
export interface Domain {
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
  if (source.codes[start] === OPEN_SQUARE) return readDomainLiteral(source, start, to, faults);

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
  const { codes, offset } = source;
  const mapped: Mapped[] = [];
  let text = '';
  let hasGap = false;
  let index = from;
  while (index < to) {
    const code = codes[index] ?? 0;
    if (code === SPACE || code === OPEN_PAREN) {
      const after = skipCfws(source, index, to, faults);
      if (typeof after !== 'number') return after;
      index = after;
      hasGap = true;
      continue;
    }
    const position = index + offset;
    if (code === AT) return refuse('second_at', position);
    const before = mapped.length;
    const characters = mapCharacter(code);
    if (characters === null) return refuseText('domain_character', source, index, to);
    for (const character of characters) mapped.push({ character, position });
    if (characters === '') faults.push(unclean('invisible_character', position));
    if (code === UNDERSCORE) faults.push(unclean('underscore', position));
    // Spaces and comments may stand around dots only (RFC 5322, 4.4: obs-domain).
    if (hasGap && before > 0 && mapped[before - 1]?.character !== '.' && characters !== '.') {
      return refuseText('broken_domain', source, index, to);
    }
    hasGap = false;
    text += String.fromCodePoint(code);
    index++;
  }
  return { text, mapped };
}

/**
 * One code point after the mapping of UTS 46 (lower case, compatibility forms, the other full stops; nothing for
 * those that are to be ignored); null where no domain can have it. Mapped behind a digit, because alone a
 * combining mark would count as an error.
 */
function mapCharacter(code: number): string | null {
  if (code < 0x80) return isAsciiDomainText(code) ? String.fromCharCode(code).toLowerCase() : null;
  const { domain, error } = toUnicode(`1${String.fromCodePoint(code)}`);
  const characters = domain.slice(1);
  if (error) return null;
  for (let i = 0; i < characters.length; i++) {
    const unit = characters.charCodeAt(i);
    if (unit < 0x80 && !isAsciiDomainText(unit)) return null;
  }
  return characters;
}

/** `a@x.org, b@x.org`: that there are two addresses says more than that a comma cannot stand here. */
function refuseText(
  code: 'domain_character' | 'broken_domain',
  source: Source,
  index: number,
  to: number,
): Refusal {
  const at = source.codes.indexOf(AT, index);
  return at !== -1 && at < to ? refuse('second_at', at + source.offset) : refuse(code, index + source.offset);
}
