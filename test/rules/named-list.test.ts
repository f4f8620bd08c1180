import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { decide } from '../../src/rules/decide.ts';
import { ordinaryFacts } from '../../src/rules/described-facts.ts';
import { diffRules } from '../../src/rules/diff-rules.ts';
import { explainDecision } from '../../src/rules/explain-decision.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { MemoizedDecider } from '../../src/rules/memoized-decider.ts';
import { compileNamedList, entryNaming, MOST_ENTRIES } from '../../src/rules/named-list.ts';
import { formatProblem } from '../../src/rules/problem.ts';
import { TruthVector } from '../../src/rules/truth-vector.ts';
import { catalogue } from './catalogue.ts';
import { directory, group, is, NOW, points, when } from './rules-directory.ts';

const ORDINARY = ordinaryFacts(catalogue);
const RULES = {
  'a.yaml': group('a', {
    known: `${points(-10)}, conditions: { all: [{ fact: address.domain, operator: in_list, value: partners }] }`,
    strange: `${points(20)}, conditions: { all: [{ fact: address.registrable_domain, operator: not_in_list, value: partners }] }`,
  }),
};
const QUIET = `${points(5, 'off')}, ${when(is('domain.has_mx', false))}`;
const TXT = '# Partners.\nexample.org\n.example.net   # and below\n\n.uk\n';

function lint(list: string, path = 'lists/partners.txt', now = NOW) {
  return lintRules(directory({ ...RULES, [path]: list }), catalogue, { now });
}

function compiled(list: string, path?: string, now = NOW) {
  const { definitions, problems } = lint(list, path);
  if (!definitions) throw new Error(problems.map(formatProblem).join('\n'));
  return compileRuleSet(definitions, now);
}

const at = (domain: string, registrable: string | null = domain) => ({
  ...ORDINARY,
  'address.domain': domain,
  'address.registrable_domain': registrable,
});

