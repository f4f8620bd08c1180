import type { Command } from 'commander';
import { addGroup, type CommonOptions, withCommonOptions } from './options.ts';
import type { Shell } from './shell.ts';

export function addProviderCommands(program: Command, shell: Shell): void {
  const providers = addGroup(program, 'providers', 'where signals come from');

  withCommonOptions(providers.command('list'))
    .description('list the providers, what they answer and from which data')
    .action(async (options: CommonOptions) => {
      const { describeProviders, printProviders } = await import('./providers/describe-providers.ts');
      const described = await describeProviders(shell, options);
      if (options.json) shell.json({ providers: described });
      else printProviders(shell, described);
    });
}
