import { hash } from 'node:crypto';
import { canonicalJson } from '../lib/text.ts';

/** Path within the rules directory, `domain.yaml` or `tests/domain.yaml`, to text. */
export type RuleFiles = Readonly<Record<string, string>>;

/** The texts of a rules directory. Nothing is understood yet. */
export interface RuleSources {
  /** As it was given, for messages. */
  readonly dir: string;
  readonly files: RuleFiles;
  /** Files that are not read and seem meant to be, as `x.yml`, `lists/x.csv` or `eu/x.yaml`: lint tells of them. */
  readonly ignored?: readonly string[];
}

/** SHA-256 of all that stands in the files; unlike the hash of a rule set it tells comments apart, and tests. */
export function digestOf(files: RuleFiles): string {
  return hash('sha256', canonicalJson(files));
}