describe('a named list', () => {
  it.each([
    ['example.org', 'example.org'],
    ['mail.example.org', undefined],
    ['example.net', '.example.net'],
    ['a.b.example.net', '.example.net'],
    ['notexample.net', undefined],
    ['example.co.uk', '.uk'],
    ['uk', '.uk'],
  ])('contains %s by %s', (domain, entry) => {
    expect(entryNaming(domain, compileNamedList('x', ['example.org', '.example.net', '.uk']))).toBe(entry);
  });

  it('decides the same in json-rules-engine and from the memo, and an unknown domain is neither in a list nor outside it', async () => {
    const ruleSet = compiled(TXT);
    const decider = new MemoizedDecider(ruleSet);
    const cases: readonly (readonly [string, string | null])[] = [
      ['example.org', 'example.org'],
      ['other.org', 'other.org'],
      ['a.example.net', 'example.net'],
      ['localhost', null],
    ];
    for (const twice of [...cases, ...cases]) {
      const facts = at(...twice);
      expect(await decider.decide(facts)).toEqual(await decide(ruleSet, facts));
    }
    expect(decider.counts).toEqual({ hits: 5, misses: 3 });
    const { ledger } = await decide(ruleSet, at('localhost', null));
    expect(ledger).toContainEqual({
      kind: 'stood_aside',
      points: 0,
      id: 'strange',
      unknown: ['address.registrable_domain'],
    });
    // The list is not a value that a rule read.
    expect((await decide(ruleSet, at('other.org'))).ledger[0]).toEqual({
      ...{ kind: 'rule', points: 20, id: 'strange', group: 'a' },
      saw: { 'address.registrable_domain': 'other.org' },
    });
  });

  it('tells two contents with one name apart in one truth vector', () => {
    const [before, after] = [compiled('example.org\n'), compiled('example.net\n')];
    const vector = new TruthVector([before, after]);
    const keys = ['example.org', 'example.net', 'other.org'].map((domain) => vector.keyOf(at(domain)));
    expect(new Set(keys).size).toBe(3);
  });

  it('is part of the hash by its entries in force, in any order and form, without their reasons', () => {
    const yaml = (entries: string) => `description: Ours.\nowner: risk\nentries:\n${entries}`;
    const hash = compiled('.example.net\nexample.org\n').hash;
    expect(compiled('example.org\n# More.\n.EXAMPLE.net\n').hash).toBe(hash);
    const written = yaml(
      '  - example.org\n  - { value: .example.net, reason: A., owner: b, expires: 2026-12-01 }\n',
    );
    expect(compiled(written, 'lists/partners.yaml').hash).toBe(hash);
    expect(compiled('example.org\n').hash).not.toBe(hash);
    const expired = compiled(written, 'lists/partners.yaml', Date.parse('2026-12-02T00:00:00Z'));
    expect(expired.hash).toBe(compiled('example.org\n').hash);
  });

  it('makes a new set when an entry expires', () => {
    const written =
      'description: Ours.\nowner: risk\nentries: [{ value: example.org, expires: 2026-12-01 }, example.net]\n';
    const set = compiled(written, 'lists/partners.yaml');
    expect(set.nextChange).toBe(Date.parse('2026-12-02T00:00:00Z'));
  });

  it('that no rule in force reads changes neither hash nor dates', () => {
    const files = { 'a.yaml': group('a', { r: QUIET }) };
    const other = 'description: Ours.\nowner: risk\nentries: [{ value: example.org, expires: 2026-12-01 }]\n';
    const of = (more: object) => {
      const { definitions } = lintRules(directory({ ...files, ...more }), catalogue, { now: NOW });
      return definitions && compileRuleSet(definitions, NOW);
    };
    expect(of({ 'lists/other.yaml': other })?.hash).toBe(of({})?.hash);
    expect(of({ 'lists/other.yaml': other })?.nextChange).toBeNull();
  });

  it('shows in a diff its added and removed entries, and the rules that read it', () => {
    const [before, after] = ['example.org\nold.org\n', 'example.org\n.new.org\n'].map(
      (text) => lint(text).definitions,
    );
    if (!before || !after) throw new Error('lint found errors');
    expect(diffRules(before, after, NOW)).toEqual([
      {
        ...{
          subject: 'list',
          id: 'partners',
          change: 'changed',
          decides: true,
          concerns: ['known', 'strange'],
        },
        details: [{ what: 'entries', before: ['old.org'], after: ['.new.org'] }],
      },
    ]);
  });

  it('is used by explanations: an entry would change a decision', async () => {
    const files = {
      ...RULES,
      'a.yaml': group('a', {
        known: `${points(80)}, conditions: { all: [{ fact: address.domain, operator: in_list, value: partners }] }`,
      }),
    };
    const { definitions } = lintRules(directory({ ...files, 'lists/partners.txt': TXT }), catalogue, {
      now: NOW,
    });
    if (!definitions) throw new Error('lint found errors');
    const ruleSet = compileRuleSet(definitions, NOW);
    // The dashboard has it computed in another process.
    const sent: typeof ruleSet = deserialize(serialize(ruleSet));
    const { outlook, listed } = await explainDecision(sent, catalogue.facts, at('other.org'));
    expect(listed).toEqual([]);
    expect((await explainDecision(sent, catalogue.facts, at('a.example.net'))).listed).toEqual([
      { fact: 'address.domain', value: 'a.example.net', list: 'partners', entry: '.example.net' },
    ]);
    expect(outlook.flips[0]?.changes).toEqual({ 'address.domain': 'example.org' });
  });

  it('may have 100,000 entries', () => {
    const domains = Array.from(
      { length: 100_000 },
      (_, index) => `${index % 2 ? '.' : ''}shop-${index}.example`,
    );
    const ruleSet = compiled(domains.join('\n'));
    const vector = new TruthVector([ruleSet]);
    expect(vector.keyOf(at('shop-2.example'))).not.toBe(vector.keyOf(at('shop.example')));
  });

  it('agrees with a linear search of its entries', () => {
    const label = fc.constantFrom('a', 'b', 'c');
    const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
    const entry = fc.tuple(fc.constantFrom('', '.'), name).map(([dot, text]) => `${dot}${text}`);
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), name, (entries, domain) => {
        const isNamed = entries.some((one) =>
          one.startsWith('.') ? `.${domain}`.endsWith(one) : domain === one,
        );
        expect(entryNaming(domain, compileNamedList('x', entries)) !== undefined).toBe(isNamed);
      }),
      { seed: 20261127, numRuns: 2000 },
    );
  });
});

