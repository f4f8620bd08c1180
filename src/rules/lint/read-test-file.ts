import { suggest } from '../../lib/did-you-mean.ts';
import { ACTIONS, type Facts, LEVELS } from '../decision.ts';
import type { Expectation, RuleTest } from '../definitions.ts';
import { describeMisfit, isValueOf } from '../described-facts.ts';
import type { ProblemList } from '../problem.ts';
import type { Located } from '../yaml-document.ts';
import type { LintContext } from './context.ts';
import { type Fields, itemsOf, openMap } from './fields.ts';

const TEST = { what: 'a test', required: ['name', 'expect'], optional: ['facts', 'email'] };
const EXPECTATION = {
  what: 'an expectation',
  required: [],
  optional: ['action', 'level', 'score', 'fired', 'not_fired'],
};

/** `tests/<group>.yaml`: a list of tests. */
export function readTestFile(value: Located, context: LintContext): readonly RuleTest[] {
  const items = itemsOf(value, 'a list of tests stands here', context.problems);
  return items.flatMap((item) => readTest(item, context) ?? []);
}

function readTest(item: Located, context: LintContext): RuleTest | undefined {
  const fields = openMap(item, TEST, context.problems);
  if (!fields) return undefined;
  const name = fields.text('name');
  const email = fields.text('email') ?? null;
  const given = fields.at('facts');
  const facts = given ? readFacts(given, context) : {};
  const expected = fields.at('expect');
  const expect = expected && readExpectation(expected, context);
  if (!given && email === null) {
    context.problems.report('missing_key', fields.place, 'a test needs "facts" or "email"');
    return undefined;
  }
  return name !== undefined && expect ? { name, email, facts, expect, place: fields.place } : undefined;
}

/** A mapping of facts to values, null where one is unknown; what does not fit is reported and left out. */
export function readFacts(
  given: Located,
  { catalogue: { facts }, problems }: Pick<LintContext, 'catalogue' | 'problems'>,
): Facts {
  const read: Record<string, Facts[string]> = {};
  if (given.kind !== 'map') {
    problems.report('wrong_shape', given.place, '"facts" must be a mapping of facts to values');
    return read;
  }
  for (const [id, { keyPlace, value }] of given.entries) {
    const fact = facts.get(id);
    if (!fact) {
      const message = `no provider answers a fact "${id}"`;
      problems.report('unknown_fact', keyPlace, message, suggest(id, facts.keys()));
    } else if (value.kind === 'scalar' && isValueOf(fact, value.value)) {
      read[id] = value.value;
    } else {
      problems.report('value_misfit', value.place, describeMisfit(fact));
    }
  }
  return read;
}

function readExpectation(value: Located, { rules, problems }: LintContext): Expectation | undefined {
  const fields = openMap(value, EXPECTATION, problems);
  if (!fields) return undefined;
  if (value.kind === 'map' && value.entries.size === 0) {
    problems.report('empty_condition', value.place, 'a test that expects nothing cannot fail');
  }
  const action = fields.oneOf('action', ACTIONS);
  const level = fields.oneOf('level', LEVELS);
  const score = readScore(fields, problems);
  const readIds = (key: string) =>
    fields.list(key).flatMap((item) => {
      if (item.kind !== 'scalar') {
        problems.report('wrong_shape', item.place, `"${key}" lists ids of rules`);
        return [];
      }
      const id = String(item.value);
      if (rules.get(id)) return [id];
      rules.reportMissing('unknown_rule', id, item.place, problems);
      return [];
    });
  const [fired, notFired] = [readIds('fired'), readIds('not_fired')];
  return { ...(action && { action }), ...(level && { level }), ...(score && { score }), fired, notFired };
}

/** `40`, or `{ min: 30, max: 50 }` with either end left out. */
function readScore(fields: Fields, problems: ProblemList): Expectation['score'] {
  const value = fields.at('score');
  if (value?.kind !== 'map') {
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
