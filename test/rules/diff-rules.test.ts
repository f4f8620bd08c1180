import { describe, expect, it } from 'vitest';
import { type Change, diffRules } from '../../src/rules/diff-rules.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { formatProblem } from '../../src/rules/problem.ts';
import { catalogue } from './catalogue.ts';
import { DECISION, directory, group, is, NOW, points, when } from './rules-directory.ts';

type Files = Readonly<Record<string, string>>;

function definitionsOf(files: Files) {
  const { definitions, problems } = lintRules(directory(files), catalogue, { now: NOW });
  if (!definitions) throw new Error(problems.map(formatProblem).join('\n'));
  return definitions;
}

const diff = (before: Files, after: Files): readonly Change[] =>
  diffRules(definitionsOf(before), definitionsOf(after), NOW);

const DISPOSABLE = when(is('domain.is_known_disposable', true));
const FREE = when(is('domain.is_known_free_provider', true));
const both = (rest: string, max = 100): Files => ({ 'mail.yaml': group('mail', { one: rest }, max) });

describe('the difference of two rules directories', () => {
  it('is empty between a directory and itself', () => {
    const files = both(`${points(40)}, ${DISPOSABLE}`);
    expect(diff(files, files)).toEqual([]);
  });

  it('is empty where the same condition is written differently', () => {
    const straight = `conditions: { all: [${is('domain.is_known_disposable', true)}, ${is('domain.is_known_free_provider', false)}] }`;
    const roundabout = `conditions: { not: { any: [${is('domain.is_known_free_provider', false).replace('equal', 'notEqual')}, { not: ${is('domain.is_known_disposable', true)} }] } }`;
    expect(diff(both(`${points(40)}, ${straight}`), both(`${points(40)}, ${roundabout}`))).toEqual([]);
  });

  it('shows the percentage and the salt of a rollout', () => {
    const to = (rollout: string, mode = 'live') => both(`${points(40, mode)}, ${rollout}${DISPOSABLE}`);
    const detail = (before: Files, after: Files) => diff(before, after)[0];
    const changed = (before: string, after: string) => ({
      change: 'changed',
      decides: true,
      details: [{ what: 'rollout', before, after }],
    });
    const ten = to('rollout: { percent: 10 }, ');
    expect(detail(ten, to('rollout: { percent: 25 }, '))).toMatchObject(changed('10 %', '25 %'));
    expect(detail(ten, to('rollout: { percent: 10, salt: may }, '))).toMatchObject(
      changed('10 %', '10 % by salt may'),
    );
    expect(detail(ten, to(''))).toMatchObject(changed('10 %', 'everyone'));
    expect(detail(to(''), ten)).toMatchObject(changed('everyone', '10 %'));
    expect(diff(ten, to('rollout: { percent: 10, salt: one }, '))).toEqual([]);
    const [added] = diff({}, ten).filter(({ subject }) => subject === 'rule');
    expect(added?.details).toContainEqual({ what: 'rollout', before: null, after: '10 %' });
    const promoted = detail(to('', 'shadow'), ten)?.details;
    expect(promoted).toContainEqual({ what: 'rollout', before: null, after: '10 %' });
    const stopped = detail(ten, to('', 'off'))?.details;
    expect(stopped).toContainEqual({ what: 'rollout', before: '10 %', after: null });
    const inShadow = (percent: number) => to(`rollout: { percent: ${percent} }, `, 'shadow');
    expect(detail(inShadow(10), inShadow(25))).toMatchObject({ decides: false });
  });

  it('treats a renamed rule as another rule where its rollout would choose other people', () => {
    const named = (id: string, salt = '') => ({
      'mail.yaml': group('mail', { [id]: `${points(40)}, rollout: { percent: 5${salt} }, ${DISPOSABLE}` }),
    });
    expect(diff(named('one'), named('two')).map(({ change }) => change)).toEqual(['removed', 'added']);
    const [renamed] = diff(named('one'), named('two', ', salt: one'));
    expect(renamed).toMatchObject({ change: 'renamed', id: 'two' });
  });

  it('shows changed points, conditions, parts, modes and ends of a rule', () => {
    const before = both(`${points(40)}, ${DISPOSABLE}`);
    expect(diff(before, both(`${points(50)}, ${DISPOSABLE}`))).toEqual([
      {
        subject: 'rule',
        id: 'one',
        change: 'changed',
        decides: true,
        details: [{ what: 'points', before: 40, after: 50 }],
        concerns: [],
      },
    ]);
    expect(diff(before, both(`${points(40)}, ${FREE}`))[0]).toMatchObject({
      decides: true,
      details: [
        {
          what: 'condition',
          before: ['domain.is_known_disposable equal true'],
          after: ['domain.is_known_free_provider equal true'],
        },
      ],
    });
    expect(diff(before, both(`${points(40, 'shadow')}, ${DISPOSABLE}`))[0]).toMatchObject({
      decides: true,
      details: [{ what: 'mode', before: 'live', after: 'shadow' }],
    });
    expect(diff(before, both(`${points(40)}, expires: 2026-11-19, ${DISPOSABLE}`))[0]).toMatchObject({
      decides: true,
      details: [
        { what: 'mode', before: 'live', after: 'expired' },
        { what: 'expires', before: null, after: '2026-11-19' },
      ],
    });
    expect(diff(before, both(`${points(40)}, starts: 2027-02-01, ${DISPOSABLE}`))[0]).toMatchObject({
      decides: true,
      details: [
        { what: 'mode', before: 'live', after: 'not_started' },
        { what: 'starts', before: null, after: '2027-02-01' },
      ],
    });
    expect(diff(before, both(`${points(40)}, expires: 2027-06-30, ${DISPOSABLE}`))[0]).toMatchObject({
      decides: false,
      details: [{ what: 'expires', before: null, after: '2027-06-30' }],
    });
  });

  it('shows both conditions in full where the same comparisons are combined differently', () => {
    const parts = `${is('domain.is_known_disposable', true)}, ${is('domain.is_known_free_provider', true)}`;
    const [change] = diff(
      both(`${points(40)}, conditions: { all: [${parts}] }`),
      both(`${points(40)}, conditions: { any: [${parts}] }`),
    );
    expect(change).toMatchObject({
      decides: true,
      details: [
        {
          what: 'condition',
          before: ['all(domain.is_known_disposable equal true; domain.is_known_free_provider equal true)'],
          after: ['any(domain.is_known_disposable equal true; domain.is_known_free_provider equal true)'],
        },
      ],
    });
  });

  it('shows added and removed rules, and reports a renamed one', () => {
    const one = { one: `${points(40)}, ${DISPOSABLE}` };
    const two = { ...one, two: `${points(20)}, ${FREE}` };
    const files = (rules: Readonly<Record<string, string>>): Files => ({ 'mail.yaml': group('mail', rules) });
    expect(diff(files(one), files(two))).toMatchObject([{ id: 'two', change: 'added', decides: true }]);
    expect(diff(files(two), files(one))).toMatchObject([{ id: 'two', change: 'removed', decides: true }]);
    expect(diff(files(one), files({ uno: `${points(40)}, ${DISPOSABLE}` }))).toMatchObject([
      { id: 'uno', change: 'renamed', details: [{ what: 'id', before: 'one', after: 'uno' }] },
    ]);
    expect(
      diff(files(one), files({ uno: `${points(40)}, expires: 2027-06-30, ${DISPOSABLE}` })),
    ).toMatchObject([
      { id: 'uno', change: 'renamed', details: [{ what: 'id' }, { what: 'expires', after: '2027-06-30' }] },
    ]);
    const twins = { uno: `${points(40)}, ${DISPOSABLE}`, due: `${points(40)}, ${DISPOSABLE}` };
    expect(
      diff(files(one), files(twins))
        .map(({ change }) => change)
        .sort(),
    ).toEqual(['added', 'renamed']);
    const shadow = { ...one, two: `${points(20, 'shadow')}, ${FREE}` };
    expect(diff(files(one), files(shadow))).toMatchObject([{ id: 'two', change: 'added', decides: false }]);
  });

  it('names the rules that a threshold or a cap affects; without any, nothing decides', () => {
    const withThreshold = (value: number, reader: string): Files => ({
      'mail.yaml': group('mail', { one: reader }).replace(
        'rules:',
        `thresholds:\n  many: { value: ${value}, description: Many. }\nrules:`,
      ),
    });
    const reader = `${points(40)}, ${when('{ fact: entropy.score, operator: greaterThan, value: { fact: threshold.many } }')}`;
    expect(diff(withThreshold(2, reader), withThreshold(3, reader))).toEqual([
      {
        subject: 'threshold',
        id: 'many',
        change: 'changed',
        decides: true,
        details: [{ what: 'value', before: 2, after: 3 }],
        concerns: ['one'],
      },
    ]);
    const shadow = reader.replace('mode: live', 'mode: shadow');
    expect(diff(withThreshold(2, shadow), withThreshold(3, shadow))[0]).toMatchObject({
      decides: false,
      concerns: [],
    });
    const rule = `${points(40)}, ${DISPOSABLE}`;
    expect(diff(both(rule, 100), both(rule, 50))[0]).toMatchObject({
      subject: 'group',
      decides: true,
      details: [{ what: 'max_score', before: 100, after: 50 }],
      concerns: ['one'],
    });
  });

  it('shows entries of the lists, with their reasons, owners and ends', () => {
    const rule = both(`${points(40)}, ${DISPOSABLE}`);
    const entry = (reason: string, more = '') =>
      `- { value: x.example, reason: ${reason}, owner: risk${more} }\n`;
    expect(diff(rule, { ...rule, 'deny.yaml': entry('Abuse.') })[0]).toMatchObject({
      subject: 'deny',
      id: 'x.example',
      change: 'added',
      decides: true,
    });
    const [change] = diff(
      { ...rule, 'allow.yaml': entry('Known.') },
      { ...rule, 'allow.yaml': entry('Partner.') },
    );
    expect(change).toMatchObject({
      subject: 'allow',
      decides: false,
      details: [{ what: 'reason', before: 'Known.', after: 'Partner.' }],
    });
    const ended = entry('Known.', ', expires: 2026-11-19');
    expect(
      diff({ ...rule, 'allow.yaml': entry('Known.') }, { ...rule, 'allow.yaml': ended })[0],
    ).toMatchObject({
      decides: true,
    });
  });

  it('shows the removal of a duplicate entry, whichever of the two it is', () => {
    const rule = both(`${points(40)}, ${DISPOSABLE}`);
    const entry = (reason: string, more = '') =>
      `- { value: x.example, reason: ${reason}, owner: risk${more} }\n`;
    const [live, ended] = [entry('Known.'), entry('Known.', ', expires: 2026-11-19')];
    for (const two of [`${live}${ended}`, `${ended}${live}`]) {
      const changes = diff({ ...rule, 'allow.yaml': two }, { ...rule, 'allow.yaml': ended });
      expect(changes.some(({ decides }) => decides)).toBe(true);
    }
    const swapped = { ...rule, 'allow.yaml': `${ended}${live}` };
    expect(diff({ ...rule, 'allow.yaml': `${live}${ended}` }, swapped)).toEqual([]);
  });

  it('says that the removal of an expired entry does not decide', () => {
    const rule = both(`${points(40)}, ${DISPOSABLE}`);
    const ended = '- { value: x.example, reason: Known., owner: risk, expires: 2026-11-19 }\n';
    expect(diff({ ...rule, 'allow.yaml': ended }, rule)).toMatchObject([
      { change: 'removed', decides: false },
    ]);
  });

  it('shows ends that differ by hours within one day', () => {
    const until = (end: string) => both(`${points(40)}, expires: ${end}, ${DISPOSABLE}`);
    const [change] = diff(until('2027-06-30T06:00Z'), until('2027-06-30T18:00Z'));
    expect(change?.details).toEqual([
      { what: 'expires', before: '2027-06-30T06:00:00.000Z', after: '2027-06-30T18:00:00.000Z' },
    ]);
  });

  it('shows for an added rule how its comparisons are combined', () => {
    const parts = `${is('domain.is_known_disposable', true)}, ${is('domain.is_known_free_provider', true)}`;
    const added = (word: string) =>
      diff({}, both(`${points(40)}, conditions: { ${word}: [${parts}] }`)).find(({ id }) => id === 'one');
    expect(added('any')?.details).not.toEqual(added('all')?.details);
  });

  it('shows levels, actions and texts, changes that decide first', () => {
    const rule = `${points(40)}, ${DISPOSABLE}`;
    const decision = DECISION.replace(
      'value: 70 }] }\n    event: { type: action',
      'value: 60 }] }\n    event: { type: action',
    );
    const worded = both(rule)['mail.yaml']?.replace('Says something.', 'Says more.') ?? '';
    const changes = diff(both(rule), { 'mail.yaml': worded, 'decision.yaml': decision });
    expect(changes).toMatchObject([
      { subject: 'action', id: 'block', decides: true },
      { subject: 'rule', id: 'one', decides: false, details: [{ what: 'description' }] },
    ]);
  });
});
