import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../errors.ts';
import { canonicalJson, compareKeys } from '../lib/text.ts';

export interface RuleSource {
  /** As shown in messages: the directory as it was given, and the name within it. */
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

/** The texts of a rules directory. Nothing is understood yet. */
export interface RuleSources {
  readonly dir: string;
  /** `*.yaml` directly in the directory. */
  readonly rules: readonly RuleSource[];
  /** `tests/*.yaml`. */
  readonly tests: readonly RuleSource[];
  /** Files with the other ending of YAML, `.yml`: they are not read, which lint tells. */
  readonly ignored: readonly string[];
}

/** The only place where the rules room touches a disk. Throws a StartupError that names what cannot be read. */
export async function readRuleSources(dir: string): Promise<RuleSources> {
  const names = await list(dir);
  const testsDir = join(dir, 'tests');
  const testNames = names.includes('tests') ? await list(testsDir) : [];
  const [rules, tests] = await Promise.all([readAll(dir, names), readAll(testsDir, testNames)]);
  const ignored = [...names.map((name) => join(dir, name)), ...testNames.map((name) => join(testsDir, name))];
  return { dir, rules, tests, ignored: ignored.filter((file) => file.endsWith('.yml')) };
}

async function list(dir: string): Promise<readonly string[]> {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    throw new StartupError([`rules directory ${dir}: cannot be read: ${reasonOf(error)}`]);
  }
}

function readAll(dir: string, names: readonly string[]): Promise<RuleSource[]> {
  const yaml = names.filter((name) => name.endsWith('.yaml') && !name.startsWith('.'));
  return Promise.all(yaml.map((name) => readOne(join(dir, name), name)));
}

async function readOne(file: string, name: string): Promise<RuleSource> {
  try {
    const bytes = await readFile(file);
    return { file, name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
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
