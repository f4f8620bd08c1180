import type { SyntaxFault } from '../provider-kit/address.ts';

/** What refuses the address (422). With `UNCLEAN` the closed list of faults; a test holds `docs/addresses.md` to both. */
export const UNPARSEABLE = {
  empty: 'Enter an email address.',
  too_long: 'This is far too long for an email address.',
  control_character:
    'There is an invisible control character, such as a tab or a line break, in the address.',
  lone_surrogate: 'There is a broken character in the address.',
  no_at: 'An email address needs an @ sign.',
  lookalike_at: 'This sign only looks like an @; type the ordinary @ instead.',
  second_at: 'Enter one address only; there is more than one @ sign.',
  unclosed_angle: 'The < that opens here is not closed by a >; enter just the address.',
  text_after_angle: 'There is something after the address; enter just the address.',
  empty_local_part: 'There is nothing before the @ sign.',
  local_character: 'This character cannot stand in the part before the @ sign.',
  broken_local_part: 'There is a space in the middle of the part before the @ sign.',
  misplaced_quote: 'There is a quotation mark in the wrong place before the @ sign.',
  unclosed_quote: 'The quotation mark that opens here is not closed.',
  unclosed_comment: 'The bracket that opens here is not closed.',
  empty_domain: 'There is nothing after the @ sign.',
  domain_character: 'This character cannot stand in the part after the @ sign.',
  broken_domain: 'There is a space in the middle of the part after the @ sign.',
  empty_label: 'There is a dot too many in the part after the @ sign.',
  idn_label: 'This part of the domain cannot be written as an internet name.',
  label_too_long: 'This part of the domain is longer than the 63 characters that a name can have.',
  domain_too_long: 'The part after the @ sign is longer than the 253 characters that a domain can have.',
  unclosed_literal: 'The [ that opens here is not closed by a ].',
  literal_address: 'What stands in the square brackets is no IP address.',
} as const;

/** What leaves the address readable: answered with `valid_format: false`. */
export const UNCLEAN = {
  display_name: 'Enter just the address, without a name or < > around it.',
  comment: 'Leave out the remark in brackets.',
  white_space: 'Leave out the space.',
  misplaced_dot: 'A dot cannot stand first, last, or next to another dot.',
  quoted_local_part: 'Addresses with quotation marks hardly work anywhere.',
  bidi_control: 'There is an invisible sign that turns the text direction.',
  invisible_character: 'There is an invisible character in the address.',
  unassigned_character: 'This character has no public meaning; others cannot type it.',
  leading_mark: 'The address begins with an accent that has no letter.',
  local_part_too_long: 'The part before the @ sign is longer than the 64 bytes that mail servers take.',
  address_too_long: 'The address is longer than the 254 bytes that mail servers take.',
  dotless_domain: 'The part after the @ sign has no dot; is the ending missing?',
  numeric_tld: 'No domain ends in a number.',
  domain_literal: 'Use a domain name instead of an IP address.',
  misplaced_hyphen: 'A part of a domain cannot begin or end with a hyphen.',
  reserved_hyphens: 'A part of a domain cannot have hyphens in both third and fourth place.',
  underscore: 'A domain cannot have an underscore.',
  invalid_a_label: 'This part of the domain begins like an encoded name, but cannot be decoded.',
  not_idna2008: 'This part of the domain has a sign, such as an emoji, that domains should not have.',
  bidi_domain: 'The domain mixes text directions in a way that can deceive.',
} as const;

export type RefusalCode = keyof typeof UNPARSEABLE;
export type UncleanCode = keyof typeof UNCLEAN;

/** Why an address cannot be read: returned by the readers of its parts in place of what they read. */
export interface Refusal {
  readonly ok: false;
  readonly refusal: SyntaxFault;
}

export function refuse(code: RefusalCode, position: number): Refusal {
  return { ok: false, refusal: { code, position, message: UNPARSEABLE[code] } };
}

export function unclean(code: UncleanCode, position: number): SyntaxFault {
  return { code, position, message: UNCLEAN[code] };
}
