import type { Command } from 'commander';
import { withStorage } from './open-session.ts';
import { addGroup, type CommonOptions, withCommonOptions } from './options.ts';
import type { Shell } from './shell.ts';

export function addCheckRecordCommands(program: Command, shell: Shell): void {
  const checks = addGroup(program, 'checks', 'what the service has recorded');

  withCommonOptions(checks.command('show'))
    .description('show one record')
    .argument('<id>', 'chk_…')
    .action((id: string, options: CommonOptions) =>
      withStorage(shell, options, { create: false }, async ({ storage }) => {
        const row = await storage.checks.find(id);
        if (!row) {
          shell.note(`there is no check "${id}"`);
          shell.exitCode = 1;
          return;
        }
        const [{ parseRecord }, { printRecord }] = await Promise.all([
          import('../checks/check-record.ts'),
          import('./checks/records.ts'),
        ]);
        const record = parseRecord(row);
        if (options.json) shell.json(record);
        else printRecord(shell, record);
      }),
    );

  withCommonOptions(checks.command('forget'))
    .description('erase every record of a person')
    .argument('<email>', 'in any of its forms: Jane.Doe+x@gmail.com erases janedoe@gmail.com')
    .action((email: string, options: CommonOptions) =>
      withStorage(shell, options, { create: false, warns: true }, async (session) => {
        const { forgetPerson } = await import('./checks/records.ts');
        await forgetPerson(shell, session, email, options);
      }),
    );
}
