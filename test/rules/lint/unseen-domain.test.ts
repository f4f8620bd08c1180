import { describe, expect, it } from 'vitest';
import { formatProblem } from '../../../src/rules/problem.ts';
import { group, lint, points } from '../rules-directory.ts';

function told(fact: string, operator: string, value: string): readonly string[] {
  const comparison = `{ fact: ${fact}, operator: ${operator}, value: ${value} }`;
  const { problems } = lint({
    'a.yaml': group('a', { r: `${points(20)}, conditions: { all: [${comparison}] }` }),
  });
  return problems.filter(({ code }) => code === 'value_never_fits').map(formatProblem);
}

describe('a domain that a rule compares with', () => {
  it('is told of where addresses there count as those of another, with what to write', () => {
    const [line, ...others] = told('address.domain', 'in', '[example.org, googlemail.com]');
    expect(others).toEqual([]);
    expect(line).toMatch(
      /^rules\/a\.yaml:5:\d+ warning value_never_fits an address at googlemail\.com counts as one at gmail\.com: address\.domain is never "googlemail\.com" \(did you mean "gmail\.com"\?\)$/,
    );
  });

  it('is told of where it is not what was registered', () => {
    const ofSubdomain = told('address.registrable_domain', 'equal', 'mail.example.co.uk');
    expect(ofSubdomain.join()).toMatch(
      /nobody registers "mail\.example\.co\.uk" itself: .* \(did you mean "example\.co\.uk"\?\)$/,
    );
    expect(told('address.registrable_domain', 'equal', 'co.uk').join()).toMatch(
      / nobody registers "co\.uk" itself: address\.registrable_domain is never "co\.uk"$/,
    );
  });

  it.each([
    ['address.domain', 'equal', 'gmail.com'],
    ['address.domain', 'equal', 'mail.example.co.uk'],
    ['address.domain', 'equal', '"[192.0.2.1]"'],
    ['address.registrable_domain', 'in', '[example.co.uk, stranger.github.io]'],
    ['address.domain', 'ends_with', '.googlemail.com'],
    ['address.domain', 'equal', '{ fact: address.registrable_domain }'],
  ])('is not told of where an address can have it: %s %s %s', (fact, operator, value) => {
    expect(told(fact, operator, value)).toEqual([]);
  });

  it('is not told of in the allow and deny lists, which take what was typed too', () => {
    const { problems } = lint({
      'deny.yaml': '- { value: googlemail.com, reason: Spam., owner: risk }\n',
      'allow.yaml': '- { value: jane@googlemail.com, reason: Ours., owner: risk }\n',
    });
    expect(problems.map(({ code }) => code).filter((code) => code.endsWith('_never_fits'))).toEqual([]);
  });
});
