import { expect, test } from 'vitest';
import { parseMailboxProviders } from '../../src/email/parse-mailbox-providers.ts';

const entry = (more = '') => `
providers:
  - id: x
    source: https://x.example/help
    domains: [x.example, x.<cc>]
    dots: keep
    tag_separator: "+"
${more}`;

const parse = (yaml: string) => parseMailboxProviders(yaml, 'table.yaml');

test('an entry without extras has the plain rule on each of its domains', () => {
  const rules = parse(entry());
  expect([...rules.keys()]).toEqual(['x.example', 'x.<cc>']);
  expect(rules.get('x.example')).toEqual({
    id: 'x',
    canonicalDomain: null,
    dots: 'keep',
    ignored: [],
    tagSeparator: '+',
    minLocal: 1,
    hasUserSubdomains: false,
  });
});

test.each([
  ['an unknown key', entry('    tags: "-"'), /table\.yaml: .*additional properties/],
  ['a missing source', entry().replace(/ +source.*\n/, ''), /required property 'source'/],
  ['an unknown dot rule', entry().replace('keep', 'drop'), /dots must be equal to one of/],
  ['an upper-case domain', entry().replace('x.example,', 'X.example,'), /domains\/0 must match pattern/],
  ['a wildcard inside a domain', entry().replace('x.<cc>', '<cc>.x'), /domains\/1 must match pattern/],
  ['a canonical domain of somebody else', entry('    canonical_domain: y.example'), /canonical_domain/],
  ['a domain named twice', entry().replace('x.<cc>', 'x.example'), /x\.example stands under x and x/],
  ['a minimum that would allow an empty local part', entry('    min_local: 0'), /min_local must be >= 1/],
  ['a dot among what does not count', entry('    ignored: ["."]'), /ignored\/0 must match pattern/],
  ['an empty file', '', /must be object/],
  ['a key that stands twice', entry('    dots: remove'), /unique/],
])('refuses %s', (_what, yaml, message) => {
  expect(() => parse(yaml)).toThrow(message);
});
