import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openCollector } from '../../app/compose/pipeline.ts';
import { shortPath } from '../../lib/paths.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { readRuleSources } from '../../rules/rule-files.ts';
import { ruleSchemas, SCHEMA_FOLDER, withModeLine } from '../../rules/schema/rule-schemas.ts';
import { replaceFile } from '../../storage/private-files.ts';
import { loadSettings, quietLog } from '../open-session.ts';
import type { Shell } from '../shell.ts';
import type { RulesOptions } from './open-rules.ts';

export interface SchemaOptions extends RulesOptions {
  readonly check?: boolean;
}

/**
 * Writes the schemas of a rules directory for the providers that are enabled, and line 1 of each file that has none.
 * With `check` nothing is written, and a file that is not as it would be ends the command with 1.
 */
export async function writeSchema(shell: Shell, options: SchemaOptions): Promise<void> {
  const loaded = await loadSettings(shell, options);
  const { collector } = await openCollector(loaded, await quietLog(shell), systemClock);
  const dir = options.dir === undefined ? loaded.config.rules.dir : resolve(shell.cwd, options.dir);
  const stale: string[] = [];
  for (const [path, text] of await contentsOf(dir, ruleSchemas(collector.catalogue))) {
    const file = join(dir, path);
    if ((await readText(file)) === text) continue;
    stale.push(shortPath(file, shell.cwd));
    if (options.check) continue;
    await mkdir(join(dir, SCHEMA_FOLDER), { recursive: true });
    await replaceFile(file, text);
  }
  if (options.check && stale.length > 0) shell.exitCode = 1;
  if (options.json) {
    shell.json({ dir: shortPath(dir, shell.cwd), [options.check ? 'stale' : 'written']: stale });
    return;
  }
  for (const file of stale) shell.print(`${file} ${options.check ? 'is not up to date' : 'written'}`);
  if (stale.length === 0) shell.print(`${shortPath(dir, shell.cwd)}: all schemas are up to date`);
}

/** By path within the directory. */
async function contentsOf(
  dir: string,
  schemas: ReturnType<typeof ruleSchemas>,
): Promise<ReadonlyMap<string, string>> {
  const { rules, tests } = await readRuleSources(dir);
  return new Map([
    ...Object.entries(schemas).map(([name, schema]): [string, string] => [
      `${SCHEMA_FOLDER}/${name}.json`,
      `${JSON.stringify(schema, null, 1)}\n`,
    ]),
    ...rules.map(({ name, text }): [string, string] => [name, withModeLine(name, text)]),
    ...tests.map(({ name, text }): [string, string] => [
      `tests/${name}`,
      withModeLine(`tests/${name}`, text),
    ]),
  ]);
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    // Not there yet; if it cannot be read, writing it will say why.
    return null;
  }
}
