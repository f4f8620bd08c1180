import { expect, test } from 'vitest';
import { parseMailboxProviders } from '../../src/email/mailbox-providers.ts';

const entry = (more = '') => `
providers:
  - id: x
    source: https://x.example/help
    domains: [x.example, x.<cc>]
    dots: keep
    tag_separator: "+"
${more}`;

const parse = (yaml: string) => parseMailboxProviders(yaml, 'table.yaml');

test('an entry without extras applies the plain rule to each of its domains', () => {
  const { rules, mailHosts } = parse(entry());
  expect([...rules.keys()]).toEqual(['x.example', 'x.<cc>']);
  expect(rules.get('x.example')).toEqual({
    id: 'x',
    canonicalDomain: null,
    dots: 'keep',
    ignored: [],
    tagSeparator: '+',
    hasUserSubdomains: false,
    clusterDomain: null,
    clusterSeparator: null,
  });
  expect([...mailHosts]).toEqual([]);
});

test('a mail host has a rule for custom domains', () => {
  const { mailHosts } = parse(`${entry()}
mail_hosts:
  - { host: google, source: "https://x.example/help", dots: remove, ignored: ["_"] }
  - { host: yahoo, source: "https://x.example/help", dots: keep, cluster_separator: "-" }
`);
  expect(Object.fromEntries(mailHosts)).toEqual({
    google: { dots: 'remove', ignored: ['_'], clusterSeparator: null },
    yahoo: { dots: 'keep', ignored: [], clusterSeparator: '-' },
  });
});

test.each([
  [
    'a cluster domain of another provider',
    entry('    cluster_domain: y.example'),
    /cluster_domain is not one/,
  ],
  [
    'a mail host without a source',
    `${entry()}\nmail_hosts: [{ host: x, dots: keep }]`,
    /mail_hosts\/0 .*'source'/,
  ],
  ['an unknown key', entry('    tags: "-"'), /table\.yaml: .*additional properties/],
  ['a missing source', entry().replace(/ +source.*\n/, ''), /required property 'source'/],
  ['an unknown dot rule', entry().replace('keep', 'drop'), /dots must be equal to one of/],
  ['an upper-case domain', entry().replace('x.example,', 'X.example,'), /domains\/0 must match pattern/],
  ['a wildcard inside a domain', entry().replace('x.<cc>', '<cc>.x'), /domains\/1 must match pattern/],
  ['a canonical domain of another provider', entry('    canonical_domain: y.example'), /canonical_domain/],
  ['a domain named twice', entry().replace('x.<cc>', 'x.example'), /x\.example stands under x and x/],
  ['a dot among what does not count', entry('    ignored: ["."]'), /ignored\/0 must match pattern/],
  ['an empty file', '', /must be object/],
  ['a key that stands twice', entry('    dots: remove'), /unique/],
])('refuses %s', (_what, yaml, message) => {
  expect(() => parse(yaml)).toThrow(message);
});
