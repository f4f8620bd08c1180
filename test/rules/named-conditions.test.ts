import { describe, expect, it } from 'vitest';
import { decide } from '../../src/rules/decide.ts';
import { MOST_COMPARISONS } from '../../src/rules/engine-form.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { catalogue } from './catalogue.ts';
import { compile, directory, group, is, lint, NOW, points } from './rules-directory.ts';

const SUSPICIOUS = is('entropy.suspicious', true);
const NO_MX = is('domain.has_mx', false);
const CATCH_ALL = is('domain.is_catch_all', true);
const ROLE = is('domain.is_role_account', true);

const declare = (named: Readonly<Record<string, string>>) =>
  `conditions:\n${Object.entries(named)
    .map(([name, conditions]) => `  ${name}: { description: Says so., conditions: ${conditions} }`)
    .join('\n')}\n`;
/** A group of one rule, below named conditions. */
const files = (conditions: string, named: Readonly<Record<string, string>> = {}, worth = 20) => {
  const text = group('a', { r: `${points(worth)}, conditions: ${conditions}` });
  return { 'a.yaml': Object.keys(named).length === 0 ? text : `${declare(named)}${text}` };
};
const messages = (texts: Readonly<Record<string, string>>) => {
  const { problems } = lint(texts);
  return problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
};

