import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { cursorAt } from '../../../dashboard/src/pages/rules/language/cursor.ts';
import { describeCondition } from '../../../dashboard/src/pages/rules/language/describe-condition.ts';
import { explainWord } from '../../../dashboard/src/pages/rules/language/explain-word.ts';
import { type RuleLanguage, suggestionsAt } from '../../../dashboard/src/pages/rules/language/suggestions.ts';
import { describeCondition as describeByService } from '../../../src/rules/conditions.ts';
import type { Condition } from '../../../src/rules/definitions.ts';
import { describeFacts } from '../../../src/rules/described-facts.ts';
import { ruleSchemas } from '../../../src/rules/schema/rule-schemas.ts';
import { catalogue } from '../../rules/catalogue.ts';

const language = {
  facts: describeFacts(catalogue),
  schemas: ruleSchemas(catalogue),
} as unknown as RuleLanguage;
const OTHERS = {
  'decision.yaml': 'thresholds: { block_score: { value: 70, description: From here on it is blocked. } }\n',
  'shared.yaml':
    'group: shared\nconditions:\n  unread:\n    description: Nobody reads it.\n    conditions:\n      any:\n        - { fact: domain.has_mx, operator: equal, value: false }\n        - not: { condition: read }\n  half:\n',
  'lists/partners.yaml': 'description: Whom we invited.\nowner: risk\nentries: [example.org]\n',
  'lists/rented.txt': 'example.net\n',
  'other.yaml':
    'group: other\nrules:\n  - { id: some_rule, description: Says something. }\n  - { id: for_some, rollout: { percent: 5 } }\n',
};

/** The completions at the `|` in a text. */
function suggested(marked: string, file = 'domain.yaml'): readonly string[] {
  const position = marked.indexOf('|');
  const text = marked.replace('|', '');
  const cursor = cursorAt(text, position);
  if (cursor === null) return [];
  return suggestionsAt(cursor, file, { ...OTHERS, [file]: text }, language).map((one) => one.text);
}

const RULE = (rest: string) => `group: a\nmax_score: 10\nrules:\n  - id: x\n${rest}`;
const CONDITION = (comparison: string) => RULE(`    conditions:\n      all:\n        - ${comparison}\n`);

