import type { PolicyBook } from '../../checks/policy-book.ts';
import { digestOf, filesOf, type RuleFiles } from '../../rules/rule-files.ts';

/** The rules that decide now, as texts. */
export interface RulesInForce {
  /** `Postern-Ruleset`. */
  readonly hash: string;
  /** Of the texts. */
  readonly digest: string;
  readonly files: RuleFiles;
}

export function rulesInForce({ current }: Pick<PolicyBook, 'current'>): RulesInForce {
  const files = filesOf(current.sources);
  return { hash: current.ruleSet.hash, digest: digestOf(files), files };
}
