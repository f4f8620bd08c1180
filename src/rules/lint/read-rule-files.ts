import { ACTIONS, LEVELS } from '../decision.ts';
import { MODES, type Rule, type RuleGroup, type Threshold } from '../definitions.ts';
import type { ProblemList } from '../problem.ts';
import type { Located } from '../yaml-document.ts';
import { type Declared, show } from './declared.ts';
import { type Fields, ID, type MapShape, openMap, type RefusedKeys } from './fields.ts';
import { readConditions } from './read-condition.ts';
import type { ConditionContext, ReadableFacts } from './readable-facts.ts';

const GROUP_FILE = {
  what: 'a group file',
  required: ['group', 'description', 'max_score', 'rules'],
  optional: ['thresholds'],
};
const DECISION_FILE = {
  what: 'decision.yaml',
  required: ['levels', 'actions'],
  optional: ['forced', 'thresholds', 'description'],
};
const THRESHOLD = { what: 'a threshold', required: ['value', 'description'] };

/** A rule file whose outermost keys have been judged. */
interface RuleFile {
  readonly isDecision: boolean;
  readonly fields: Fields;
}

export function openRuleFile(
  value: Located,
  isDecision: boolean,
  problems: ProblemList,
): RuleFile | undefined {
  const fields = openMap(value, isDecision ? DECISION_FILE : GROUP_FILE, problems);
  return fields && { isDecision, fields };
}

/** The thresholds of all files: they are read before any rule, since every file may use them. */
export function readThresholds(
  files: readonly RuleFile[],
  problems: ProblemList,
): ReadonlyMap<string, Threshold> {
  const thresholds = new Map<string, Threshold>();
  for (const { fields } of files) {
    const value = fields.at('thresholds');
    if (!value) continue;
    if (value.kind !== 'map') {
      problems.report(
        'wrong_shape',
        value.place,
        '"thresholds" must be a mapping of names to { value, description }',
      );
      continue;
    }
    for (const [name, entry] of value.entries) {
      const first = thresholds.get(name);
      if (!ID.test(name)) {
        problems.report('bad_id', entry.keyPlace, `"${name}" may hold only a-z, 0-9 and _`);
      } else if (first) {
        problems.report(
          'duplicate_id',
          entry.keyPlace,
          `threshold "${name}" stands also at ${show(first.place)}`,
        );
      } else {
        thresholds.set(name, { name, place: entry.keyPlace, ...readThreshold(entry.value, problems) });
      }
    }
  }
  return thresholds;
}

/**
 * A broken threshold is read as 0, one in quotes as what stands in them: its fault is reported here, and the rules that name it
 * are judged on.
 */
function readThreshold(located: Located, problems: ProblemList): { value: number; description: string } {
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

interface RuleFileContext {
  readonly facts: ReadableFacts;
  readonly declared: Declared;
  readonly problems: ProblemList;
}

export function readGroup(
  { fields }: RuleFile,
  context: RuleFileContext,
): { readonly group: RuleGroup | undefined; readonly rules: readonly Rule[] } {
  const id = fields.id('group');
  if (id !== undefined) context.declared.addGroup(id, fields.placeOf('group'), context.problems);
  const description = fields.text('description');
  const maxScore = fields.integer('max_score', 0, 100);
  // Without an id the rules are still judged, under a name that no group can have.
  const rules = readRules(fields, 'rules', { ...context, kind: 'points', group: id ?? '' });
  const isWhole = id !== undefined && description !== undefined && maxScore !== undefined;
  return { group: isWhole ? { id, description, maxScore } : undefined, rules };
}

export function readDecision({ fields }: RuleFile, context: RuleFileContext): readonly Rule[] {
  return [
    ...readRules(fields, 'forced', { ...context, kind: 'force', group: null }),
    ...readRules(fields, 'levels', { ...context, kind: 'level', group: null }),
    ...readRules(fields, 'actions', { ...context, kind: 'action', group: null }),
  ];
}

function readRules(fields: Fields, key: string, context: RuleContext): readonly Rule[] {
  return fields
    .list(key)
    .map((item) => readRule(item, context))
    .filter((rule) => rule !== undefined);
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

interface RuleContext {
  readonly kind: ConditionContext['kind'];
  /** Null in decision.yaml. */
  readonly group: string | null;
  readonly facts: ReadableFacts;
  readonly declared: Declared;
  readonly problems: ProblemList;
}

/**
 * One rule; undefined when what it does or when is broken, but its id is declared even then. What else is broken is told, and the
 * rule judged on: whoever mends it shall not find the next mistake only then.
 */
function readRule(value: Located, context: RuleContext): Rule | undefined {
  const { kind, group, problems } = context;
  const fields = openMap(value, kind === 'points' ? POINTS_RULE : DECISION_RULE, problems);
  if (!fields) {
    context.declared.isComplete = false;
    return undefined;
  }
  const id = fields.id('id');
  if (id === undefined) context.declared.isComplete = false;
  else context.declared.addRule(id, fields.placeOf('id'), { kind, group }, problems);
  const description = fields.text('description');
  const owner = fields.text('owner');
  const mode = fields.oneOf('mode', MODES);
  const expires = fields.expiry('expires');
  const condition = fields.at('conditions');
  const conditions = condition && readConditions(condition, context);
  const outcome = readOutcome(fields, context);
  const absorbs = fields.list('absorbs').flatMap((item) => {
    if (item.kind === 'scalar' && typeof item.value === 'string')
      return [{ id: item.value, place: item.place }];
    problems.report('wrong_shape', item.place, '"absorbs" lists ids of rules');
    return [];
  });
  if (mode === 'shadow' && kind !== 'points') {
    problems.report(
      'shadow_decides',
      fields.placeOf('mode'),
      'only rules with points can run in shadow: use live or off',
    );
    return undefined;
  }
  if (id === undefined || !conditions || !outcome) return undefined;
  const base = {
    id,
    description: description ?? '',
    owner: owner ?? null,
    mode: mode ?? 'live',
    expires,
    conditions,
  };
  const place = fields.placeOf('id');
  return outcome.kind === 'points' ? { ...base, ...outcome, absorbs, place } : { ...base, ...outcome, place };
}

/** `event: { type, params }`: what the rule does when it fires. */
function readOutcome(fields: Fields, { kind, group, problems }: RuleContext) {
  const value = fields.at('event');
  const event = value && openMap(value, { what: 'an event', required: ['type', 'params'] }, problems);
  const type = event?.text('type');
  if (!event || type === undefined) return undefined;
  if (type !== kind) {
    problems.report(
      'wrong_event',
      event.placeOf('type'),
      `rules that stand here have events of type ${kind}`,
      kind,
      // The params would not fit.
      null,
    );
    return undefined;
  }
  const key = kind === 'force' ? 'action' : kind;
  const paramsValue = event.at('params');
  const params =
    paramsValue && openMap(paramsValue, { what: `the params of ${kind}`, required: [key] }, problems);
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
