import type { Command } from 'commander';
import type { LoadedConfig } from '../app/config/load-config.ts';
import type { RunningService } from '../app/main.ts';
import { StartupError } from '../errors.ts';
import { loadSettings } from './open-session.ts';
import { type CommonOptions, parsePort, withCommonOptions } from './options.ts';
import { announce } from './serve/announce.ts';
import { superviseService } from './serve/supervise-service.ts';
import type { Shell } from './shell.ts';

interface ServeOptions extends CommonOptions {
  readonly port?: number;
}

/** EX_CONFIG of sysexits.h: nothing was started, and starting again will not help. */
const CONFIGURATION_FAULT = 78;

export function addServeCommand(program: Command, shell: Shell): void {
  withCommonOptions(program.command('serve'))
    .description('run the service')
    .option('--port <n>', 'HTTPS port; 0 takes free ports for both listeners', parsePort)
    .addHelpText(
      'after',
      '\nSIGTERM and SIGINT finish what is under way and end with 0; a second one ends at once with 1.\n' +
        'SIGHUP loads certificates, rules and lists again. Faults of configuration, rules or providers\n' +
        'are all listed and end with 78.',
    )
    .action(async (options: ServeOptions) => {
      try {
        await serve(shell, options);
      } catch (error) {
        if (!(error instanceof StartupError)) throw error;
        for (const fault of error.faults) shell.note(fault);
        shell.exitCode = CONFIGURATION_FAULT;
      }
    });
}

async function serve(shell: Shell, options: ServeOptions): Promise<void> {
  const loaded: LoadedConfig = await loadSettings(shell, options);
  const [{ createLogger }, { startService }] = await Promise.all([
    import('../observability/logger.ts'),
    import('../app/main.ts'),
  ]);
  const log = createLogger(loaded.config.log.level);
  shell.exitCode = await superviseService({
    start: () => startService(loaded, log),
    onReady: (service: RunningService) => announce(shell, service, loaded.config.http.host, options.json),
    host: shell.process,
    log,
  });
}
