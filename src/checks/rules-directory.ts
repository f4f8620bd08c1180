import { constants, type Dirent } from 'node:fs';
import { access, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../app/config/config.ts';
import { StartupError } from '../errors.ts';
import { codeOf, messageOf } from '../lib/thrown.ts';
import { OWN_LIST_FILES } from '../lists/own-lists.ts';
import { isNamedListFile } from '../rules/lint/read-named-lists.ts';
import { digestOf, type RuleFiles, type RuleSources } from '../rules/rule-files.ts';
import { FileNotHeld, whileHeld } from '../storage/file-lock.ts';
import { makeDirectory, replaceFile } from '../storage/private-files.ts';
import { type PublishedRules, type RuleSource, RulesNotWritten, RulesOvertaken } from './rule-source.ts';

/** Reads the rules of `dir`; where there is no such directory yet, the shipped ones. */
export async function readConfiguredRules({
  dir,
  shippedDir,
}: Pick<Config['rules'], 'dir' | 'shippedDir'>): Promise<RuleSources> {
  // Only ENOENT is absent: a directory that may not be looked at is not missing.
  const isAbsent = shippedDir !== null && (await stat(dir).catch(codeOf)) === 'ENOENT';
  return readRuleSources(isAbsent ? shippedDir : dir);
}

const READ = /^(?:(?:tests\/|lists\/)?[^./][^/]*\.yaml|lists\/[^./][^/]*\.txt)$/;
/** Not read, but probably meant as rules or a list: `.yml` or `.YAML`, another ending in `lists/`, `.yaml` in a folder of another name. */
const MISPLACED =
  /\.(?!yaml$)[Yy][Aa]?[Mm][Ll]$|^lists\/[^.][^/]*(?<!\.(?:yaml|txt|md)|~)$|^(?!tests\/|lists\/)[^./][^/]*\/[^.][^/]*\.yaml$/;

/** Reads `*.yaml`, `tests/*.yaml`, `lists/*.yaml` and `lists/*.txt` of a rules directory. Throws a StartupError that names what cannot be read. */
export async function readRuleSources(dir: string): Promise<RuleSources> {
  const paths = await pathsIn(dir);
  const read = paths.filter((path) => READ.test(path));
  const texts = await Promise.all(read.map(async (path) => [path, await readRuleFile(join(dir, path))]));
  const ignored = paths.filter((path) => MISPLACED.test(path)).map((path) => join(dir, path));
  return { dir, files: Object.fromEntries(texts), ignored };
}

/** Folders that are read beside the directory itself, through links too. */
const FOLDERS: readonly string[] = ['tests', 'lists'];

/** Paths in the directory and in its folders, sorted. */
async function pathsIn(dir: string): Promise<readonly string[]> {
  const entries = await list(dir);
  const inFolders = await Promise.all(
    entries.map(async (entry) => {
      const isRead = FOLDERS.includes(entry.name);
      if (!isRead && !entry.isDirectory()) return [];
      const listing = list(join(dir, entry.name));
      // Any other folder may be unreadable for this process, such as `lost+found` of a volume.
      const found = await (isRead ? listing : listing.catch(() => []));
      return found.map(({ name }) => `${entry.name}/${name}`);
    }),
  );
  return [...entries.map(({ name }) => name), ...inFolders.flat()].sort();
}

async function list(dir: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    throw new StartupError([`rules directory ${dir}: cannot be read: ${reasonOf(error)}`]);
  }
}

/** Throws a StartupError, also where the file is not UTF-8: with other signs in their place it must not be written again. */
export async function readRuleFile(file: string): Promise<string> {
  try {
    const found = await stat(file);
    // A pipe or a device would be read for ever.
    if (!found.isFile() && !found.isDirectory()) throw new Error('it is no file');
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw new StartupError([`${file}: cannot be read: ${reasonOf(error)}`]);
  }
}

const IN_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is none (ENOENT)',
  ENOTDIR: 'it is a file (ENOTDIR)',
  EISDIR: 'it is a directory (EISDIR)',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8: save it as UTF-8',
};

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return code === undefined ? messageOf(error) : (IN_WORDS[code] ?? code);
}

