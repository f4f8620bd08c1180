import { constants } from 'node:fs';
import { access, mkdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RuleFiles } from '../../rules/rule-files.ts';
import { replaceFile } from '../../storage/replace-file.ts';
import { CannotRun } from '../cannot-run.ts';

/** Makes a rules directory that holds `before` hold `after`, each file in one step. Throws CannotRun, at best before it began. */
export async function writeRuleFiles(dir: string, before: RuleFiles, after: RuleFiles): Promise<void> {
  const changed = Object.entries(after).filter(([path, text]) => before[path] !== text);
  const gone = Object.keys(before).filter((path) => after[path] === undefined);
  const paths = [...changed.map(([path]) => path), ...gone];
  // Files are replaced, not written into, so that it is their folders that must be open to us.
  const folders = new Set(paths.map((path) => dirname(join(dir, path))));
  for (const folder of folders) {
    await attempt(folder, async () => {
      await mkdir(folder, { recursive: true });
      await access(folder, constants.W_OK);
    });
  }
  for (const [path, text] of changed) {
    const file = join(dir, path);
    await attempt(file, () => replaceFile(file, text));
  }
  for (const path of gone) await attempt(join(dir, path), () => unlink(join(dir, path)));
}

async function attempt(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new CannotRun(
      `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
