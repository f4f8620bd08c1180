import type { SyntaxFault } from '../provider-kit/index.ts';

/**
 * The closed list of what can be wrong with an address. `unparseable` refuses it (422); `unclean` is answered
 * with `valid_format: false`. `docs/addresses.md` holds the same rows; a test keeps the two equal.
 */
export const FAULTS = {
  empty: { grade: 'unparseable', message: 'Enter an email address.' },
  too_long: { grade: 'unparseable', message: 'This is far too long for an email address.' },
  control_character: {
    grade: 'unparseable',
    message: 'There is an invisible control character, such as a tab or a line break, in the address.',
  },
  lone_surrogate: { grade: 'unparseable', message: 'There is a broken character in the address.' },
  no_at: { grade: 'unparseable', message: 'An email address needs an @ sign.' },
  lookalike_at: {
    grade: 'unparseable',
    message: 'This sign only looks like an @; type the ordinary @ instead.',
  },
  second_at: {
    grade: 'unparseable',
    message: 'Enter one address only; there is more than one @ sign.',
  },
  unclosed_angle: {
    grade: 'unparseable',
    message: 'The < that opens here is not closed by a >; enter just the address.',
  },
  text_after_angle: {
    grade: 'unparseable',
    message: 'There is something after the address; enter just the address.',
  },
  empty_local_part: { grade: 'unparseable', message: 'There is nothing before the @ sign.' },
  local_character: {
    grade: 'unparseable',
    message: 'This character cannot stand in the part before the @ sign.',
  },
  broken_local_part: {
    grade: 'unparseable',
    message: 'There is a space in the middle of the part before the @ sign.',
  },
  misplaced_quote: {
    grade: 'unparseable',
    message: 'There is a quotation mark in the wrong place before the @ sign.',
  },
  unclosed_quote: { grade: 'unparseable', message: 'The quotation mark that opens here is not closed.' },
  unclosed_comment: { grade: 'unparseable', message: 'The bracket that opens here is not closed.' },
  empty_domain: { grade: 'unparseable', message: 'There is nothing after the @ sign.' },
  domain_character: {
    grade: 'unparseable',
    message: 'This character cannot stand in the part after the @ sign.',
  },
  broken_domain: {
    grade: 'unparseable',
    message: 'There is a space in the middle of the part after the @ sign.',
  },
  empty_label: {
    grade: 'unparseable',
    message: 'There is a dot too many in the part after the @ sign.',
  },
  idn_label: {
    grade: 'unparseable',
    message: 'This part of the domain cannot be written as an internet name.',
  },
  label_too_long: {
    grade: 'unparseable',
    message: 'This part of the domain is longer than the 63 characters that a name can have.',
  },
  domain_too_long: {
    grade: 'unparseable',
    message: 'The part after the @ sign is longer than the 253 characters that a domain can have.',
  },
  unclosed_literal: { grade: 'unparseable', message: 'The [ that opens here is not closed by a ].' },
  literal_address: { grade: 'unparseable', message: 'What stands in the square brackets is no IP address.' },

  display_name: { grade: 'unclean', message: 'Enter just the address, without a name or < > around it.' },
  comment: { grade: 'unclean', message: 'Leave out the remark in brackets.' },
  white_space: { grade: 'unclean', message: 'Leave out the space.' },
  misplaced_dot: {
    grade: 'unclean',
    message: 'A dot cannot stand first, last, or next to another dot.',
  },
  quoted_local_part: { grade: 'unclean', message: 'Addresses with quotation marks hardly work anywhere.' },
  bidi_control: { grade: 'unclean', message: 'There is an invisible sign that turns the text direction.' },
  invisible_character: { grade: 'unclean', message: 'There is an invisible character in the address.' },
  unassigned_character: {
    grade: 'unclean',
    message: 'This character has no public meaning; others cannot type it.',
  },
  leading_mark: { grade: 'unclean', message: 'The address begins with an accent that has no letter.' },
  local_part_too_long: {
    grade: 'unclean',
    message: 'The part before the @ sign is longer than the 64 bytes that mail servers take.',
  },
  address_too_long: {
    grade: 'unclean',
    message: 'The address is longer than the 254 bytes that mail servers take.',
  },
  dotless_domain: {
    grade: 'unclean',
    message: 'The part after the @ sign has no dot; is the ending missing?',
  },
  numeric_tld: { grade: 'unclean', message: 'No domain ends in a number.' },
  domain_literal: { grade: 'unclean', message: 'Use a domain name instead of an IP address.' },
  misplaced_hyphen: {
    grade: 'unclean',
    message: 'A part of a domain cannot begin or end with a hyphen.',
  },
  reserved_hyphens: {
    grade: 'unclean',
    message: 'A part of a domain cannot have hyphens in both third and fourth place.',
  },
  underscore: { grade: 'unclean', message: 'A domain cannot have an underscore.' },
  invalid_a_label: {
    grade: 'unclean',
    message: 'This part of the domain begins like an encoded name, but cannot be decoded.',
  },
  not_idna2008: {
    grade: 'unclean',
    message: 'This part of the domain has a sign, such as an emoji, that domains should not have.',
  },
  bidi_domain: {
    grade: 'unclean',
    message: 'The domain mixes text directions in a way that can deceive.',
  },
} as const satisfies Record<string, { grade: 'unparseable' | 'unclean'; message: string }>;

export type FaultCode = keyof typeof FAULTS;

type CodesOf<Grade> = {
  [Code in FaultCode]: (typeof FAULTS)[Code]['grade'] extends Grade ? Code : never;
}[FaultCode];

/** Codes that refuse the address. */
export type RefusalCode = CodesOf<'unparseable'>;
/** Codes that leave it readable. */
export type UncleanCode = CodesOf<'unclean'>;

/** Why an address cannot be read: returned by the readers of its parts in place of what they read. */
export interface Refusal {
  readonly refusal: SyntaxFault;
}

export function refuse(code: RefusalCode, position: number): Refusal {
  return { refusal: { code, position, message: FAULTS[code].message } };
}

export function unclean(code: UncleanCode, position: number): SyntaxFault {
  return { code, position, message: FAULTS[code].message };
}
