import type { Rule, RuleGroup, Threshold } from '../definitions.ts';
import type { ProblemList } from '../problem.ts';
import type { Located } from '../yaml-document.ts';
import type { Declared } from './declared.ts';
import { show } from './declared.ts';
import { type Fields, ID, openMap } from './fields.ts';
import { type RuleContext, readRule } from './read-rule.ts';
import type { ReadableFacts } from './readable-facts.ts';

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
export interface RuleFile {
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

export interface RuleFileContext {
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
