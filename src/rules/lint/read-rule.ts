import { ACTIONS, LEVELS } from '../decision.ts';
import { MODES, type Rule } from '../definitions.ts';
import type { ProblemList } from '../problem.ts';
import type { Located } from '../yaml-document.ts';
import type { Declared } from './declared.ts';
import { type Fields, type MapShape, openMap, type RefusedKeys } from './fields.ts';
import { type ConditionContext, readConditions } from './read-condition.ts';
import type { ReadableFacts } from './readable-facts.ts';

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

export interface RuleContext {
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
export function readRule(value: Located, context: RuleContext): Rule | undefined {
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