describe('lint of named lists', () => {
  const told = (list: string, path?: string, now?: number) =>
    lint(list, path, now)
      .problems.map(formatProblem)
      .filter((line) => line.includes('lists/') || line.includes('_list'));

  it.each([
    [
      'example.org\nExample.ORG\n',
      'rules/lists/partners.txt:2:1 warning duplicate_entry "Example.ORG" stands also in line 1',
    ],
    [
      'example.org\n  *.example.net\n',
      'rules/lists/partners.txt:2:3 error bad_list_value "*.example.net" is none of x.org and .x.org',
    ],
    ['jane@example.org\n', 'addresses stand in allow.yaml and deny.yaml, a named list has domains'],
    ['example\n', '"example" is none of x.org and .x.org'],
  ])('%j', (text, message) => {
    expect(told(text).join('\n')).toContain(message);
  });

  it('offers the intended entry', () => {
    const [problem] = lint('https://example.org/\n').problems;
    expect(problem).toMatchObject({ code: 'bad_list_value', hint: 'example.org' });
  });

  it('reports a list that does not exist, with the intended one', () => {
    const { problems } = lintRules(directory({ ...RULES, 'lists/partner.txt': 'example.org\n' }), catalogue, {
      now: NOW,
    });
    expect(problems.map(formatProblem)).toContainEqual(
      expect.stringMatching(/error unknown_list there is no list "partners" \(did you mean "partner"\?\)$/),
    );
  });

  it('reports a list that no condition reads', () => {
    const { problems } = lintRules(
      directory({ 'a.yaml': group('a', { r: QUIET }), 'lists/idle.txt': 'example.org\n' }),
      catalogue,
      { now: NOW },
    );
    expect(problems.map(formatProblem)).toContain(
      'rules/lists/idle.txt:1:1 warning unused_list no condition looks into the list idle',
    );
  });

  it('reports an expired entry, a list in two files, and an invalid name', () => {
    const written =
      'description: Ours.\nowner: risk\nentries: [{ value: example.org, expires: 2026-11-01 }]\n';
    expect(told(written, 'lists/partners.yaml')).toEqual([
      'rules/lists/partners.yaml:3:1 warning expired the entry "example.org" has expired: it does nothing',
    ]);
    const twice = directory({
      ...RULES,
      'lists/partners.txt': TXT,
      'lists/partners.yaml': written,
      'lists/A b.txt': TXT,
    });
    const codes = lintRules(twice, catalogue, { now: NOW }).problems.map(({ code }) => code);
    expect(codes).toContain('duplicate_id');
    expect(codes).toContain('bad_id');
  });

  const ofEntries = (entries: string, fact = 'address.domain') =>
    lintRules(
      directory({
        'a.yaml': group('a', {
          r: `${points(5, 'off')}, ${when(`{ fact: ${fact}, operator: in_list, value: partners }`)}`,
        }),
        'lists/partners.yaml': `description: Ours.\nowner: risk\nentries:\n${entries}`,
      }),
      catalogue,
      { now: NOW },
    )
      .problems.map(formatProblem)
      .filter((line) => line.includes('lists/'));

  it.each([
    ['  - Example.ORG\n', 'capitals, which are compared as small letters'],
    [
      '  - { value: .example.org, expires: 2026-12-01 }\n  - mail.example.org\n',
      'an entry that holds longer than the wider one',
    ],
    [
      '  - .example.org\n  - { value: .notexample.org, expires: 2026-12-01 }\n',
      'a name that only looks like one below',
    ],
    [
      '  - { value: .example.org, expires: 2026-11-01 }\n  - mail.example.org\n',
      'an entry whose wider one is over',
    ],
  ])('accepts entries that can match: %j', (entries) => {
    expect(ofEntries(entries).filter((line) => !line.includes(' expired '))).toEqual([]);
  });

  it('reports an entry within another of the same or longer duration, in YAML too', () => {
    expect(
      ofEntries(
        '  - { value: .org, expires: 2026-12-02 }\n  - { value: .example.org, expires: 2026-12-01 }\n',
      ),
    ).toEqual([
      'rules/lists/partners.yaml:5:1 warning covered_entry ".example.org" is in the list by ".org" of line 4 already',
    ]);
  });

  it('names the canonical domain of addresses at an entry', () => {
    expect(ofEntries('  - googlemail.com\n')).toEqual([
      'rules/lists/partners.yaml:4:1 warning entry_never_fits an address at googlemail.com counts as one at gmail.com: rules never see the domain of "googlemail.com" (did you mean "gmail.com"?)',
    ]);
    expect(ofEntries('  - .mail.example.org\n', 'address.registrable_domain').join()).toContain(
      'rules look for address.registrable_domain in this list, which is never ".mail.example.org" (did you mean ".example.org"?)',
    );
    expect(ofEntries('  - .co.uk\n  - example.org\n', 'address.registrable_domain')).toEqual([]);
  });

  it('refuses a list that is too long before it reads it, and reports the first of many faults', () => {
    const yaml = `description: Ours.\nowner: risk\nentries:\n${'  - a.example\n'.repeat(6 * MOST_ENTRIES.yaml)}`;
    expect(told(yaml, 'lists/partners.yaml').join()).toContain(
      'a .txt file, a domain on each line, may have more',
    );
    const bad = told('what is this\n'.repeat(1_000));
    expect(bad.length).toBe(21);
    expect(bad.join('\n')).toContain('980 more entries of this list');
  });

  it('makes only claims about a rule that follow from the entries', () => {
    const rule = (...parts: string[]) => ({
      'a.yaml': group('a', { r: `${points(5, 'off')}, conditions: { all: [${parts.join(', ')}] }` }),
      'lists/partners.txt': 'a.example\n.b.example\n',
    });
    const codesOf = (...parts: string[]) =>
      lintRules(directory(rule(...parts)), catalogue, { now: NOW })
        .problems.map(({ code }) => code)
        .filter((code) => code === 'never_true' || code === 'subsumed_condition');
    const inList = '{ fact: address.domain, operator: in_list, value: partners }';
    const compared = (operator: string, value: string) =>
      `{ fact: address.domain, operator: ${operator}, value: ${value} }`;
    expect(codesOf(inList, compared('ends_with', '.org'))).toEqual(['never_true']);
    expect(codesOf(inList, compared('ends_with', '.example'))).toEqual(['subsumed_condition']);
    expect(codesOf(inList, compared('starts_with', 'mail.'))).toEqual([]);
    expect(codesOf(inList, compared('equal', 'x.b.example'))).toEqual(['subsumed_condition']);
    expect(codesOf(inList, compared('not_in_list', 'partners'))).toEqual(['never_true']);
  });
});
