import { suggest } from '../../lib/did-you-mean.ts';
import type { Place, ProblemList } from '../problem.ts';

interface DeclaredRule {
  readonly kind: 'points' | 'force' | 'level' | 'action';
  readonly group: string | null;
}

/**
 * The ids that a directory uses, broken rules included: a rule with a fault in its condition still exists for
 * the tests and composites that name it.
 */
export class Declared {
  /** False once a file or a rule could not be read: what is missing may stand there. */
  isComplete: boolean;
  readonly #groups = new Map<string, Place>();
  readonly #rules = new Map<string, DeclaredRule & { readonly place: Place }>();

  constructor(isComplete: boolean) {
    this.isComplete = isComplete;
  }

  addGroup(id: string, place: Place, problems: ProblemList): void {
    const first = this.#groups.get(id);
    if (first) problems.report('duplicate_id', place, `group "${id}" stands also at ${show(first)}`);
    else this.#groups.set(id, place);
  }

  addRule(id: string, place: Place, rule: DeclaredRule, problems: ProblemList): void {
    const first = this.#rules.get(id);
    if (first) problems.report('duplicate_id', place, `rule "${id}" stands also at ${show(first.place)}`);
    else this.#rules.set(id, { ...rule, place });
  }

  rule(id: string): DeclaredRule | undefined {
    return this.#rules.get(id);
  }

  /** Says that no rule has this id, unless it may stand in what could not be read. */
  reportUnknown(
    code: 'unknown_rule' | 'absorbs_unknown_rule',
    id: string,
    place: Place,
    problems: ProblemList,
  ): void {
    if (!this.isComplete) return;
    problems.report(code, place, `there is no rule "${id}"`, suggest(id, this.#rules.keys()));
  }
}

export function show({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}
