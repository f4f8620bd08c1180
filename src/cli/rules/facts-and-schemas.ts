import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCollector } from '../../app/compose/pipeline.ts';
import { readRuleSources } from '../../checks/rules-directory.ts';
import { shortPath } from '../../lib/paths.ts';
import { describeFacts } from '../../rules/described-facts.ts';
import { ruleSchemas, SCHEMA_FOLDER, withModeLine } from '../../rules/schema/rule-schemas.ts';
import { makeDirectory, replaceFile } from '../../storage/private-files.ts';
import { loadSettings, quietly } from '../open-session.ts';
import { answerTable, type Cell } from '../render/table.ts';
import { orCannotUse, type Shell } from '../shell.ts';
import { requireDirectory } from './open-rules.ts';

/** Wide enough for most lists of values, narrow enough to leave room for the description. */
const VALUES_WIDTH = 36;

export async function showFacts(shell: Shell): Promise<void> {
  const loaded = await loadSettings(shell);
  const { collector } = await openCollector({ loaded, ...quietly(shell) });
  const facts = describeFacts(collector.catalogue);
  const rows = facts.map(({ id, type, values, never_unknown, disabled, description }): Cell[] => {
    const unknown = never_unknown ? 'no' : 'yes';
    return [
      id,
      values.length === 0 ? type : wrap(values, VALUES_WIDTH),
      disabled ? { text: 'always: switched off', style: 'yellow' } : unknown,
      description,
    ];
  });
  answerTable(shell, { facts }, ['fact', 'type', 'may be unknown', 'description'], rows);
}

/** `low | medium | high`, over as many lines as it needs. */
function wrap(values: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const value of values) {
    const last = lines.at(-1);
    const longer = `${last} | ${value}`;
    if (last === undefined || longer.length > width) lines.push(value);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/**
 * Writes the schemas of a rules directory for the enabled providers, and into each rule file the first line that names its schema.
 * With `check` nothing is written, and a file that would be changed ends the command with 1.
 */
export async function writeSchema(shell: Shell, { check: isOnlyChecked }: { readonly check?: boolean }) {
  const loaded = await loadSettings(shell);
  requireDirectory(loaded);
  const { collector } = await openCollector({ loaded, ...quietly(shell) });
  const { dir } = loaded.config.rules;
  const { files } = await readRuleSources(dir);
  const contents = Object.entries(files).map(([path, text]) => [path, withModeLine(path, text)] as const);
  const schemas = Object.entries(ruleSchemas(collector.catalogue)).map(
    ([name, schema]) => [`${SCHEMA_FOLDER}/${name}.json`, `${JSON.stringify(schema, null, 1)}\n`] as const,
  );
  const stale: string[] = [];
  for (const [path, text] of [...schemas, ...contents]) {
    const file = join(dir, path);
    // A file that cannot be read counts as stale: writing it then says what is wrong.
    if ((await readFile(file, 'utf8').catch(() => null)) === text) continue;
    stale.push(shortPath(file, shell.cwd));
    if (isOnlyChecked) continue;
    await orCannotUse(shortPath(file, shell.cwd), 'written', () => {
      makeDirectory(join(dir, SCHEMA_FOLDER));
      return replaceFile(file, text);
    });
  }
  if (isOnlyChecked && stale.length > 0) shell.exitCode = 1;
  const shown = shortPath(dir, shell.cwd);
  shell.answer({ dir: shown, [isOnlyChecked ? 'stale' : 'written']: stale }, () => {
    for (const file of stale) shell.print(`${file} ${isOnlyChecked ? 'is not up to date' : 'written'}`);
    if (stale.length === 0) shell.print(`${shown}: all schemas are up to date`);
  });
}
