import { compileRuleSet, type RuleSet } from '../../rules/compile.ts';
import type { RuleDefinitions } from '../../rules/definitions.ts';
import { otherFactMakers } from '../../rules/fact-making-parts.ts';
import type { FactCatalogue } from '../../signals/fact-catalogue.ts';
import type { BySide } from './report.ts';

/** One side of a comparison. */
export interface ComparedSet {
  /** What whoever reads the report calls it. */
  readonly directory: string;
  readonly definitions: RuleDefinitions;
  readonly ruleSet: RuleSet;
}

export function comparedSet(
  directory: string,
  definitions: RuleDefinitions,
  catalogue: FactCatalogue,
  now: number,
): ComparedSet {
  return { directory, definitions, ruleSet: compileRuleSet(definitions, catalogue, now) };
}

/** What differs between the sets before any rule is asked, and facts that are as they are cannot show. */
export function unseenByReplay({ base, candidate }: BySide<ComparedSet>): readonly string[] {
  return otherFactMakers(base.ruleSet, candidate.ruleSet).map(
    (file) =>
      `${file} differs: facts that were recorded were made by the one in force, so that change is not in these figures; a file of addresses would show it`,
  );
}
