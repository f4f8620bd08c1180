import type { Command } from 'commander';
import { systemClock } from '../lib/time.ts';
import { confirmDue, findDue } from '../storage/retention.ts';
import { onStorage, type StorageSession } from './open-session.ts';
import { addCommand } from './options.ts';
import type { Shell } from './shell.ts';

export function addCommands(group: Command, shell: Shell): void {
  const answer = (isConfirmed: boolean) => onStorage(shell, (session) => answerDue(session, isConfirmed));
  addCommand(group, 'status', 'say what is due, and whether it waits for a person').action(answer(false));
  addCommand(group, 'confirm', 'let the service delete what is due, also where it waits for a person').action(
    answer(true),
  );
}

async function answerDue({ shell, loaded, storage }: StorageSession, isConfirmed: boolean): Promise<void> {
  const { checks, state } = storage;
  const { days } = loaded.config.retention;
  const found = await findDue({ checks, state, days, clock: systemClock });
  if (isConfirmed && found.due > 0) await confirmDue(state, found);
  const { atMost } = await checks.extent();
  const due = await checks.countBefore(found.before, atMost);
  const waits = isConfirmed ? null : (found.waits ?? null);
  shell.answer({ before: found.before, days, due, waits }, () => {
    shell.print(
      `${due} of about ${atMost} records are due: created before ${found.before} (${days} days ago)`,
    );
    if (waits !== null) shell.print(waits);
    if (!isConfirmed) return;
    if (found.due === 0) shell.print('nothing to confirm');
    else shell.print('confirmed: a running service deletes them within an hour, the next start at once');
  });
}
