import { describe, expect, it } from 'vitest';
import { lintRules } from '../../../src/rules/lint/lint-rules.ts';
import { formatProblem } from '../../../src/rules/problem.ts';
import { catalogue } from '../catalogue.ts';
import { directory, group, NOW, points } from '../rules-directory.ts';

const tld = { id: 'address.tld', type: 'domain', personal: 'domain', provider: 'address' } as const;
const withTld = {
  ...catalogue,
  facts: new Map([...catalogue.facts, [tld.id, { ...tld, description: 'The last label.', example: 'uk' }]]),
};

function lint(files: Readonly<Record<string, string>>) {
  return lintRules(directory(files), withTld, { now: NOW });
}

function told(fact: string, operator: string, value: string): readonly string[] {
  const comparison = `{ fact: ${fact}, operator: ${operator}, value: ${value} }`;
  const { problems } = lint({
    'a.yaml': group('a', { r: `${points(20)}, conditions: { all: [${comparison}] }` }),
  });
  return problems.filter(({ code }) => code === 'value_never_fits').map(formatProblem);
}

describe('a domain in a comparison', () => {
  it('is reported where addresses of that domain get another canonical domain, with the domain to use', () => {
    const [line, ...others] = told('address.domain', 'in', '[example.org, googlemail.com]');
    expect(others).toEqual([]);
    expect(line).toMatch(
      /^rules\/a\.yaml:5:\d+ warning value_never_fits an address at googlemail\.com counts as one at gmail\.com: address\.domain is never "googlemail\.com" \(did you mean "gmail\.com"\?\)$/,
    );
  });

  it('is reported where it is not a registered domain', () => {
    const ofSubdomain = told('address.registrable_domain', 'equal', 'mail.example.co.uk');
    expect(ofSubdomain.join()).toMatch(
      /nobody registers "mail\.example\.co\.uk" itself: .* \(did you mean "example\.co\.uk"\?\)$/,
    );
    expect(told('address.registrable_domain', 'equal', 'co.uk').join()).toMatch(
      / nobody registers "co\.uk" itself: address\.registrable_domain is never "co\.uk"$/,
    );
  });

  it('is reported where it has a dot and only the last label is compared', () => {
    const never = (value: string, instead: string) =>
      expect.stringMatching(
        new RegExp(`address\\.tld is the last label alone, without a dot, and never "${value}": ${instead}$`),
      );
    expect(told('address.tld', 'equal', 'co.uk')).toEqual([
      never('co.uk', 'address.domain ends with ".co.uk" below it'),
    ]);
    expect(told('address.tld', 'notIn', '[de, com.br]')).toEqual([never('com.br', '.*')]);
    expect(told('address.tld', 'ends_with', '.uk')).toEqual([never('.uk', 'it equals "uk"')]);
    expect(told('address.tld', 'starts_with', 'co.')).toEqual([never('co.', 'it equals "co"')]);
  });

  it.each([
    ['in', '[ru, .CN]'],
    ['equal', '.cn'],
  ])('gets the last label suggested without its dot: %s %s', (operator, value) => {
    const comparison = `{ fact: address.tld, operator: ${operator}, value: ${value} }`;
    const { problems } = lint({
      'a.yaml': group('a', { r: `${points(20)}, conditions: { all: [${comparison}] }` }),
    });
    expect(problems).toMatchObject([{ code: 'value_misfit', hint: 'cn', replacement: 'cn' }]);
  });

  it('gets no several labels suggested for the last one, which never has them', () => {
    const comparison = '{ fact: address.tld, operator: equal, value: .co.uk }';
    const { problems } = lint({
      'a.yaml': group('a', { r: `${points(20)}, conditions: { all: [${comparison}] }` }),
    });
    expect(problems).toMatchObject([{ code: 'value_misfit' }]);
    expect(problems[0]?.replacement).toBeUndefined();
  });

  it('gets no suffix suggested where the text ends within the last label', () => {
    const comparison = '{ fact: address.tld, operator: ends_with, value: uk }';
    const { problems } = lint({
      'a.yaml': group('a', { r: `${points(20)}, conditions: { all: [${comparison}] }` }),
    });
    const found = problems.find(({ code }) => code === 'ends_within_label');
    expect(found).toMatchObject({
      hint: undefined,
      message: expect.stringMatching(/"equal" compares the whole$/),
    });
  });

  it('is reported in a list that is compared with the last label only', () => {
    const found = (...facts: readonly string[]) => {
      const looked = facts.map((fact) => `{ fact: ${fact}, operator: in_list, value: ends }`).join(', ');
      const { problems } = lint({
        'a.yaml': group('a', { r: `${points(20)}, conditions: { any: [${looked}] }` }),
        'lists/ends.txt': '.uk\n.co.uk\nexample.org\n',
      });
      return problems.filter(({ code }) => code === 'entry_never_fits').map(({ line, hint }) => [line, hint]);
    };
    expect(found('address.tld')).toEqual([
      [2, '.uk'],
      [3, '.org'],
    ]);
    expect(found('address.tld', 'address.domain')).toEqual([]);
  });

  it.each([
    ['address.tld', 'in', '[uk, xn--p1ai]'],
    ['address.domain', 'equal', 'gmail.com'],
    ['address.domain', 'equal', 'mail.example.co.uk'],
    ['address.domain', 'equal', '"[192.0.2.1]"'],
    ['address.registrable_domain', 'in', '[example.co.uk, stranger.github.io]'],
    ['address.domain', 'ends_with', '.googlemail.com'],
    ['address.domain', 'equal', '{ fact: address.registrable_domain }'],
  ])('is not reported where an address can have it: %s %s %s', (fact, operator, value) => {
    expect(told(fact, operator, value)).toEqual([]);
  });

  it('is not reported in the allow and deny lists, which also match the submitted form', () => {
    const { problems } = lint({
      'deny.yaml': '- { value: googlemail.com, reason: Spam., owner: risk }\n',
      'allow.yaml': '- { value: jane@googlemail.com, reason: Ours., owner: risk }\n',
    });
    expect(problems.map(({ code }) => code).filter((code) => code.endsWith('_never_fits'))).toEqual([]);
  });
});
