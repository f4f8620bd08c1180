import type { Command } from 'commander';
import { parseDays, parseExamples, parseInstant } from '../options.ts';
import type { Shell } from '../shell.ts';
import type { ShadowOptions } from './shadow.ts';

/** Makes `rules shadow` of a command that has the options of its neighbours. */
export function describeShadowCommand(command: Command, shell: Shell): void {
  command
    .description(
      'say what shadow rules and the challenger came to on live traffic, and whether they may be promoted',
    )
    .argument('[what]', 'a shadow rule, challenger, or the hash of one; all of them unless given')
    .option('--since <time>', 'only checks from then on: 2026-11-01, or with a time of day', parseInstant)
    .option('--until <time>', 'only checks before then', parseInstant)
    .option('--days <n>', 'only checks of the last n days, in place of --since', parseDays)
    .option('--account <account>', 'only checks of this account: an id or a name')
    .option('--examples <n>', 'flips shown of each kind', parseExamples, 3)
    .option('--check', 'end with 1 when a criterion does not hold')
    .addHelpText(
      'after',
      '\nThe criteria are rules.promotion.* of the configuration. With --check it ends with 2 when it cannot be told whether they hold.',
    )
    .action(async (what: string | undefined, options: ShadowOptions) => {
      const { shadow } = await import('./shadow.ts');
      await shadow(shell, what, options);
    });
}
