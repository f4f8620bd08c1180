import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../errors.ts';
import type { RuleSources } from '../rules/rule-files.ts';

const READ = /^(tests\/)?[^./][^/]*\.yaml$/;

/** Reads `*.yaml` and `tests/*.yaml` of a rules directory. Throws a StartupError that names what cannot be read. */
export async function readRuleSources(dir: string): Promise<RuleSources> {
  const names = await list(dir);
  const testNames = names.includes('tests') ? await list(join(dir, 'tests')) : [];
  const paths = [...names, ...testNames.map((name) => `tests/${name}`)].sort();
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
  if (!(error instanceof Error)) return String(error);
  if (!('code' in error) || typeof error.code !== 'string') return error.message;
  return IN_WORDS[error.code] ?? error.code;
}
