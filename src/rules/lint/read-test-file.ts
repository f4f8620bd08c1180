import { ACTIONS, LEVELS } from '../decision.ts';
import type { Expectation, RuleTest } from '../definitions.ts';
import type { ProblemList } from '../problem.ts';
import type { Located } from '../yaml-document.ts';
import type { Declared } from './declared.ts';
import { type Fields, openMap } from './fields.ts';
import { type ReadableFacts, readFacts } from './readable-facts.ts';

const TEST = { what: 'a test', required: ['name', 'expect'], optional: ['facts', 'email'] };
const EXPECTATION = {
  what: 'an expectation',
  required: [],
  optional: ['action', 'level', 'score', 'fired', 'not_fired'],
};

export interface TestContext {
  readonly facts: ReadableFacts;
  readonly declared: Declared;
  readonly problems: ProblemList;
}

/** `tests/<group>.yaml`: a list of tests. */
export function readTestFile(value: Located, context: TestContext): readonly RuleTest[] {
  if (value.kind === 'scalar' && value.value === null) return [];
  if (value.kind !== 'list') {
    context.problems.report('wrong_shape', value.place, 'a list of tests stands here');
    return [];
  }
  return value.items.flatMap((item) => readTest(item, context) ?? []);
}

function readTest(item: Located, context: TestContext): RuleTest | undefined {
  const { problems } = context;
  const fields = openMap(item, TEST, problems);
  if (!fields) return undefined;
  const name = fields.text('name');
  const email = fields.text('email') ?? null;
  const given = fields.at('facts');
  const facts = given ? readFacts(given, context) : {};
  const expected = fields.at('expect');
  const expect = expected && readExpectation(expected, context);
  if (!given && email === null) {
    problems.report('missing_key', fields.place, 'a test needs "facts" or "email"');
    return undefined;
  }
  return name !== undefined && expect ? { name, email, facts, expect, place: fields.place } : undefined;
}

function readExpectation(value: Located, { declared, problems }: TestContext): Expectation | undefined {
  const fields = openMap(value, EXPECTATION, problems);
  if (!fields) return undefined;
  if (value.kind === 'map' && value.entries.size === 0) {
    problems.report('empty_condition', value.place, 'a test that expects nothing cannot fail');
  }
  const action = fields.oneOf('action', ACTIONS);
  const level = fields.oneOf('level', LEVELS);
  const score = readScore(fields, problems);
  const fired = readRuleIds(fields, 'fired', declared, problems);
  const notFired = readRuleIds(fields, 'not_fired', declared, problems);
  return { ...(action && { action }), ...(level && { level }), ...(score && { score }), fired, notFired };
}

/** `40`, or `{ min: 30, max: 50 }` with either end left out. */
function readScore(fields: Fields, problems: ProblemList): { min: number; max: number } | undefined {
  const value = fields.at('score');
  if (!value) return undefined;
  if (value.kind !== 'map') {
    const score = fields.integer('score', 0, 100);
    return score === undefined ? undefined : { min: score, max: score };
  }
  const range = openMap(value, { what: 'a range', required: [], optional: ['min', 'max'] }, problems);
  if (!range) return undefined;
  const min = range.integer('min', 0, 100) ?? 0;
  const max = range.integer('max', 0, 100) ?? 100;
  if (min > max) problems.report('out_of_range', value.place, `no score is from ${min} to ${max}`);
  return { min, max };
}

function readRuleIds(
  fields: Fields,
  key: string,
  declared: Declared,
  problems: ProblemList,
): readonly string[] {
  return fields.list(key).flatMap((item) => {
    if (item.kind !== 'scalar') {
      problems.report('wrong_shape', item.place, `"${key}" lists ids of rules`);
      return [];
    }
    const id = String(item.value);
    if (declared.rule(id)) return [id];
    declared.reportUnknown('unknown_rule', id, item.place, problems);
    return [];
  });
}