interface FileWriting {
  readonly replace: (path: string, text: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
}

const WRITING: FileWriting = { replace: replaceFile, remove: unlink };

/**
 * Changes a rules directory from `before` to `after`, each file in one step. Throws RulesNotWritten: where possible before anything is
 * written; else written files are put back as far as possible, and the error names those that could not be.
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
  // Files are replaced, not written into, so their folders must be writable.
  for (const folder of new Set(paths.map((path) => dirname(join(dir, path))))) {
    try {
      makeDirectory(folder);
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
  // Files that `postern lists` edits while a service runs.
  const lists = paths.filter((path) => OWN_LIST_FILES.includes(path) || isNamedListFile(path));
  try {
    await whileHeld(
      lists.map((path) => join(dir, path)),
      async () => {
        // Files that stay, too: `after` was judged together with them.
        for (const path of new Set([...paths, ...Object.keys(before)])) {
          await requireUnchanged(join(dir, path), before[path]);
        }
        await writeAll();
      },
    );
  } catch (error) {
    if (!(error instanceof FileNotHeld)) throw error;
    throw new RulesNotWritten(`${describeFault(dir, error)}; nothing was written`, isForbidden(error.cause));
  }
}

/** Throws RulesOvertaken where the file has changed since it was read: what another person wrote meanwhile would be lost silently. */
async function requireUnchanged(path: string, before: string | undefined): Promise<void> {
  let text: string | undefined;
  try {
    // Decoded as the rules are: without a byte order mark.
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

/** Whether this process may not write there. A disk in trouble does not count: it may recover soon. */
function isForbidden(error: unknown): boolean {
  return ['EROFS', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '');
}

/** A look costs a dozen calls of stat. */
const POLL_MS = 1_000;

/** Rules as files in a directory, its `tests/` and its `lists/`. */
export class RulesDirectory implements RuleSource {
  readonly isTransactional = false;

  constructor(
    readonly name: string,
    private readonly pollMs = POLL_MS,
    /** `rules.shippedDir`: read where there is no such directory yet. */
    private readonly shippedDir: string | null = null,
  ) {}

  async read(): Promise<PublishedRules> {
    try {
      const sources = await readConfiguredRules({ dir: this.name, shippedDir: this.shippedDir });
      return { ...sources, digest: digestOf(sources.files) };
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      return { files: null, faults: error.faults };
    }
  }

  async isWritable(): Promise<boolean> {
    return access(this.name, constants.W_OK).then(
      () => true,
      () => false,
    );
  }

  /** The owner of the file that was changed last. The file is named too, since its owner need not be the author. */
  async authorOf(files: RuleFiles): Promise<string | null> {
    const found = await Promise.all(
      Object.keys(files).map(async (path) => {
        const stats = await stat(join(this.name, path)).catch(() => null);
        return stats ? [{ path, uid: stats.uid, changedMs: stats.mtimeMs }] : [];
      }),
    );
    const [newest] = found.flat().toSorted((a, b) => b.changedMs - a.changedMs);
    return newest === undefined ? null : `${await nameOf(newest.uid)} (owns ${newest.path})`;
  }

  publish(before: RuleFiles, after: RuleFiles): Promise<void> {
    return writeRuleFiles(this.name, before, after);
  }

  /**
   * Polls the files. File system events come late, twice, or never (network and bind mounts), and keep following what a path led to at
   * first (`..data` of Kubernetes).
   */
  async watch(onChange: () => void): Promise<() => void> {
    let seen = await this.#takeFingerprint();
    let timer: NodeJS.Timeout;
    let isClosed = false;
    const lookLater = () => {
      timer = setTimeout(look, this.pollMs).unref();
    };
    const look = async () => {
      const found = await this.#takeFingerprint();
      if (isClosed) return;
      if (found !== seen) onChange();
      seen = found;
      lookLater();
    };
    // Covers changes made since the rules were read.
    onChange();
    lookLater();
    return () => {
      isClosed = true;
      clearTimeout(timer);
    };
  }

  /** Changes with every file that rules are read from, through links too. */
  async #takeFingerprint(): Promise<string> {
    const paths = await pathsIn(this.name).catch(() => []);
    const read = paths.filter((path) => READ.test(path));
    return (await Promise.all(read.map((path) => stateOf(join(this.name, path))))).join('\n');
  }
}

async function stateOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return found ? [file, found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join() : file;
}

/** The user's name by passwd(5); for a user that is kept elsewhere, the number. */
async function nameOf(uid: number): Promise<string> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = users.split('\n').map((line) => line.split(':'));
  return fields.find(([, , id]) => id === String(uid))?.[0] ?? `uid ${uid}`;
}
