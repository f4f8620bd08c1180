import { factsIn, toNegationNormalForm } from '../conditions.ts';
import { ACTIONS, LEVELS } from '../decision.ts';
import {
  type Effect,
  MODES,
  type Rollout,
  type Rule,
  type RuleGroup,
  type Threshold,
} from '../definitions.ts';
import { engineSize, MOST_COMPARISONS } from '../engine-form.ts';
import type { ProblemList } from '../problem.ts';
import { conditionsRef } from '../schema/condition-schema.ts';
import type { Located } from '../yaml-document.ts';
import { Declared, type LintContext, type RuleContext } from './context.ts';
import type { Fields, RefusedKeys } from './fields.ts';
import * as field from './fields.ts';
import { readConditions } from './read-condition.ts';
import { CONDITIONS } from './read-named-conditions.ts';

const THRESHOLD = {
  what: 'a threshold',
  members: {
    value: { schema: { type: 'number' }, read: readThresholdValue },
    description: field.prose('What begins at this number.'),
  },
};

const THRESHOLDS = field.optional(
  field.part({
    description: 'Numbers with a name, usable in every file as { fact: threshold.<name> }.',
    type: 'object',
    propertyNames: { pattern: field.ID.source },
    additionalProperties: field.mapSchema(THRESHOLD.members),
  }),
);

/** The highest score: more points would make no difference. */
const MOST_POINTS = 100;
const POINTS = field.integer(-MOST_POINTS, MOST_POINTS);

const EFFECTS = {
  points: { points: { schema: { ...POINTS.schema, not: { const: 0 } }, read: readPoints } },
  force: { action: field.oneOf(ACTIONS) },
  level: { level: field.oneOf(LEVELS) },
  // ALLOW is what happens when nothing fires; a rule for it could only undo a BLOCK.
  action: { action: field.oneOf(['BLOCK']) },
} satisfies Record<Rule['kind'], field.Members>;

function readPoints(value: Located, key: string, problems: ProblemList): number | undefined {
  const points = POINTS.read(value, key, problems);
  if (points !== 0) return points;
  const message = 'a rule worth 0 points does nothing: give it points, and use mode shadow to watch it';
  return problems.report('out_of_range', value.place, message);
}

/** Keys that json-rules-engine reads from a rule, and Postern refuses. */
const REFUSED: RefusedKeys = new Map([
  ['priority', ['engine_extra', 'rules have no order, so they have no priority']],
  ['name', ['engine_extra', 'the name of a rule is its id']],
  ['onSuccess', ['engine_extra', 'rules run no code']],
  ['onFailure', ['engine_extra', 'rules run no code']],
]);

const MODE = 'live counts; shadow is shown in the ledger and never counts; off does nothing.';
const OWNER = field.prose('Whom to ask.');
const EVENT = { type: field.text(), params: field.part() };

const PERCENT = field.integer(1, 99, 'Of people, whole: for so many the rule counts.');

const ROLLOUT = {
  what: 'a rollout',
  members: {
    percent: { ...PERCENT, read: readPercent },
    salt: field.optional(
      field.id('Chooses the people; the same salt the same ones. Without it the id of the rule does.'),
    ),
  },
};

/** YAML reads `10%` as text: refused, with the number as replacement. */
function readPercent(value: Located, key: string, problems: ProblemList): number | undefined {
  const { value: read, place } = value;
  if (read === 0 || read === 100) {
    const remedy = read === 0 ? 'use mode shadow to watch the rule' : 'leave "rollout" out';
    return problems.report('out_of_range', place, `"percent" is from 1 to 99: for ${read} % ${remedy}`);
  }
  const [, digits] = typeof read === 'string' ? (/^\s*([1-9]\d?)\s*%?\s*$/.exec(read) ?? []) : [];
  if (digits === undefined) return PERCENT.read(value, key, problems);
  const message = `"percent" must be a whole number: ${digits}, without quotes or a sign`;
  return problems.report('wrong_shape', place, message, undefined, digits);
}

