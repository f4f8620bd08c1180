import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { compareKeys } from '../lib/text.ts';
import type { RuleSource, RuleSources } from './rule-sources.ts';
import { canonicalJson } from './ruleset-hash.ts';

/** Path within the rules directory, `domain.yaml` or `tests/domain.yaml`, to text. */
export type RuleFiles = Readonly<Record<string, string>>;

const TESTS = 'tests/';

/** The texts by their paths, in the order of these. */
export function filesOf({ rules, tests }: RuleSources): RuleFiles {
  const entries = [
    ...rules.map(({ name, text }) => [name, text] as const),
    ...tests.map(({ name, text }) => [`${TESTS}${name}`, text] as const),
  ];
  return Object.fromEntries(entries.sort(compareKeys));
}

/** The texts as if they had been read from `dir`. */
export function sourcesOf(dir: string, files: RuleFiles): RuleSources {
  const sources = Object.entries(files).map(([path, text]) => ({ path, file: join(dir, path), text }));
  const named = ({ path, file, text }: (typeof sources)[number]): RuleSource => ({
    file,
    name: path.replace(TESTS, ''),
    text,
  });
  return {
    dir,
    rules: sources.filter(({ path }) => !path.startsWith(TESTS)).map(named),
    tests: sources.filter(({ path }) => path.startsWith(TESTS)).map(named),
    ignored: [],
  };
}

/** SHA-256 of all that stands in the files; unlike the hash of a rule set it tells comments apart, and tests. */
export function digestOf(files: RuleFiles): string {
  return createHash('sha256').update(canonicalJson(files)).digest('hex');
}
