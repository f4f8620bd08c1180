import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { StartupError } from '../../errors.ts';
import { digestOf, filesOf, type RuleFiles } from '../../rules/rule-files.ts';
import { type RuleSources, readRuleSources } from '../../rules/rule-sources.ts';

export interface ReadRules {
  readonly files: RuleFiles;
  readonly sources: RuleSources;
  readonly digest: string;
}

/** What lies in the rules directory, or why it cannot be read. */
export type RulesOnDisk = ReadRules | { readonly files: null; readonly faults: readonly string[] };

export async function readRulesOnDisk(dir: string): Promise<RulesOnDisk> {
  try {
    const sources = await readRuleSources(dir);
    const files = filesOf(sources);
    return { files, sources, digest: digestOf(files) };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return { files: null, faults: error.faults };
  }
}

/** Whether this process may put files there. */
export async function isWritable(dir: string): Promise<boolean> {
  return access(dir, constants.W_OK).then(
    () => true,
    () => false,
  );
}
