import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../app/config/config.ts';
import { StartupError } from '../errors.ts';
import { codeOf, messageOf } from '../lib/thrown.ts';
import type { RuleSources } from '../rules/rule-files.ts';

/** Until the first start has filled `dir`, those that it will be filled with. */
export async function readConfiguredRules({
  dir,
  shippedDir,
}: Pick<Config['rules'], 'dir' | 'shippedDir'>): Promise<RuleSources> {
  // One that may not be looked at is no missing one.
  const isAbsent = shippedDir !== null && (await stat(dir).catch(codeOf)) === 'ENOENT';
  return readRuleSources(isAbsent ? shippedDir : dir);
}

const READ = /^(?:(?:tests\/|lists\/)?[^./][^/]*\.yaml|lists\/[^./][^/]*\.txt)$/;

/** Folders of a rules directory that are read, beside itself. */
export const RULE_FOLDERS = ['tests', 'lists'] as const;

/** Reads `*.yaml`, `tests/*.yaml`, `lists/*.yaml` and `lists/*.txt` of a rules directory. Throws a StartupError that names what cannot be read. */
export async function readRuleSources(dir: string): Promise<RuleSources> {
  const names = await list(dir);
  const folders = RULE_FOLDERS.filter((folder) => names.includes(folder));
  const inFolders = await Promise.all(
    folders.map(async (folder) => (await list(join(dir, folder))).map((name) => `${folder}/${name}`)),
  );
  const paths = [...names, ...inFolders.flat()].sort();
  const read = paths.filter((path) => READ.test(path));
  const texts = await Promise.all(read.map(async (path) => [path, await readText(join(dir, path))]));
  const ignored = paths.filter((path) => path.endsWith('.yml')).map((path) => join(dir, path));
  return { dir, files: Object.fromEntries(texts), ignored };
}

async function list(dir: string): Promise<readonly string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    throw new StartupError([`rules directory ${dir}: cannot be read: ${reasonOf(error)}`]);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw new StartupError([`${file}: cannot be read: ${reasonOf(error)}`]);
  }
}

const IN_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is none (ENOENT)',
  ENOTDIR: 'it is a file (ENOTDIR)',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8',
};

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return code === undefined ? messageOf(error) : (IN_WORDS[code] ?? code);
}
