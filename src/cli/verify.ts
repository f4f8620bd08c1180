import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openCollector } from '../app/compose/pipeline.ts';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { systemClock } from '../lib/time.ts';
import { lintRules } from '../rules/lint/lint-rules.ts';
import { formatProblem } from '../rules/problem.ts';
import { RevocationLog, readRevocations } from '../storage/revocation-log.ts';
import { findState, openUntouched } from '../storage/sqlite/database.ts';
import { damageOf } from '../storage/sqlite/database-copy.ts';
import {
  type Faults,
  faultsOfLedgers,
  faultsOfRevocations,
  faultsOfUsage,
  readRuleVersions,
} from '../storage/sqlite/verify-database.ts';
import { error, ok, RESTORE, tellFindings, type Verdict } from './doctor/findings.ts';
import { examineCopy, examineSchema, examineSecrets } from './doctor/installation.ts';
import { loadSettings, quietly, requireFile } from './open-session.ts';
import { showingParts } from './render/progress.ts';
import type { Shell } from './shell.ts';

/** Examines all that is stored, beside a running service too, and changes nothing. Ends with 1 where something is wrong. */
export async function verify(shell: Shell): Promise<void> {
  const loaded = await loadSettings(shell);
  const { config } = loaded;
  requireFile(config, 'pg_amcheck and data checksums look for damage, "postern doctor" at the rest');
  await tellFindings(shell, async (examine) => {
    using opened = new DisposableStack();
    let database: DatabaseSync | undefined;
    const examineFile = (): Verdict => {
      const { url } = config.storage;
      if (!statSync(url, { throwIfNoEntry: false }))
        return error(`${url} is not there`, `is --data-dir right? Else ${RESTORE}`);
      const found = opened.use(openUntouched(url));
      const otherSchema = examineSchema(url, found);
      if (otherSchema) return { ...otherSchema, level: 'error' };
      database = found;
      return ok(`${url} is of this version`);
    };
    await examine('database', examineFile);
    if (!database) return;
    const find = (name: string) => database && findState(database, name);
    await examine('database', () => examineCopy(find));
    await examine('secrets', () => examineSecrets(config, find));
    for (const { name, find, well, remedy } of checksOf(shell, loaded, database)) {
      const judge = async () => {
        const faults = await find();
        return faults.length === 0 ? ok(well) : faults.map((fault) => error(fault, remedy));
      };
      await examine(name, judge, RESTORE);
    }
  });
}

/** The checks: each finds faults, and has a message for where there is none and a remedy for where there is one. */
function checksOf(shell: Shell, loaded: LoadedConfig, database: DatabaseSync) {
  const { dataDir, retention } = loaded.config;
  const log = new RevocationLog(dataDir);
  return [
    {
      name: 'pages',
      find: () => damageOf(database),
      well: 'every page, index and reference is whole',
      remedy: RESTORE,
    },
    {
      name: 'ledgers',
      find: () =>
        showingParts(shell, 'adding up', 'rows', async (onRead) => faultsOfLedgers(database, onRead)),
      well: 'each adds up to its score',
      remedy: 'another program has written to the database: find out which',
    },
    {
      name: 'usage',
      find: async () => {
        const revocations = await log.read().catch(() => readRevocations(''));
        return faultsOfUsage(database, { revocations, days: retention.days, now: systemClock.now() });
      },
      well: 'what accounts have used is on record',
      remedy:
        'nothing where retention.days was raised and records are fewer; else find out which program has changed them',
    },
    {
      name: 'rules',
      find: () => faultsOfRules(shell, loaded, database),
      well: 'every version is there, and the last in force can be loaded',
      remedy:
        '"postern rules lint" shows where, and the next start refuses such rules; to what is lost nothing can be rolled back',
    },
    {
      name: 'revocations',
      find: async () => faultsOfRevocations(database, await log.read()),
      well: 'what was revoked is so in the database',
      remedy: 'revoke, remove and forget again, or restore a backup by "postern restore"',
    },
  ];
}

async function faultsOfRules(shell: Shell, loaded: LoadedConfig, database: DatabaseSync): Promise<Faults> {
  const { faults, inForce } = readRuleVersions(database);
  if (faults.length > 0 || !inForce) return faults;
  const { collector } = await openCollector({ loaded, ...quietly(shell) });
  const sources = { dir: loaded.config.rules.dir, files: inForce };
  const options = { now: systemClock.now(), onlyErrors: true };
  return lintRules(sources, collector.catalogue, options).problems.map(formatProblem);
}
