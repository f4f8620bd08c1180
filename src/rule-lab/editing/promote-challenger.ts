import { FACT_MAKERS } from '../../rules/compile.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';

const isTest = (path: string) => path.startsWith('tests/');

/**
 * What becomes of the files in force where a challenger is promoted: null for those that go. The files that make facts stay as they are,
 * for the challenger saw the facts of these; so do the tests, where it has none of its own.
 */
export function promotionOf(
  challenger: RuleFiles,
  inForce: RuleFiles,
): Readonly<Record<string, string | null>> {
  const hasTests = Object.keys(challenger).some(isTest);
  const stays = (path: string) => FACT_MAKERS.includes(path) || (isTest(path) && !hasTests);
  const gone = Object.keys(inForce).filter((path) => !stays(path) && !Object.hasOwn(challenger, path));
  const put = Object.entries(challenger).filter(([path]) => !stays(path));
  return { ...Object.fromEntries(gone.map((path) => [path, null])), ...Object.fromEntries(put) };
}