const DECISION_RULE = {
  id: field.id('The name of the rule; unique in the directory, and never reused.'),
  description: field.prose('A sentence that a support agent can read out.'),
  owner: field.optional(OWNER),
  // The reader takes `shadow`, which the schema does not: `readRule` refuses it with a message of its own.
  mode: field.optional({ ...field.oneOf(MODES), schema: field.oneOf(['live', 'off'], MODE).schema }),
  starts: field.STARTS,
  expires: field.EXPIRES,
  conditions: field.part(),
  event: field.part(),
};
const POINTS_RULE = {
  ...DECISION_RULE,
  owner: OWNER,
  mode: field.oneOf(MODES, MODE),
  rollout: field.optional(
    field.part({
      description:
        'Counts for this part of people alone, the same ones each time; for the others as in mode shadow.',
      ...field.mapSchema(ROLLOUT.members),
    }),
  ),
  absorbs: field.optional(
    field.list({ type: 'string' }, 'Rules of this group whose points are taken back when this one fires.'),
  ),
};

const NO_ROLLOUT = 'only rules with points can be rolled out: an action is the same for everyone';
const REFUSED_IN_DECISION: RefusedKeys = new Map([...REFUSED, ['rollout', ['rollout_decides', NO_ROLLOUT]]]);

function rulesOf(kind: Rule['kind']) {
  return field.list(
    field.mapSchema(kind === 'points' ? POINTS_RULE : DECISION_RULE, {
      conditions: conditionsRef(kind === 'force' ? 'points' : kind),
      event: field.mapSchema(EVENT, { type: { const: kind }, params: field.mapSchema(EFFECTS[kind]) }),
    }),
  );
}

export const GROUP_FILE = {
  what: 'a group file',
  members: {
    group: field.id('The name of the group; never reused.'),
    description: field.prose('What its rules look at.'),
    max_score: field.integer(0, 100, 'The sum of the group counts up to this.'),
    thresholds: THRESHOLDS,
    conditions: CONDITIONS,
    rules: rulesOf('points'),
  },
};
export const DECISION_FILE = {
  what: 'decision.yaml',
  members: {
    description: field.optional(field.prose('What these decide.')),
    thresholds: THRESHOLDS,
    conditions: CONDITIONS,
    forced: field.optional(rulesOf('force')),
    levels: rulesOf('level'),
    actions: rulesOf('action'),
  },
};

type GroupFile = Fields<typeof GROUP_FILE.members>;
type DecisionFile = Fields<typeof DECISION_FILE.members>;

/** The thresholds of all files: they are read before any rule, since every file may use them. */
export function readThresholds(
  files: readonly (GroupFile | DecisionFile)[],
  problems: ProblemList,
): Declared<Threshold> {
  const thresholds = new Declared<Threshold>('threshold', problems);
  for (const fields of files) {
    const value = fields.values.thresholds;
    if (!value) continue;
    const message = '"thresholds" must be a mapping of names to { value, description }';
    const items = field.namedItems(value, message, problems);
    if (!items) thresholds.isComplete = false;
    for (const { name, place, value: item } of items ?? []) {
      const { value, description = '' } = field.openMap(item, THRESHOLD, problems)?.values ?? {};
      const read = value === undefined ? ({ value: 0, isBroken: true } as const) : { value };
      thresholds.add(name, { name, place, description, ...read });
    }
  }
  return thresholds;
}

/** Reports a value that is no number. One in quotes is read all the same, so that the rules that name the threshold are still judged. */
function readThresholdValue(value: Located, _key: string, problems: ProblemList): number | undefined {
  if (typeof value.value === 'number' && Number.isFinite(value.value)) return value.value;
  const quoted = field.numberIn(value.value, false);
  const message = `the value of a threshold must be a number${field.notThis(value)}`;
  problems.report('wrong_shape', value.place, message, undefined, quoted);
  return quoted === undefined ? undefined : Number(quoted);
}

/** `group` is undefined where a member of it is broken or missing; its rules are judged all the same. */
export function readGroup(
  fields: GroupFile,
  context: LintContext,
): { readonly group: RuleGroup | undefined; readonly rules: readonly Rule[] } {
  const { group: id, description, max_score: maxScore, rules: items } = fields.values;
  if (id !== undefined) context.groups.add(id, { place: fields.placeOf('group') });
  // Without an id the rules are still judged, under a name that no group can have.
  const rules = readRules(items, { ...context, kind: 'points', group: id ?? '' });
  const isWhole = id !== undefined && description !== undefined && maxScore !== undefined;
  return { group: isWhole ? { id, description, maxScore } : undefined, rules };
}

