import { hash } from 'node:crypto';
import { canonicalJson } from '../lib/text.ts';

/** Path within the rules directory, `domain.yaml` or `tests/domain.yaml`, to text. */
export type RuleFiles = Readonly<Record<string, string>>;

/** The texts of a rules directory, not parsed yet. */
export interface RuleSources {
  /** As it was given, for messages. */
  readonly dir: string;
  readonly files: RuleFiles;
  /** Files that look like rule files but are not read, as `x.yml`, `lists/x.csv` or `eu/x.yaml`: lint warns of them. */
  readonly ignored?: readonly string[];
}

/** SHA-256 of all paths and texts; unlike the hash of a rule set it changes with comments and tests too. */
export function digestOf(files: RuleFiles): string {
  return hash('sha256', canonicalJson(files));
}