describe('completion in a rule file', () => {
  it('offers the keys of a group that it does not have yet', () => {
    const keys = suggested('group: a\n|\nrules: []\n');
    expect(keys).toEqual(expect.arrayContaining(['description:', 'max_score:', 'thresholds:']));
    expect(suggested('group: a\nma|\n')).toContain('max_score:');
  });

  it('offers a complete rule first, which lint accepts once its gaps are filled, and required keys before the others', () => {
    const at = (marked: string, file: string) => {
      const text = marked.replace('|', '');
      const cursor = cursorAt(text, marked.indexOf('|'));
      return cursor === null ? [] : suggestionsAt(cursor, file, { [file]: text }, language);
    };
    const kinds = { 'domain.yaml': 'rules', 'decision.yaml': 'levels' };
    for (const [file, list] of Object.entries(kinds)) {
      const [whole] = at(`${list}:\n  - |\n`, file);
      expect(whole).toMatchObject({ text: 'a whole rule', kind: 'whole' });
      expect(whole?.template).toContain('conditions:\n  all:\n    - { fact: <fact>');
      const filled = (whole?.template ?? '').replaceAll(/<([^>]*)>/g, '$1');
      const rule = parse(filled);
      expect(Object.keys(rule)).toEqual(expect.arrayContaining(['id', 'description', 'conditions', 'event']));
    }
    const keys = at(RULE('    |\n'), 'domain.yaml').map(({ text, isRequired }) => [text, isRequired]);
    expect(keys[0]?.[1]).toBe(true);
    expect(keys.at(-1)?.[1]).toBe(false);
  });

  it('offers the keys of a rule, also in a new one', () => {
    expect(suggested(RULE('    mo|\n'))).toEqual(expect.arrayContaining(['mode:', 'event:', 'expires:']));
    expect(suggested(`${RULE('')}  - |\n`)).toContain('id:');
  });

  it('offers the allowed values of a key', () => {
    expect(suggested(RULE('    mode: |\n'))).toEqual(['live', 'shadow', 'off']);
    expect(suggested(RULE('    mode: sha|dow\n'))).toContain('live');
  });

  it('offers facts, the operators that fit a fact, and its values', () => {
    expect(suggested(CONDITION('{ fact: dom| }'))).toEqual(
      expect.arrayContaining(['domain.has_mx', 'domain.tld_risk_level']),
    );
    expect(suggested(CONDITION('{ fact: domain.has_mx, operator: |, value: true }'))).toEqual(
      expect.arrayContaining(['equal', 'notEqual']),
    );
    expect(suggested(CONDITION('{ fact: domain.tld_risk_level, operator: equal, value: | }'))).toEqual(
      expect.arrayContaining(['low', 'medium', 'high']),
    );
    expect(suggested(CONDITION('{ fact: domain.tld_risk_level, operator: in, value: [hi|] }'))).toContain(
      'high',
    );
    expect(suggested(CONDITION('{ fact: domain.has_mx, operator: equal, value: | }'))).toEqual(
      expect.arrayContaining(['true', 'false']),
    );
  });

  it('offers the thresholds of all files where a number is expected', () => {
    expect(
      suggested(CONDITION('{ fact: mx.host_count, operator: lessThan, value: { fact: thr| } }')),
    ).toContain('threshold.block_score');
  });

  it('offers the named conditions of all files where one is expected, with their definitions', () => {
    expect(suggested(CONDITION('{ con| }'))).toContain('condition:');
    expect(suggested(CONDITION('{ condition: | }'))).toEqual(['unread', 'half']);
    expect(suggested(CONDITION('{ fact: address.domain, operator: in_list, value: | }'))).not.toContain(
      'unread',
    );
    // A level only reads the score.
    const level = 'levels:\n  - id: x\n    conditions:\n      all:\n        - { | }\n';
    expect(suggested(level, 'decision.yaml')).not.toContain('condition:');
    expect(suggested(level.replace('levels', 'actions'), 'decision.yaml')).toContain('condition:');
    expect(suggested('group: a\nconditions:\n  x:\n    |\n')).toEqual(
      expect.arrayContaining(['description:', 'conditions:', 'owner:']),
    );
    expect(explainWord('unread', null, 'domain.yaml', OTHERS, language)).toEqual({
      title: 'unread',
      note: 'condition in shared.yaml: domain.has_mx equal false or not condition read',
      text: 'Nobody reads it.',
    });
    expect(explainWord('half', null, 'domain.yaml', OTHERS, language)?.note).toBe(
      'condition in shared.yaml: …',
    );
  });

  it('describes a condition as the service does', () => {
    const a = { fact: 'mx.host_count', operator: 'greaterThan', value: { fact: 'threshold.many' } };
    const b = { fact: 'mx.provider', operator: 'in', value: ['google', 'other'] };
    const place = { file: 'a', line: 1, column: 1 };
    const use = { condition: 'x', means: a, place };
    const conditions = [
      { all: [a, { any: [b, use] }, { not: { all: [a, b] } }] },
      {
        any: [
          { all: [a] },
          { all: [{ any: [b, a] }] },
          { at_least: { count: 2, of: [a, { all: [b, use] }, use] } },
        ],
      },
      { not: { not: { any: [a, b] } } },
    ] as unknown as readonly Condition[];
    for (const condition of conditions) {
      expect(describeCondition(condition)).toBe(describeByService(condition));
      expect(describeCondition(condition)).toContain('mx.host_count greaterThan threshold.many');
    }
    for (const broken of [null, 'x', {}, { all: [] }, { at_least: null }, { any: [null] }]) {
      expect(describeCondition(broken)).toBeTypeOf('string');
    }
  });

  it('offers the lists of the directory where one is expected, and the keys of a list in its own file', () => {
    expect(suggested(CONDITION('{ fact: address.domain, operator: in_list, value: | }'))).toEqual(
      expect.arrayContaining(['partners', 'rented']),
    );
    expect(suggested(CONDITION('{ fact: address.domain, operator: equal, value: | }'))).not.toContain(
      'partners',
    );
    expect(suggested('description: A.\n|\n', 'lists/new.yaml')).toEqual(
      expect.arrayContaining(['owner:', 'entries:']),
    );
    expect(explainWord('partners', null, 'domain.yaml', OTHERS, language)).toEqual({
      title: 'partners',
      note: 'list in lists/partners.yaml',
      text: 'Whom we invited.',
    });
  });

  it('offers all, any, at_least and not, and the keys of a comparison', () => {
    expect(suggested(RULE('    conditions:\n      |\n'))).toEqual(
      expect.arrayContaining(['all:', 'any:', 'at_least:', 'not:']),
    );
    expect(suggested(CONDITION('{ fact: domain.has_mx, op| }'))).toContain('operator:');
  });

  it('offers the existing rules where rules are named', () => {
    expect(suggested(RULE('    absorbs: [|]\n'))).toContain('some_rule');
    expect(suggested('- name: a\n  expect: { fired: [so|] }\n', 'tests/domain.yaml')).toContain('some_rule');
  });

  it('checks each file against its own schema', () => {
    expect(suggested('- |\n', 'deny.yaml')).toEqual(
      expect.arrayContaining(['value:', 'reason:', 'owner:', 'expires:']),
    );
    expect(suggested('levels:\n  - id: a\n    event: { type: |}\n', 'decision.yaml')).toContain('level');
  });

  it('offers nothing in a comment and in a text', () => {
    expect(suggested('group: a # li|\n')).toEqual([]);
    expect(suggested('group: a\ndescription: Some wo|\n')).toEqual([]);
  });
});

describe('the explanation of a word', () => {
  const explain = (word: string, cursor: ReturnType<typeof cursorAt> = null) =>
    explainWord(word, cursor, 'domain.yaml', OTHERS, language);

  it('is shown for facts, operators, thresholds and rules', () => {
    expect(explain('domain.has_mx')).toMatchObject({
      title: 'domain.has_mx',
      note: expect.stringContaining('boolean'),
    });
    expect(explain('domain.tld_risk_level')?.note).toContain('one of low, medium, high');
    expect(explain('greaterThan')?.text).toBe('The fact is above this number.');
    expect(explain('threshold.block_score')).toEqual({
      title: 'block_score',
      note: 'threshold in decision.yaml, now 70',
      text: 'From here on it is blocked.',
    });
    expect(explain('some_rule')).toMatchObject({ note: 'rule in other.yaml', text: 'Says something.' });
    expect(explain('for_some')?.note).toBe('rule in other.yaml, for 5 % of people');
  });

  it('is shown for keys at their place, and nowhere else', () => {
    const text = 'group: a\nmax_score: 10\n';
    expect(explain('max_score', cursorAt(text, text.indexOf('_score')))?.text).toBe(
      'The sum of the group counts up to this.',
    );
    expect(explain('max_score')).toBeNull();
    expect(explain('whatever')).toBeNull();
  });
});
