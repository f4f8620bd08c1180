import { isPostgresUrl, withoutPassword } from '../lib/service-url.ts';
import { counted } from '../lib/statistics.ts';
import { loadSettings, pendingSteps, withStorage } from './open-session.ts';
import type { Shell } from './shell.ts';

/** What opening the database does anyway, by itself: an operator chooses when it takes its time. */
export async function migrate(shell: Shell): Promise<void> {
  const { storage } = (await loadSettings(shell)).config;
  const database = withoutPassword(storage.url);
  let steps: readonly string[];
  if (isPostgresUrl(storage.url)) {
    const { cannotStart } = await import('../storage/postgres/postgres-storage.ts');
    const { migratePostgres } = await import('../storage/postgres/migrate.ts');
    const url = storage.directUrl ?? storage.url;
    steps = await migratePostgres({ url }).catch((error) => {
      throw cannotStart(error, url);
    });
  } else {
    steps = pendingSteps(storage.url);
    await withStorage(shell, async () => undefined);
  }
  shell.answer({ database, steps }, () => {
    if (steps.length === 0) shell.print(`${database} has the schema of this version already`);
    else shell.print(`${database}: ${counted(steps.length, 'step')} taken: ${steps.join(', ')}`);
  });
}
