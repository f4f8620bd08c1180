import { explainLostShape } from '../../lib/yaml-syntax.ts';
import type { JsonSchema } from '../../provider-kit/index.ts';
import { factsRead } from '../conditions.ts';
import { ACTIONS, type Facts, LEVELS } from '../decision.ts';
import type { Expectation, RuleTest } from '../definitions.ts';
import { describeMisfit, isValueOf } from '../described-facts.ts';
import { firesIn } from '../kleene.ts';
import { describeValues } from '../ledger.ts';
import { meantBy, type ProblemList } from '../problem.ts';
import { isLeftOut, type Located, type LocatedMap, toPlain } from '../yaml-document.ts';
import type { LintContext } from './context.ts';
import * as field from './fields.ts';
import { meantValue } from './read-operand.ts';

const SCORE = field.integer(0, 100);
const RANGE = { what: 'a range', members: { min: field.optional(SCORE), max: field.optional(SCORE) } };
const IDS = { type: ['string', 'integer'] };
const EXPECTATION = {
  what: 'an expectation',
  members: {
    action: field.optional(field.oneOf(ACTIONS)),
    level: field.optional(field.oneOf(LEVELS)),
    score: field.optional({
      schema: { anyOf: [SCORE.schema, field.mapSchema(RANGE.members)] },
      read: readScore,
    }),
    fired: field.optional(field.list(IDS, 'Rules that fire; absorbed and shadow ones count.')),
    not_fired: field.optional(field.list(IDS, 'Rules that do not fire.')),
  },
};
const TEST = {
  what: 'a test',
  members: {
    name: field.prose('What the test shows.'),
    email: field.optional(field.text('An address whose local signals are the facts to begin with.')),
    at: field.TEST_MOMENT,
    facts: field.optional(field.part()),
    expect: field.part({ ...field.mapSchema(EXPECTATION.members), minProperties: 1 }),
  },
};

/** The schema for editors. `facts`: the schema of the installation's facts. */
export function testFileSchema(facts: JsonSchema): JsonSchema {
  const test = field.mapSchema(TEST.members, { facts });
  return field.list({ ...test, anyOf: [{ required: ['facts'] }, { required: ['email'] }] }).schema;
}

/** `tests/<group>.yaml`: a list of tests. */
export function readTestFile(value: Located, context: LintContext): readonly RuleTest[] {
  const items = field.itemsOf(value, 'a list of tests stands here', context.problems);
  const tests = items.flatMap((item) => readTest(item, context) ?? []);
  for (const [index, { name, place }] of tests.entries()) {
    const first = tests.slice(0, index).find((test) => test.name === name);
    if (!first) continue;
    const message = `a test of this name stands also in line ${first.place.line}`;
    context.problems.report('duplicate_entry', place, message);
  }
  return tests;
}

function readTest(item: Located, context: LintContext): RuleTest | undefined {
  const fields = field.openMap(item, TEST, context.problems);
  if (!fields) return undefined;
  const { name, email = null, at = null, facts: given, expect: expected } = fields.values;
  const facts = given ? readFacts(given, context) : {};
  if (given?.kind === 'map') checkTogether(facts, given, context);
  const expect = expected && readExpectation(expected, context);
  if (!given && email === null) {
    return context.problems.report('missing_key', fields.place, 'a test needs "facts" or "email"');
  }
  return name !== undefined && expect ? { name, email, at, facts, expect, place: fields.place } : undefined;
}

/** A mapping of facts to values, null where one is unknown; what does not fit is reported and left out. */
export function readFacts(
  given: Located,
  { catalogue: { facts }, problems }: Pick<LintContext, 'catalogue' | 'problems'>,
): Facts {
  const read: Record<string, Facts[string]> = {};
  if (given.kind !== 'map') {
    const remedy = explainLostShape(toPlain(given), 'mapping');
    problems.report('wrong_shape', given.place, `"facts" must be a mapping of facts to values${remedy}`);
    return read;
  }
  for (const [id, { keyPlace, value }] of given.entries) {
    const fact = facts.get(id);
    if (!fact) {
      const message = `no provider answers a fact "${id}"`;
      problems.report('unknown_fact', keyPlace, message, ...meantBy(id, facts.keys()));
    } else if (isLeftOut(value)) {
      problems.report('value_misfit', keyPlace, `no value stands here: ${describeMisfit(fact)}`);
    } else if (isValueOf(fact, value.value)) {
      read[id] = value.value;
    } else {
      problems.report('value_misfit', value.place, describeMisfit(fact), ...meantValue(value.value, fact));
    }
  }
  return read;
}

/** Reports the first contradiction only: to mend one fact often mends them all. */
function checkTogether(
  facts: Facts,
  given: LocatedMap,
  { catalogue: { never = [] }, problems }: LintContext,
): void {
  const found = never.find((together) => firesIn({ all: together }, facts));
  if (!found) return;
  const read = new Set(found.flatMap(factsRead));
  const stated = Object.keys(facts).filter((id) => read.has(id));
  const said = describeValues(Object.fromEntries(stated.map((id) => [id, facts[id] ?? null])));
  const place = given.entries.get(stated.at(-1) ?? '')?.value.place ?? given.place;
  const remedy = stated.length > 1 ? 'leave one of them out, or state what goes together' : 'leave it out';
  const message = `no address has ${said.replaceAll(', ', ' and ')}: ${remedy}`;
  problems.report('contradicting_facts', place, message);
}

function readExpectation(value: Located, { rules, problems }: LintContext): Expectation | undefined {
  const fields = field.openMap(value, EXPECTATION, problems);
  if (!fields) return undefined;
  if (value.kind === 'map' && value.entries.size === 0) {
    problems.report('empty_condition', value.place, 'a test that expects nothing cannot fail');
  }
  const { action, level, score } = fields.values;
  if (score?.min === 0 && score.max === 100) {
    const message = 'every score is from 0 to 100: this cannot fail';
    problems.report('empty_condition', fields.placeOf('score'), message);
  }
  const readIds = (key: 'fired' | 'not_fired') => {
    const items = fields.values[key];
    if (items?.length === 0) {
      const message = `an empty "${key}" expects nothing and cannot fail: leave it out, or name rules`;
      problems.report('empty_condition', fields.placeOf(key), message);
    }
    return (items ?? []).flatMap((item) => {
      if (item.kind !== 'scalar') {
        return problems.report('wrong_shape', item.place, `"${key}" lists ids of rules`) ?? [];
      }
      const id = String(item.value);
      return rules.get(id) ? [id] : (rules.reportMissing('unknown_rule', id, item.place) ?? []);
    });
  };
  const [fired, notFired] = [readIds('fired'), readIds('not_fired')];
  const both = fired.find((id) => notFired.includes(id));
  if (both !== undefined) {
    const message = `"${both}" stands in "fired" too: this test fails whatever the rules do`;
    problems.report('duplicate_value', fields.placeOf('not_fired'), message);
  }
  return { ...(action && { action }), ...(level && { level }), ...(score && { score }), fired, notFired };
}

/** `40`, or `{ min: 30, max: 50 }` with either end left out. */
function readScore(value: Located, key: string, problems: ProblemList): Expectation['score'] {
  if (value.kind !== 'map') {
    const score = SCORE.read(value, key, problems);
    return score === undefined ? undefined : { min: score, max: score };
  }
  const range = field.openMap(value, RANGE, problems);
  if (!range) return undefined;
  const { min = 0, max = 100 } = range.values;
  if (min > max) problems.report('out_of_range', value.place, `no score is from ${min} to ${max}`);
  return { min, max };
}
