import { ACTIONS, LEVELS } from '../decision.ts';
import { type Effect, MODES, type Rule, type RuleGroup, type Threshold } from '../definitions.ts';
import type { ProblemList } from '../problem.ts';
import type { Located } from '../yaml-document.ts';
import { Declared, type LintContext, type RuleContext } from './context.ts';
import { type Fields, ID, type MapShape, openMap, type RefusedKeys } from './fields.ts';
import { readConditions } from './read-condition.ts';

export const GROUP_FILE: MapShape = {
  what: 'a group file',
  required: ['group', 'description', 'max_score', 'rules'],
  optional: ['thresholds'],
};
export const DECISION_FILE: MapShape = {
  what: 'decision.yaml',
  required: ['levels', 'actions'],
  optional: ['forced', 'thresholds', 'description'],
};
const THRESHOLD = { what: 'a threshold', required: ['value', 'description'] };

/** The thresholds of all files: they are read before any rule, since every file may use them. */
export function readThresholds(files: readonly Fields[], problems: ProblemList): Declared<Threshold> {
  const thresholds = new Declared<Threshold>('threshold');
  for (const fields of files) {
    const value = fields.at('thresholds');
    if (!value) continue;
    if (value.kind !== 'map') {
      const message = '"thresholds" must be a mapping of names to { value, description }';
      problems.report('wrong_shape', value.place, message);
      continue;
    }
    for (const [name, { keyPlace: place, value: located }] of value.entries) {
      if (!ID.test(name)) problems.report('bad_id', place, `"${name}" may hold only a-z, 0-9 and _`);
      else thresholds.add(name, { name, place, ...readThreshold(located, problems) }, problems);
    }
  }
  return thresholds;
}

/**
 * A broken threshold is read as 0, one in quotes as what stands in them: its fault is reported here, and the rules that name it
 * are judged on.
 */
function readThreshold(located: Located, problems: ProblemList): Pick<Threshold, 'value' | 'description'> {
  const fields = openMap(located, THRESHOLD, problems);
  const description = fields?.text('description') ?? '';
  const value = fields?.at('value');
  if (!value) return { value: 0, description };
  if (value.kind === 'scalar' && typeof value.value === 'number' && Number.isFinite(value.value)) {
    return { value: value.value, description };
  }
  const text = value.kind === 'scalar' ? String(value.value) : '';
  const quoted = /^-?\d{1,9}(\.\d+)?$/.test(text) ? text : undefined;
  const message = 'the value of a threshold must be a number';
  problems.report('wrong_shape', value.place, message, undefined, quoted);
  return { value: Number(quoted ?? 0), description };
}

interface ReadFile {
  readonly groups: readonly RuleGroup[];
  readonly rules: readonly Rule[];
}

export function readGroup(fields: Fields, context: LintContext): ReadFile {
  const id = fields.id('group');
  if (id !== undefined) context.groups.add(id, { place: fields.placeOf('group') }, context.problems);
  const description = fields.text('description');
  const maxScore = fields.integer('max_score', 0, 100);
  // Without an id the rules are still judged, under a name that no group can have.
  const rules = readRules(fields, 'rules', { ...context, kind: 'points', group: id ?? '' });
  const isWhole = id !== undefined && description !== undefined && maxScore !== undefined;
  return { groups: isWhole ? [{ id, description, maxScore }] : [], rules };
}

export function readDecision(fields: Fields, context: LintContext): ReadFile {
  const rules = [
    ...readRules(fields, 'forced', { ...context, kind: 'force', group: null }),
    ...readRules(fields, 'levels', { ...context, kind: 'level', group: null }),
    ...readRules(fields, 'actions', { ...context, kind: 'action', group: null }),
  ];
  return { groups: [], rules };
}

function readRules(fields: Fields, key: string, context: RuleContext): readonly Rule[] {
  return fields.list(key).flatMap((item) => readRule(item, context) ?? []);
}

/** More than the score can hold would say nothing. */
export const MOST_POINTS = 100;

