import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openCollector } from '../../app/compose/pipeline.ts';
import { readRuleSources } from '../../checks/read-rule-sources.ts';
import { shortPath } from '../../lib/paths.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { ruleSchemas, SCHEMA_FOLDER, withModeLine } from '../../rules/schema/rule-schemas.ts';
import { replaceFile } from '../../storage/private-files.ts';
import { loadSettings, quietLog } from '../open-session.ts';
import type { Shell } from '../shell.ts';
import type { RulesOptions } from './open-rules.ts';

export interface SchemaOptions extends RulesOptions {
  readonly check?: boolean;
}

/**
 * Writes the schemas of a rules directory for the enabled providers, and into each rule file the first line that names its schema.
 * With `check` nothing is written, and a file that would be changed ends the command with 1.
 */
export async function writeSchema(shell: Shell, options: SchemaOptions): Promise<void> {
  const loaded = await loadSettings(shell, options);
  const { collector } = await openCollector(loaded, quietLog(shell), systemClock);
  const dir = options.dir === undefined ? loaded.config.rules.dir : resolve(shell.cwd, options.dir);
  const stale: string[] = [];
  for (const [path, text] of await contentsOf(dir, ruleSchemas(collector.catalogue))) {
    const file = join(dir, path);
    // A file that cannot be read is written: that says why it cannot be.
    if ((await readFile(file, 'utf8').catch(() => null)) === text) continue;
    stale.push(shortPath(file, shell.cwd));
    if (options.check) continue;
    await mkdir(join(dir, SCHEMA_FOLDER), { recursive: true });
    await replaceFile(file, text);
  }
  if (options.check && stale.length > 0) shell.exitCode = 1;
  const shown = shortPath(dir, shell.cwd);
  shell.answer(options, { dir: shown, [options.check ? 'stale' : 'written']: stale }, () => {
    for (const file of stale) shell.print(`${file} ${options.check ? 'is not up to date' : 'written'}`);
    if (stale.length === 0) shell.print(`${shown}: all schemas are up to date`);
  });
}

/** The texts that the files should have, by path within the directory. */
async function contentsOf(
  dir: string,
  schemas: ReturnType<typeof ruleSchemas>,
): Promise<ReadonlyMap<string, string>> {
  const { files } = await readRuleSources(dir);
  const contents = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) {
    contents.set(`${SCHEMA_FOLDER}/${name}.json`, `${JSON.stringify(schema, null, 1)}\n`);
  }
  for (const [path, text] of Object.entries(files)) contents.set(path, withModeLine(path, text));
  return contents;
}
