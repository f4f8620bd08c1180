import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Pipeline } from '../app/compose/pipeline.ts';
import type { Config } from '../app/config/config.ts';
import type { LoadedConfig } from '../app/config/load-config.ts';
import { isPostgresUrl } from '../lib/service-url.ts';
import { systemClock } from '../lib/time.ts';
import type { ServerFacts } from '../storage/postgres/migrate.ts';
import { findState, openUntouched } from '../storage/sqlite/database.ts';
import { type Examine, ok, tellFindings, unknown } from './doctor/findings.ts';
import {
  examineCertificate,
  examineCopy,
  examineDatabase,
  examineDirectory,
  examineLists,
  examineSecrets,
} from './doctor/installation.ts';
import {
  askPostgres,
  examineClock,
  examineDisk,
  examineDns,
  examineListening,
  examineOpenFiles,
  examinePostgres,
  examineSharedState,
} from './doctor/machine-and-servers.ts';
import { loadSettings } from './open-session.ts';
import { openOwnPipeline } from './rules/open-rules.ts';
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
  const { url: sharedUrl } = config.sharedState;
  const now = systemClock.now();
  using opened = new DisposableStack();
  if (!(await examine('data_directory', () => examineDirectory(config)))) return;
  const stored = isPostgresUrl(config.storage.url)
    ? await examineServers(config, examine)
    : await examineOwn(config, examine, opened);
  await examine('database', () => examineCopy(stored.find));
  await examine('secrets', () => examineSecrets(config, stored.find, stored.isRead));
  await examine(
    'certificate',
    () => examineCertificate(config, systemClock),
    'put a right one there, then send SIGHUP',
  );
  let pipeline: Pipeline | undefined;
  await examine(
    'rules',
    async () => {
      if (config.rules.source === 'database' && stored.unopened !== null) return unknown(stored.unopened);
      pipeline = await openOwnPipeline(shell, loaded);
      pipeline.policies.close();
      const { source, current } = pipeline.policies;
      return ok(`the rules in ${source.name} load as ${current.ruleSet.hash}`);
    },
    '"postern rules lint" shows where; the service goes on with what it had',
  );
  await examine(
    'lists',
    () =>
      config.lists.urls.length > 0 && stored.unopened !== null
        ? unknown(stored.unopened)
        : examineLists(config, pipeline, now),
    'without lists/state.json all is downloaded anew',
  );
  if (sharedUrl !== null) {
    await examine(
      'shared_state',
      () => examineSharedState(sharedUrl),
      'start it, or mend the address (valkeys: and rediss: ask for TLS) or the password; limits are local until then',
    );
  }
  await examine('disk', () => examineDisk(config));
  await examine('open_files', () => examineOpenFiles(config));
  await examine('clock', () => {
    const seen = [stored.newest(), stored.find('retention_ran_at')].filter((at) => at !== undefined);
    return examineClock(now, stored.isRead ? seen.toSorted().at(-1) : null, shell.env);
  });
  await examine('dns', () => examineDns(config));
}

/**
 * What the database holds, as far as it can be read: states by name, and when the newest record was made. `isRead` is false where the
 * examination failed; `unopened` says why doctor must not open the database as a command does, which may alter it; null where it may.
 */
async function examineOwn(config: Config, examine: Examine, opened: DisposableStack) {
  const { url } = config.storage;
  /** Undefined where there is none, or it cannot be read. */
  let database: DatabaseSync | undefined;
  const isRead = await examine('database', () => {
    const found = existsSync(url) ? opened.use(openUntouched(url)) : null;
    const verdicts = examineDatabase(config, found);
    database = found ?? undefined;
    return verdicts;
  });
  return {
    isRead,
    unopened: null,
    find: (name: string) => database && findState(database, name),
    newest() {
      const at = database?.prepare('SELECT max(created_at) AS at FROM checks').get()?.at;
      return typeof at === 'string' ? at : undefined;
    },
  };
}

/** `examineOwn` for a PostgreSQL, which instances share. */
async function examineServers(config: Config, examine: Examine) {
  const remedy = 'start it, or mend the address, the user or the way to it';
  let facts: ServerFacts | undefined;
  const examineServer = async () => {
    facts = await askPostgres(config);
    return examinePostgres(config, facts);
  };
  const isRead = await examine('database', examineServer, remedy);
  const isUsable = facts?.takesWrites === true;
  const listening = () => (isUsable ? examineListening(config) : unknown(UNUSABLE));
  await examine('announcements', listening, remedy);
  const unopened = !isUsable ? UNUSABLE : facts?.schema?.pending.length === 0 ? null : LACKS_STEPS;
  return { isRead, unopened, find: (name: string) => facts?.find(name), newest: () => facts?.newest };
}

const UNUSABLE = 'the database cannot be reached, or takes no writes';
const LACKS_STEPS = 'the database does not have the schema of this version yet';
