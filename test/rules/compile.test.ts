import { describe, expect, it } from 'vitest';
import { compile, DECISION, group, is, NOW, points, when } from './rules-directory.ts';

const DISPOSABLE = when(is('domain.is_known_disposable', true));
const NO_MX = when(is('domain.has_mx', false));
const base = { one: `${points(10)}, ${DISPOSABLE}`, two: `${points(20)}, ${NO_MX}` };
const files = (rules: Record<string, string> = base, cap = 90) => ({ 'a.yaml': group('a', rules, cap) });
const hash = compile(files()).hash;
const THRESHOLD = 'thresholds: { t: { value: 3, description: T. } }\n';
const reading = (mode: string) =>
  `${points(5, mode)}, ${when('{ fact: mx.host_count, operator: greaterThan, value: { fact: threshold.t } }')}`;

describe('the hash of a rule set', () => {
  it('is 16 hex digits', () => {
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each<[string, Record<string, string>]>([
    ['the points of a rule', files({ ...base, one: `${points(11)}, ${DISPOSABLE}` })],
    ['a condition', files({ ...base, one: `${points(10)}, ${when(is('domain.is_role_account', true))}` })],
    ['the id of a rule', files({ uno: base.one, two: base.two })],
    ['a rule more', files({ ...base, three: `${points(1)}, ${when(is('domain.is_catch_all', true))}` })],
    ['a rule switched off', files({ ...base, one: `${points(10, 'off')}, ${DISPOSABLE}` })],
    ['what a rule absorbs', files({ ...base, two: `${points(20)}, ${NO_MX}, absorbs: [one]` })],
    ['the cap of a group', files(base, 80)],
    ['a level', { ...files(), 'decision.yaml': DECISION.replace('value: 30', 'value: 31') }],
    [
      'a threshold that a signal is made by',
      { ...files(), 'signals.yaml': 'entropy: { minimum_length: 9 }' },
    ],
  ])('changes with %s', (_, changed) => {
    expect(compile(changed).hash).not.toBe(hash);
  });

  it('changes with the value of a threshold that a live rule reads', () => {
    const at = (value: number) =>
      compile({ 'a.yaml': THRESHOLD.replace('3', String(value)) + group('a', { r: reading('live') }) }).hash;
    expect(at(3)).not.toBe(at(4));
  });

  it.each<[string, Record<string, string>]>([
    ['a description', { 'a.yaml': files()['a.yaml'].replace('Says something.', 'Says it better.') }],
    ['an owner', { 'a.yaml': files()['a.yaml'].replace('owner: risk', 'owner: fraud') }],
    ['the order of rules', files({ two: base.two, one: base.one })],
    [
      'a shadow rule and its threshold',
      { 'a.yaml': THRESHOLD + group('a', { ...base, r: reading('shadow') }, 90) },
    ],
    ['a rule that is off', files({ ...base, r: `${points(5, 'off')}, ${NO_MX}` })],
    ['a rule that is to come', files({ ...base, r: `${points(5)}, ${NO_MX}, starts: 2026-11-21` })],
    ['a rule that has expired', files({ ...base, r: `${points(5)}, ${NO_MX}, expires: 2026-01-01` })],
    [
      'what is absorbed and never fires',
      files({ ...base, one: `${base.one}, absorbs: [r]`, r: `${points(1, 'off')}, ${NO_MX}` }),
    ],
    ['a group without live rules', { ...files(), 'b.yaml': group('b', {}) }],
    ['an entry of a list', { ...files(), 'deny.yaml': '- { value: x.org, reason: R., owner: o }' }],
    [
      'a signal threshold written out at its default',
      { ...files(), 'signals.yaml': 'entropy: { minimum_length: 8 }' },
    ],
    ['a test', { ...files(), 'tests/a.yaml': '- { name: n, facts: {}, expect: { score: 0 } }' }],
  ])('does not change with %s', (_, changed) => {
    expect(compile(changed).hash).toBe(hash);
  });
});

describe('an expiry', () => {
  const expiring = (expires: string) => files({ one: `${points(10)}, ${DISPOSABLE}, expires: ${expires}` });
  const ids = (text: string, now: number) => compile(expiring(text), now).points.map(({ id }) => id);

  it('given as a date is valid to the end of that day in UTC', () => {
    expect(ids('2026-11-20', Date.parse('2026-11-20T23:59:59.999Z'))).toEqual(['one']);
    expect(ids('2026-11-20', Date.parse('2026-11-21T00:00:00Z'))).toEqual([]);
  });

  it('given as a time is valid until then', () => {
    expect(ids('"2026-11-20T10:00:00+02:00"', Date.parse('2026-11-20T07:59:59.999Z'))).toEqual(['one']);
    expect(ids('"2026-11-20T10:00:00+02:00"', Date.parse('2026-11-20T08:00:00Z'))).toEqual([]);
  });

  it('of the next rule or list entry in force is returned; past ones and switched-off rules are ignored', () => {
    const { nextChange, lists } = compile({
      ...files({
        one: `${points(10)}, ${DISPOSABLE}, expires: 2027-03-01`,
        two: `${points(10, 'off')}, ${NO_MX}, expires: 2026-12-01`,
      }),
      'allow.yaml': '- { value: past.org, reason: R., owner: o, expires: 2026-11-01 }',
      'deny.yaml':
        '- { value: x.org, reason: R., owner: o, expires: 2027-01-31 }\n- { value: y.org, reason: R., owner: o }',
    });
    expect(nextChange).toBe(Date.parse('2027-02-01T00:00:00Z'));
    expect(lists).toEqual({
      allow: [],
      deny: [
        { value: 'x.org', reason: 'R.', owner: 'o' },
        { value: 'y.org', reason: 'R.', owner: 'o' },
      ],
    });
    expect(compile(files()).nextChange).toBeNull();
  });
});

describe('a start', () => {
  const starting = (starts: string, more = '') =>
    files({ one: `${points(10)}, ${DISPOSABLE}, starts: ${starts}${more}` });
  const ids = (text: string, now: string) =>
    compile(starting(text), Date.parse(now)).points.map(({ id }) => id);

  it('given as a date begins with that day in UTC', () => {
    expect(ids('2026-11-21', '2026-11-20T23:59:59.999Z')).toEqual([]);
    expect(ids('2026-11-21', '2026-11-21T00:00:00Z')).toEqual(['one']);
  });

  it('given as a time begins then', () => {
    expect(ids('"2026-11-20T10:00:00+02:00"', '2026-11-20T07:59:59.999Z')).toEqual([]);
    expect(ids('"2026-11-20T10:00:00+02:00"', '2026-11-20T08:00:00Z')).toEqual(['one']);
  });

  it('in the past has no effect, not even on the hash', () => {
    expect(compile(starting('2026-11-01')).hash).toBe(
      compile(files({ one: `${points(10)}, ${DISPOSABLE}` })).hash,
    );
  });

  it('in the future is the next change of the set, then the end of the rule', () => {
    const next = (now: number) => compile(starting('2027-02-01', ', expires: 2027-02-28'), now).nextChange;
    expect(next(NOW)).toBe(Date.parse('2027-02-01T00:00:00Z'));
    expect(next(Date.parse('2027-02-01T00:00:00Z'))).toBe(Date.parse('2027-03-01T00:00:00Z'));
    expect(next(Date.parse('2027-03-01T00:00:00Z'))).toBeNull();
  });
});

describe('list entries', () => {
  it('that are addresses apply to the whole mailbox, however they were written', () => {
    const { lists } = compile({
      ...files(),
      'deny.yaml':
        '- { value: J.Doe+spam@googlemail.com, reason: R., owner: o }\n- { value: .X.org, reason: R., owner: o }',
    });
    expect(lists.deny.map(({ value }) => value)).toEqual(['jdoe@gmail.com', '.X.org']);
  });
});

describe('a rule set', () => {
  it('is immutable', () => {
    const ruleSet = compile(files());
    expect(() => Object.assign(ruleSet.points[0] ?? {}, { points: 0 })).toThrow(TypeError);
    expect(() => Object.assign(ruleSet.signals, { entropy: {} })).toThrow(TypeError);
  });

  it('gives each provider its thresholds, with the defaults where the file is silent', () => {
    expect(compile(files(), NOW).signals).toEqual({ entropy: { minimum_length: 8 } });
    expect(compile({ 'signals.yaml': 'entropy:\n  minimum_length: 5\n' }).signals).toEqual({
      entropy: { minimum_length: 5 },
    });
  });
});
