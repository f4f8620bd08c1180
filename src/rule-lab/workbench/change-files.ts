import { AppError } from '../../errors.ts';
import { compareKeys } from '../../lib/text.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';

/** What becomes of files: a text, or null for one that goes. */
export type FileChanges = Readonly<Record<string, string | null>>;

/** `domain.yaml` or `tests/domain.yaml`, and nothing that leads out of the directory or that a reading would pass over. */
const RULE_PATH = /^(?:tests\/)?[A-Za-z0-9_][A-Za-z0-9._-]{0,99}\.yaml$/;
/** What a directory of rules holds in total; a long deny list has some hundred thousand octets. */
const MOST_OCTETS = 4_000_000;
const MOST_FILES = 200;
/** Faults told at once. */
const MOST_DETAILS = 20;

/** The files with the changes in them, by path. Throws `invalid_request` for a path or a size that no rules directory has. */
export function changeFiles(before: RuleFiles, changes: FileChanges): RuleFiles {
  const faults = Object.keys(changes)
    .filter((path) => !RULE_PATH.test(path))
    .map((path) => ({
      path: `body/files/${path}`,
      message: 'is no rule file: name.yaml or tests/name.yaml, of letters, digits, - and _',
    }));
  if (faults.length > 0) throw new AppError('invalid_request', { details: faults.slice(0, MOST_DETAILS) });
  const kept = Object.entries(before).filter(([path]) => !Object.hasOwn(changes, path));
  const put = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null);
  const files = [...kept, ...put].sort(compareKeys);
  const octets = files.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
  if (files.length > MOST_FILES || octets > MOST_OCTETS) {
    throw new AppError('invalid_request', {
      details: [
        { path: 'body/files', message: `are more than ${MOST_FILES} files or ${MOST_OCTETS} octets` },
      ],
    });
  }
  return Object.fromEntries(files);
}
