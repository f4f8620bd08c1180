import type { Command } from 'commander';
import { addGroup, type CommonOptions, withCommonOptions } from './options.ts';
import type { Shell } from './shell.ts';

export function addConfigCommands(program: Command, shell: Shell): void {
  const config = addGroup(program, 'config', 'the effective configuration');

  withCommonOptions(config.command('check'))
    .description('list every fault of the configuration')
    .addHelpText('after', '\nEnds with 1 when there is a fault. Rules have a check of their own: rules lint.')
    .action(async (options: CommonOptions) => {
      const { checkConfig } = await import('./config/effective-config.ts');
      await checkConfig(shell, options);
    });

  withCommonOptions(config.command('show'))
    .description('show each value and where it comes from; secrets are redacted')
    .action(async (options: CommonOptions) => {
      const { showConfig } = await import('./config/effective-config.ts');
      await showConfig(shell, options);
    });
}
