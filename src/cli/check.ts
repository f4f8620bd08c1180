import { type Command, InvalidArgumentError, Option } from 'commander';
import { FORMATS } from '../lib/row-file.ts';
import type { CheckAddressesOptions } from './check/check-addresses.ts';
import type { CheckFileOptions } from './check-file/check-file.ts';
import { addCommand, addInputOptions, notEmpty, refuseWithoutFile } from './options.ts';
import type { Shell } from './shell.ts';

type CheckOptions = Partial<CheckFileOptions> & CheckAddressesOptions;

export function addCheckCommand(program: Command, shell: Shell): void {
  const check = addCommand(
    program,
    'check',
    'assess addresses here, as the service would; nothing is recorded',
  )
    .argument('[email...]', 'what a user typed')
    .option('--explain', 'show the ledger: why this decision')
    .option('--offline', 'make no look-up; what one would tell is unknown')
    .addOption(
      new Option('--file <file>', 'assess each row of a file; - is standard input')
        .conflicts('explain')
        // A repeated option keeps its last value unless told otherwise: the first of two files would not be checked.
        .argParser((file: string, before: string | undefined) => {
          if (before !== undefined) throw new InvalidArgumentError('One file at a time.');
          return notEmpty(file);
        }),
    );
  addInputOptions(check, 'E-Mail,id: the column of the address; if others follow, only these are kept')
    .option('--out <file>', 'where the answer goes; standard output when absent, or -', notEmpty)
    .addOption(
      new Option('--output-format <format>', "of the answer; the file's own when absent").choices(FORMATS),
    )
    .option(
      '--simulate-velocity <column>',
      'count the rows as checks, each at the time in this column; the file is sorted by it',
    )
    .addHelpText('after', '\nEnds with 1 when an answer is BLOCK or a text is no address.')
    .action(async (emails: readonly string[], options: CheckOptions, command: Command) => {
      const { file } = options;
      refuseWithoutFile<keyof CheckOptions>(command, [
        'format',
        'delimiter',
        'columns',
        'out',
        'outputFormat',
        'simulateVelocity',
      ]);
      // Addresses or a file; the parser cannot say that itself.
      if (file === undefined) {
        if (emails.length === 0) command.error("error: missing required argument 'email', or --file");
        const { checkAddresses } = await import('./check/check-addresses.ts');
        return await checkAddresses(shell, emails, options);
      }
      if (emails.length > 0) command.error('error: addresses and --file do not go together');
      if (command.getOptionValue('json') && options.outputFormat === 'csv')
        command.error('error: --json and --output-format csv do not go together');
      const { checkFile } = await import('./check-file/check-file.ts');
      await checkFile(shell, { ...options, file });
    });
}
