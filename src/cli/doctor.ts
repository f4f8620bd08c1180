import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openPipeline, type Pipeline } from '../app/compose/pipeline.ts';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { systemClock } from '../lib/time.ts';
import { findState, openUntouched } from '../storage/sqlite/database.ts';
import { type Examine, tellFindings } from './doctor/findings.ts';
import {
  examineCertificate,
  examineDatabase,
  examineDirectory,
  examineLists,
  examineSecrets,
} from './doctor/installation.ts';
import { examineClock, examineDisk, examineDns, examineOpenFiles, ok } from './doctor/machine.ts';
import { loadSettings, quietLog } from './open-session.ts';
import { ownPipelineRules } from './rules/own-rules.ts';
import type { Shell } from './shell.ts';

/** Examines the installation and the machine, and changes nothing. Ends with 1 where something is wrong. */
export function doctor(shell: Shell): Promise<void> {
  return tellFindings(shell, async (examine) => {
    let loaded: LoadedConfig | undefined;
    await examine(
      'configuration',
      async () => {
        loaded = await loadSettings(shell);
        return ok('the configuration has no fault');
      },
      'correct it; nothing else can be examined before',
    );
    if (loaded) await examineAll(shell, loaded, examine);
  });
}

async function examineAll(shell: Shell, loaded: LoadedConfig, examine: Examine): Promise<void> {
  const { config } = loaded;
  const { url } = config.storage;
  const now = systemClock.now();
  using opened = new DisposableStack();
  /** Undefined where there is none, or it cannot be read. */
  let database: DatabaseSync | undefined;
  if (!(await examine('data_directory', () => examineDirectory(config)))) return;
  await examine('database', () => {
    const found = existsSync(url) ? opened.use(openUntouched(url)) : null;
    const verdicts = examineDatabase(config, found);
    database = found ?? undefined;
    return verdicts;
  });
  const find = (name: string) => database && findState(database, name);
  const newest = () => {
    const record = database?.prepare('SELECT max(created_at) AS at FROM checks').get()?.at;
    return [record, find('retention_ran_at')]
      .filter((at) => typeof at === 'string')
      .toSorted()
      .at(-1);
  };
  await examine('secrets', () => examineSecrets(config, find));
  await examine(
    'certificate',
    () => examineCertificate(config, systemClock),
    'put a right one there, then send SIGHUP',
  );
  let pipeline: Pipeline | undefined;
  await examine(
    'rules',
    async () => {
      const rules = await ownPipelineRules(shell, loaded);
      pipeline = await openPipeline({ loaded, log: quietLog(shell), ...rules });
      pipeline.policies.close();
      return ok(
        `the rules in ${pipeline.policies.source.name} load as ${pipeline.policies.current.ruleSet.hash}`,
      );
    },
    '"postern rules lint" shows where; the service goes on with what it had',
  );
  await examine(
    'lists',
    () => examineLists(config, pipeline, now),
    'without lists/state.json all is downloaded anew',
  );
  await examine('disk', () => examineDisk(config));
  await examine('open_files', () => examineOpenFiles(config));
  await examine('clock', () => examineClock(now, newest(), shell.env));
  await examine('dns', () => examineDns(config));
}