describe('a named condition', () => {
  it.each<[string, string, Record<string, string>, string]>([
    [
      'a comparison',
      `{ all: [{ condition: x }, ${ROLE}] }`,
      { x: `{ any: [${NO_MX}] }` },
      `{ all: [${NO_MX}, ${ROLE}] }`,
    ],
    [
      'some parts of all',
      `{ all: [{ condition: x }, ${ROLE}] }`,
      { x: `{ all: [${NO_MX}, ${CATCH_ALL}] }` },
      `{ all: [${NO_MX}, ${CATCH_ALL}, ${ROLE}] }`,
    ],
    [
      'what stands under not',
      `{ all: [{ not: { condition: x } }, ${ROLE}] }`,
      { x: `{ any: [${NO_MX}, ${CATCH_ALL}] }` },
      `{ all: [{ not: ${NO_MX} }, { not: ${CATCH_ALL} }, ${ROLE}] }`,
    ],
    [
      'a part of what counts',
      `{ at_least: { count: 2, of: [{ condition: x }, ${CATCH_ALL}, ${ROLE}] } }`,
      { x: `{ all: [${NO_MX}, ${SUSPICIOUS}] }` },
      `{ at_least: { count: 2, of: [{ all: [${NO_MX}, ${SUSPICIOUS}] }, ${CATCH_ALL}, ${ROLE}] } }`,
    ],
    [
      'one that is made of another, declared below it',
      `{ any: [{ condition: x }, ${ROLE}] }`,
      { x: `{ all: [{ condition: y }, ${SUSPICIOUS}] }`, y: `{ any: [${NO_MX}, ${CATCH_ALL}] }` },
      `{ any: [{ all: [{ any: [${NO_MX}, ${CATCH_ALL}] }, ${SUSPICIOUS}] }, ${ROLE}] }`,
    ],
  ])('equals the inline condition for %s: the set has the same hash', (_, conditions, named, written) => {
    expect(compile(files(conditions, named)).hash).toBe(compile(files(written)).hash);
  });

  it('is used by rules of every file, in forced actions and actions too', async () => {
    const ruleSet = compile({
      ...files(`{ all: [${ROLE}] }`, { unread: `{ any: [${NO_MX}, ${CATCH_ALL}] }` }),
      'tests/decision.yaml': undefined,
      'decision.yaml': `levels: []\nactions:\n  - { id: soft, description: S., event: { type: action, params: { action: BLOCK } }, conditions: { all: [{ condition: unread }, { fact: risk_score, operator: greaterThan, value: 5 }] } }\nforced:\n  - { id: hard, description: H., event: { type: force, params: { action: BLOCK } }, conditions: { all: [{ condition: unread }, ${SUSPICIOUS}] } }\n`,
    });
    const facts = { 'domain.has_mx': false, 'domain.is_catch_all': null, 'domain.is_role_account': true };
    const decisions = [
      await decide(ruleSet, { ...facts, 'entropy.suspicious': false }),
      await decide(ruleSet, { ...facts, 'entropy.suspicious': true }),
      await decide(ruleSet, { ...facts, 'domain.has_mx': true, 'entropy.suspicious': true }),
    ];
    expect(decisions.map(({ action }) => action)).toEqual(['BLOCK', 'BLOCK', 'ALLOW']);
    expect(decisions.map(({ ledger }) => ledger.map((entry) => ('id' in entry ? entry.id : '')))).toEqual([
      ['r', null, 'soft'],
      ['hard', 'r', null, 'hard'],
      ['r', 'hard', 'soft', null, null],
    ]);
  });

  it('is reported at the rule that may not read it, with its name and place', () => {
    const named = { no_mail: `{ all: [${NO_MX}] }`, mail: '{ not: { condition: no_mail } }' };
    const { problems } = lint(files('{ all: [{ condition: mail }] }', named, -10));
    const [problem] = problems;
    expect(problem?.message).toBe(
      'r reads domain.has_mx by the condition mail, which may be unknown: negative points would raise the score when it is unknown',
    );
    expect(problem).toMatchObject({ code: 'negative_points_unknown', line: 8 });
  });

  it.each<[string, Record<string, string>, string]>([
    ['itself', { x: '{ all: [{ condition: x }] }' }, 'the condition x is made of itself: x → x'],
    [
      'itself by two others',
      {
        z: '{ any: [{ condition: x }] }',
        x: '{ not: { condition: y } }',
        y: `{ any: [${ROLE}, { all: [{ condition: w }] }] }`,
        w: '{ all: [{ condition: x }] }',
      },
      'the condition x is made of itself: x → y → w → x',
    ],
  ])('that consists of %s is reported once, with the path', (_, named, message) => {
    expect(messages(files('{ all: [{ condition: x }] }', named))).toEqual([message]);
  });

  it('that contains itself across files is reported once', () => {
    const texts = {
      ...files('{ all: [{ condition: x }] }', { x: '{ all: [{ condition: y }] }' }),
      'b.yaml': `${declare({ y: '{ all: [{ condition: x }] }' })}${group('b', {})}`,
    };
    expect(messages(texts)).toEqual(['the condition x is made of itself: x → y → x']);
  });

  it('cannot grow without limit by names within names', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => {
        const inner = n === 0 ? NO_MX : `{ condition: c${n - 1} }`;
        return [`c${n}`, `{ any: [${inner}, { all: [${inner}, ${is('mx.host_count', n)}] }] }`];
      }),
    );
    const [message, ...others] = messages(files(`{ all: [{ condition: c29 }] }`, doubling));
    expect(message).toBe(
      `the condition c6 is 255 comparisons for the engine, more than ${MOST_COMPARISONS}: count fewer, or leave parts of it to the rules`,
    );
    expect(others).toEqual([]);
  });

  it('is not reported as missing where the file that may declare it is broken', () => {
    const texts = { ...files('{ all: [{ condition: elsewhere }] }'), 'b.yaml': 'conditions: [' };
    expect(lint(texts).problems.map(({ code }) => code)).toEqual(['yaml_syntax']);
  });

  it('may have the name of an object member, and a rule finds no undeclared one', () => {
    expect(
      messages(files('{ all: [{ condition: constructor }] }', { constructor: `{ all: [${ROLE}] }` })),
    ).toEqual([]);
    expect(messages(files('{ all: [{ condition: constructor }] }'))).toEqual([
      'there is no condition "constructor"',
    ]);
  });

  it('that is broken is reported alone, without its uses', () => {
    const named = {
      x: '{ all: [{ fact: nothing, operator: equal, value: 1 }] }',
      y: '{ not: { condition: x } }',
    };
    expect(messages(files('{ all: [{ condition: y }] }', named))).toEqual([
      'no provider answers a fact "nothing"',
    ]);
  });

  it('keeps its description, owner and written form', () => {
    const text = declare({ x: `{ not: ${NO_MX} }` }).replace('description', 'owner: risk, description');
    const { definitions } = lintRules(
      directory({
        'a.yaml': `${text}${group('a', { r: `${points(5)}, conditions: { all: [{ condition: x }] }` })}`,
      }),
      catalogue,
      { now: NOW },
    );
    expect(definitions?.conditions).toMatchObject([
      {
        ...{ name: 'x', description: 'Says so.', owner: 'risk' },
        conditions: { not: { fact: 'domain.has_mx', operator: 'equal', value: false } },
        condition: { fact: 'domain.has_mx', operator: 'notEqual', value: false },
      },
    ]);
  });
});
