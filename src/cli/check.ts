import type { Command } from 'commander';
import { type CommonOptions, withCommonOptions } from './options.ts';
import type { Shell } from './shell.ts';

interface CheckOptions extends CommonOptions {
  readonly explain?: boolean;
  readonly offline?: boolean;
}

export function addCheckCommand(program: Command, shell: Shell): void {
  withCommonOptions(program.command('check'))
    .description('assess addresses here, as the service would; nothing is recorded')
    .argument('<email...>', 'what a user typed')
    .option('--explain', 'show the ledger: why this decision')
    .option('--offline', 'ask nobody; what a look-up would tell is unknown')
    .addHelpText('after', '\nEnds with 1 when an answer is BLOCK or a text is no address.')
    .action(async (emails: readonly string[], options: CheckOptions) => {
      const { checkAddresses } = await import('./check/check-addresses.ts');
      await checkAddresses(shell, emails, options);
    });
}
