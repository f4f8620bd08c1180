import { constants } from 'node:fs';
import { access, mkdir, readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, messageOf } from '../lib/thrown.ts';
import { fileOf, OWN_LISTS } from '../lists/own-lists.ts';
import { isNamedListFile } from '../rules/lint/read-named-lists.ts';
import type { RuleFiles } from '../rules/rule-files.ts';
import { FileNotHeld, whileHeld } from '../storage/file-lock.ts';
import { replaceFile } from '../storage/private-files.ts';
import { RulesNotWritten, RulesOvertaken } from './rule-source.ts';

/** How one file is put in place, and how one is taken away. */
interface FileWriting {
  readonly replace: (path: string, text: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
}

const WRITING: FileWriting = { replace: replaceFile, remove: unlink };

/** What `postern lists` edits while a service runs, named lists beside them. */
const LISTS: readonly string[] = OWN_LISTS.map(fileOf);

/**
 * Makes a rules directory that holds `before` hold `after`, each file in one step. Throws RulesNotWritten, at best before it
 * began; else what was written is put back as far as that can be done, and the error names what could not.
 */
export async function writeRuleFiles(
  dir: string,
  before: RuleFiles,
  after: RuleFiles,
  { replace, remove }: FileWriting = WRITING,
): Promise<void> {
  const changed = Object.keys(after).filter((path) => before[path] !== after[path]);
  const gone = Object.keys(before).filter((path) => after[path] === undefined);
  const paths = [...changed, ...gone];
  // Files are replaced, not written into, so that it is their folders that must be open to us.
  for (const folder of new Set(paths.map((path) => dirname(join(dir, path))))) {
    try {
      await mkdir(folder, { recursive: true });
      await access(folder, constants.W_OK);
    } catch (error) {
      throw new RulesNotWritten(`${describeFault(folder, error)}; nothing was written`, true);
    }
  }
  const put = (path: string, text: string | undefined) =>
    text === undefined ? remove(join(dir, path)) : replace(join(dir, path), text);
  const writeAll = async () => {
    const written: string[] = [];
    for (const path of paths) {
      try {
        await put(path, after[path]);
        written.push(path);
      } catch (error) {
        const stuck: string[] = [];
        for (const done of written.toReversed()) await put(done, before[done]).catch(() => stuck.push(done));
        throw new RulesNotWritten(
          `${describeFault(join(dir, path), error)}; ${describeState(written, stuck.sort())}`,
          written.length === 0 && isForbidden(error),
        );
      }
    }
  };
  const lists = paths.filter((path) => LISTS.includes(path) || isNamedListFile(path));
  try {
    await whileHeld(
      lists.map((path) => join(dir, path)),
      async () => {
        for (const path of lists) await requireUnchanged(join(dir, path), before[path]);
        await writeAll();
      },
    );
  } catch (error) {
    if (!(error instanceof FileNotHeld)) throw error;
    throw new RulesNotWritten(`${describeFault(dir, error)}; nothing was written`, isForbidden(error.cause));
  }
}

/** An entry that was added since the file was read would be lost without a word. */
async function requireUnchanged(path: string, before: string | undefined): Promise<void> {
  let text: string | undefined;
  try {
    // As the rules are read: without the mark at its beginning.
    text = new TextDecoder().decode(await readFile(path));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT')
      throw new RulesNotWritten(`${path} cannot be read: ${messageOf(error)}; nothing was written`);
  }
  if (text !== before)
    throw new RulesOvertaken(`${path} was changed meanwhile; nothing was written: try again`);
}

function describeState(written: readonly string[], stuck: readonly string[]): string {
  if (stuck.length > 0) {
    return `the directory is mixed now: new ${stuck.length === 1 ? 'is' : 'are'} ${stuck.join(', ')}, all others are as before; mend the cause, then try again`;
  }
  return written.length === 0
    ? 'nothing was written'
    : 'what was written before is put back, so that the directory is as it was';
}

function describeFault(path: string, error: unknown): string {
  return `${path} cannot be written: ${messageOf(error)}`;
}

/** Not a disk in trouble, which may be over soon. */
function isForbidden(error: unknown): boolean {
  return ['EROFS', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '');
}