export function readDecision(fields: DecisionFile, context: LintContext): readonly Rule[] {
  const { forced, levels, actions } = fields.values;
  return [
    ...readRules(forced, { ...context, kind: 'force', group: null }),
    ...readRules(levels, { ...context, kind: 'level', group: null }),
    ...readRules(actions, { ...context, kind: 'action', group: null }),
  ];
}

function readRules(items: readonly Located[] | undefined, context: RuleContext): readonly Rule[] {
  return (items ?? []).flatMap((item) => readRule(item, context) ?? []);
}

/**
 * One rule. Undefined where its id, conditions or event is broken, its mode is refused or its condition is too large; its id is declared
 * even then. Other faults are reported and the rule is still judged, so that all of its mistakes are seen at once.
 */
function readRule(value: Located, context: RuleContext): Rule | undefined {
  const { kind, group, rules, problems } = context;
  const shape =
    kind === 'points'
      ? { what: 'a rule', members: POINTS_RULE, refused: REFUSED }
      : {
          what: 'a rule of decision.yaml',
          members: DECISION_RULE as typeof POINTS_RULE,
          refused: REFUSED_IN_DECISION,
        };
  const fields = field.openMap(value, shape, problems);
  const id = fields?.values.id;
  if (!fields || id === undefined) rules.isComplete = false;
  if (!fields) return undefined;
  const place = fields.placeOf('id');
  if (id !== undefined) rules.add(id, { kind, group, place });
  const { description = '', owner = null, mode = 'live', starts = null, expires = null } = fields.values;
  if (starts !== null && expires !== null && starts >= expires) {
    const message = '"starts" is not before "expires": the rule would never act';
    problems.report('bad_date', fields.placeOf('starts'), message);
  }
  const written = fields.values.conditions;
  const conditions = written && readConditions(written, context);
  const effect = readEffect(fields.values.event, context);
  const absorbsAt = (fields.values.absorbs ?? []).flatMap((item) => {
    if (typeof item.value === 'string') return [{ id: item.value, place: item.place }];
    return problems.report('wrong_shape', item.place, '"absorbs" lists ids of rules') ?? [];
  });
  const rollout = readRollout(fields.values.rollout, id, context);
  if (mode === 'shadow' && kind !== 'points') {
    const message = 'only rules with points can run in shadow: use live or off';
    return problems.report('shadow_decides', fields.placeOf('mode'), message);
  }
  if (id === undefined || !conditions || !effect) return undefined;
  const condition = toNegationNormalForm(conditions);
  const size = engineSize(condition);
  if (size > MOST_COMPARISONS) {
    const message = `the condition of ${id} is ${size} comparisons for the engine, more than ${MOST_COMPARISONS}: count fewer, or make rules of its parts`;
    return problems.report('large_condition', place, message);
  }
  const reads = factsIn(condition).toSorted();
  const base = { id, description, owner, mode, starts, expires, conditions, condition, reads, place };
  if (effect.kind !== 'points') return { ...base, ...effect };
  const absorbs = absorbsAt.map((other) => other.id).sort();
  return { ...base, ...effect, absorbs, absorbsAt, rollout };
}

/** The salt is the id of the rule unless the file has one. Null where there is no rollout, or where it cannot be read. */
function readRollout(
  value: Located | undefined,
  id: string | undefined,
  { problems }: RuleContext,
): Rollout | null {
  const fields = value && field.openMap(value, ROLLOUT, problems);
  const { percent, salt = id ?? '' } = fields?.values ?? {};
  return fields && percent !== undefined ? { percent, salt, place: fields.place } : null;
}

/** `event: { type, params }`: what the rule does when it fires. */
function readEffect(value: Located | undefined, { kind, group, problems }: RuleContext): Effect | undefined {
  const event = value && field.openMap(value, { what: 'an event', members: EVENT }, problems);
  if (event?.values.type === undefined) return undefined;
  const { type, params: inner } = event.values;
  if (type !== kind) {
    const message = `rules that stand here have events of type ${kind}, not ${JSON.stringify(type)}`;
    return problems.report('wrong_event', event.placeOf('type'), message, kind);
  }
  if (!inner) return undefined;
  const params = field.openMap(
    inner,
    { what: `the params of ${kind}`, members: EFFECTS[kind] as field.Members },
    problems,
  );
  const member = kind === 'force' ? 'action' : kind;
  const read = params?.values[member];
  return read === undefined
    ? undefined
    : ({ kind, ...(group !== null && { group }), [member]: read } as Effect);
}
