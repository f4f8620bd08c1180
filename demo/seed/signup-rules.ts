/** A group that the demo's analysts have added; at first all its rules are in shadow mode. */
export const SIGNUP_GROUP = `# yaml-language-server: $schema=schema/group.json
group: signup
description: What we have seen in our own signups.
max_score: 40

rules:
  - id: made_up_at_risky_ending
    description: A made-up name at an ending that is seen much in abuse.
    owner: risk
    mode: shadow
    conditions:
      all:
        - { fact: gibberish.is_likely, operator: equal, value: true }
        - { fact: domain.tld_risk_level, operator: equal, value: high }
    event: { type: points, params: { points: 15 } }

  - id: made_up_at_free_provider
    description: A made-up name where anybody gets an address at once.
    owner: risk
    mode: shadow
    conditions:
      all:
        - { fact: gibberish.is_likely, operator: equal, value: true }
        - { fact: domain.is_known_free_provider, operator: equal, value: true }
    event: { type: points, params: { points: 20 } }

  - id: tagged_at_free_provider
    description: The address has a tag, and its provider gives addresses to anybody.
    owner: growth
    mode: shadow
    conditions:
      all:
        - { fact: canonical.has_tag, operator: equal, value: true }
        - { fact: domain.is_known_free_provider, operator: equal, value: true }
    event: { type: points, params: { points: 10 } }

  - id: year_at_free_provider
    description: A name with four digits behind it, at a provider that gives addresses to anybody.
    owner: growth
    mode: shadow
    conditions:
      all:
        - { fact: local_part.trailing_digits, operator: equal, value: 4 }
        - { fact: domain.is_known_free_provider, operator: equal, value: true }
    event: { type: points, params: { points: 5 } }
`;

export const SIGNUP_TESTS = `# yaml-language-server: $schema=../schema/tests.json
- name: a made-up name at a risky ending alone is never blocked
  facts: { gibberish.is_likely: true, gibberish.score: 0.6, domain.tld_risk_level: high }
  expect: { action: ALLOW }

- name: a tag alone is low
  facts: { canonical.has_tag: true, domain.is_known_free_provider: true }
  expect: { action: ALLOW, level: low }
`;

/** What the rule that is promoted must do. */
export const PROMOTED_TESTS = `
- name: a made-up name at a risky ending gets points
  facts: { gibberish.is_likely: true, gibberish.score: 0.6, domain.tld_risk_level: high }
  expect: { action: ALLOW, fired: [made_up_at_risky_ending] }

- name: a made-up name at an ordinary ending gets none of them
  facts: { gibberish.is_likely: true, gibberish.score: 0.6 }
  expect: { not_fired: [made_up_at_risky_ending] }
`;

/** The same group with one rule in force. */
export function withLive(group: string, id: string): string {
  const from = group.indexOf(`- id: ${id}\n`);
  return group.slice(0, from) + group.slice(from).replace('mode: shadow', 'mode: live');
}