/** What json-rules-engine reads from a rule and Postern does not. */
const REFUSED: RefusedKeys = {
  priority: ['engine_extra', 'rules have no order, so they have no priority'],
  name: ['engine_extra', 'the name of a rule is its id'],
  onSuccess: ['engine_extra', 'rules run no code'],
  onFailure: ['engine_extra', 'rules run no code'],
};

const COMMON = ['id', 'description', 'conditions', 'event'];
const POINTS_RULE: MapShape = {
  what: 'a rule',
  required: [...COMMON, 'owner', 'mode'],
  optional: ['expires', 'absorbs'],
  refused: REFUSED,
};
const DECISION_RULE: MapShape = {
  what: 'a rule of decision.yaml',
  required: COMMON,
  optional: ['owner', 'mode', 'expires'],
  refused: REFUSED,
};

/**
 * One rule; undefined when what it does or when is broken, but its id is declared even then. What else is broken is reported, and
 * the rule judged on, so that all of its mistakes are seen at once.
 */
function readRule(value: Located, context: RuleContext): Rule | undefined {
  const { kind, group, rules, problems } = context;
  const fields = openMap(value, kind === 'points' ? POINTS_RULE : DECISION_RULE, problems);
  const id = fields?.id('id');
  if (!fields || id === undefined) rules.isComplete = false;
  if (!fields) return undefined;
  const place = fields.placeOf('id');
  if (id !== undefined) rules.add(id, { kind, group, place }, problems);
  const description = fields.text('description') ?? '';
  const owner = fields.text('owner') ?? null;
  const mode = fields.oneOf('mode', MODES) ?? 'live';
  const expires = fields.expiry('expires');
  const condition = fields.at('conditions');
  const conditions = condition && readConditions(condition, context);
  const effect = readEffect(fields, context);
  const absorbs = fields.list('absorbs').flatMap((item) => {
    if (item.kind === 'scalar' && typeof item.value === 'string') {
      return [{ id: item.value, place: item.place }];
    }
    problems.report('wrong_shape', item.place, '"absorbs" lists ids of rules');
    return [];
  });
  if (mode === 'shadow' && kind !== 'points') {
    const message = 'only rules with points can run in shadow: use live or off';
    problems.report('shadow_decides', fields.placeOf('mode'), message);
    return undefined;
  }
  if (id === undefined || !conditions || !effect) return undefined;
  const base = { id, description, owner, mode, expires, conditions, place };
  return effect.kind === 'points' ? { ...base, ...effect, absorbs } : { ...base, ...effect };
}

/** `event: { type, params }`: what the rule does when it fires. */
function readEffect(fields: Fields, { kind, group, problems }: RuleContext): Effect | undefined {
  const value = fields.at('event');
  const event = value && openMap(value, { what: 'an event', required: ['type', 'params'] }, problems);
  const type = event?.text('type');
  if (!event || type === undefined) return undefined;
  if (type !== kind) {
    const message = `rules that stand here have events of type ${kind}`;
    // The hint is no fix: the params would not fit.
    problems.report('wrong_event', event.placeOf('type'), message, kind, null);
    return undefined;
  }
  const inner = event.at('params');
  const shape = { what: `the params of ${kind}`, required: [kind === 'force' ? 'action' : kind] };
  const params = inner && openMap(inner, shape, problems);
  if (!params) return undefined;
  switch (kind) {
    case 'points': {
      const points = params.integer('points', -MOST_POINTS, MOST_POINTS);
      if (points === 0) {
        const message = 'a rule worth 0 points does nothing: give it points, and use mode shadow to watch it';
        problems.report('out_of_range', params.placeOf('points'), message);
      }
      return points && group !== null ? { kind, group, points } : undefined;
    }
    case 'level': {
      const level = params.oneOf('level', LEVELS);
      return level && { kind, level };
    }
    case 'action': {
      // ALLOW is what happens when nothing fires; a rule for it could only undo a BLOCK.
      const action = params.oneOf('action', ['BLOCK'] as const);
      return action && { kind, action };
    }
    case 'force': {
      const action = params.oneOf('action', ACTIONS);
      return action && { kind, action };
    }
  }
}
