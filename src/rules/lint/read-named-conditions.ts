import { namesUsed, toNegationNormalForm, unorderedText } from '../conditions.ts';
import type { NamedCondition } from '../definitions.ts';
import { engineSize, MOST_COMPARISONS } from '../engine-form.ts';
import { describePlace, type Place, type ProblemList } from '../problem.ts';
import { conditionsRef } from '../schema/condition-schema.ts';
import type { Located } from '../yaml-document.ts';
import { type ConditionContext, Declared, type LintContext } from './context.ts';
import * as field from './fields.ts';
import { readConditions } from './read-condition.ts';

const NAMED_CONDITION = {
  what: 'a named condition',
  members: {
    description: field.prose('What it says of an address.'),
    owner: field.optional(field.prose('Whom to ask.')),
    conditions: field.part(conditionsRef('points')),
  },
};

export const CONDITIONS = field.optional(
  field.part({
    description: 'Conditions with a name, usable in every file as { condition: <name> }.',
    type: 'object',
    propertyNames: { pattern: field.ID.source },
    additionalProperties: field.mapSchema(NAMED_CONDITION.members),
  }),
);

interface Declaration {
  readonly place: Place;
  readonly value: Located;
}

/**
 * The named conditions of a directory. Each is read once: when a condition first uses it, else by `readAll`. The conditions that it uses
 * are read before it is complete, whichever file declares them.
 */
export class NamedConditions {
  readonly #declared: Declared<Declaration>;
  /** Undefined for one that is broken. */
  readonly #read = new Map<string, NamedCondition | undefined>();
  /** Names of the conditions being read now, each used by the one before: a name that recurs is a cycle. */
  readonly #open: string[] = [];

  /** `isComplete`: whether every file could be read. */
  constructor(sections: readonly (Located | undefined)[], isComplete: boolean, problems: ProblemList) {
    this.#declared = new Declared('condition', problems);
    this.#declared.isComplete = isComplete;
    for (const section of sections) {
      const message = '"conditions" must be a mapping of names to { description, conditions }';
      const items = section ? field.namedItems(section, message, problems) : [];
      if (!items) this.#declared.isComplete = false;
      for (const { name, ...item } of items ?? []) this.#declared.add(name, item);
    }
  }

  /** Every sound condition, in the order of declaration. */
  readAll(context: LintContext): readonly NamedCondition[] {
    return this.#declared.names().flatMap((name) => this.#readOnce(name, context) ?? []);
  }

  find(name: string, place: Place, context: LintContext): NamedCondition | undefined {
    if (!this.#declared.get(name)) {
      return this.#declared.reportMissing('unknown_condition', name, place);
    }
    if (!this.#open.includes(name)) return this.#readOnce(name, context);
    const path = [...this.#open.slice(this.#open.indexOf(name)), name].join(' → ');
    const message = `the condition ${name} is made of itself: ${path}`;
    return context.problems.report('condition_cycle', place, message);
  }

  #readOnce(name: string, context: LintContext): NamedCondition | undefined {
    const declared = this.#declared.get(name);
    if (!declared || this.#read.has(name)) return this.#read.get(name);
    this.#open.push(name);
    const read = readNamed(name, declared, { ...context, kind: 'named' });
    this.#open.pop();
    this.#read.set(name, read);
    return read;
  }
}

function readNamed(
  name: string,
  { place, value }: Declaration,
  context: ConditionContext,
): NamedCondition | undefined {
  const { problems } = context;
  const fields = field.openMap(value, NAMED_CONDITION, problems);
  const { description = '', owner = null, conditions: written } = fields?.values ?? {};
  const conditions = written && readConditions(written, context);
  if (!conditions) return undefined;
  const condition = toNegationNormalForm(conditions);
  const size = engineSize(condition);
  // Refused here already: a condition that uses it would be larger still.
  if (size > MOST_COMPARISONS) {
    const message = `the condition ${name} is ${size} comparisons for the engine, more than ${MOST_COMPARISONS}: count fewer, or leave parts of it to the rules`;
    return problems.report('large_condition', place, message);
  }
  return { name, description, owner, conditions, condition, place };
}

/** Reports a named condition that means the same as an earlier one, however each is written. */
export function checkCopies(conditions: readonly NamedCondition[], problems: ProblemList): void {
  const first = new Map<string, NamedCondition>();
  for (const one of conditions) {
    const { name, conditions: means, place } = one;
    const text = unorderedText(toNegationNormalForm({ condition: name, means, place }));
    const other = first.get(text);
    if (!other) {
      first.set(text, one);
      continue;
    }
    const message = `the condition ${name} says the same as ${other.name} (${describePlace(other.place)})`;
    problems.report('duplicate_condition', place, message);
  }
}

/** `rules`: all of them, also those that are off. */
export function checkConditionsUsed(
  conditions: readonly NamedCondition[],
  rules: readonly Pick<NamedCondition, 'conditions'>[],
  problems: ProblemList,
): void {
  const used = new Set(rules.flatMap(({ conditions }) => namesUsed(conditions)));
  for (const { name, place } of conditions) {
    if (used.has(name)) continue;
    problems.report('unused_condition', place, `no rule uses the condition ${name}`);
  }
}
