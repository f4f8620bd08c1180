import { counted } from '../lib/statistics.ts';
import { withStorage } from './open-session.ts';
import type { Shell } from './shell.ts';

/** What opening the database does anyway, by itself: an operator chooses when it takes its time. */
export async function migrate(shell: Shell): Promise<void> {
  await withStorage(shell, async ({ loaded, migrated: steps }) => {
    const database = loaded.config.storage.url;
    shell.answer({ database, steps }, () => {
      if (steps.length === 0) shell.print(`${database} has the schema of this version already`);
      else shell.print(`${database}: ${counted(steps.length, 'step')} taken: ${steps.join(', ')}`);
    });
  });
}
