import { isIPv6 } from 'node:net';
import type { Command } from 'commander';
import type { LoadedConfig } from '../app/config/load-config.ts';
import type { RunningService } from '../app/main.ts';
import { StartupError } from '../errors.ts';
import { shortPath } from '../lib/paths.ts';
import { loadSettings } from './open-session.ts';
import { type CommonOptions, parsePort, withCommonOptions } from './options.ts';
import type { Shell } from './shell.ts';
import { superviseService } from './supervise-service.ts';

/** Tells people how to begin and scripts that they can. `ready …` is the last thing that start-up says. */
function announce(shell: Shell, service: RunningService, host: string, asJson = false): void {
  const { httpsPort, plainPort, metricsPort, caFile, firstKey, setupPath } = service;
  // By name: the first start's certificate is for localhost, whatever address the service listens on.
  const setupLink = setupPath === null ? null : `https://localhost:${httpsPort}${setupPath}`;
  const name = isIPv6(host) ? `[${host}]` : host;
  const https = `https://${name}:${httpsPort}`;
  const plain = plainPort === null ? null : `http://${name}:${plainPort}`;
  const metrics = metricsPort === null ? null : `http://${name}:${metricsPort}/metrics`;
  if (asJson) {
    const first = { first_key: firstKey, setup_link: setupLink };
    shell.json({ ready: https, plain, metrics, ca_file: caFile, ...first });
    return;
  }
  if (firstKey !== null) {
    shell.print('First start. This is your key; it is shown only now:');
    shell.print(`\n  ${shell.paint('bold', firstKey)}\n`);
    shell.print('Try it:');
    shell.print(`\n  ${curlLine(firstKey, httpsPort, caFile, shell.cwd)}\n`);
  }
  if (setupLink !== null) {
    shell.print('Open the dashboard, once and within 24 hours, to become its owner:');
    shell.print(`\n  ${setupLink}\n`);
  }
  const lines = [`ready ${https}`, plain && `plain ${plain}`, metrics && `metrics ${metrics}`];
  // In one write: whoever waits for the first line has the others then too.
  shell.print(lines.filter(Boolean).join('\n'));
}

function curlLine(key: string, port: number, caFile: string | null, cwd: string): string {
  const trust = caFile === null ? '' : `--cacert ${quoted(shortPath(caFile, cwd))} `;
  // Not example.com: it says that it takes no mail (RFC 7505), and the first answer would be BLOCK.
  return (
    `curl ${trust}https://localhost:${port}/v1/ -H 'Authorization: Bearer ${key}' ` +
    `-H 'Content-Type: application/json' -d '{"email":"jane.doe@gmail.com"}'`
  );
}

/** For a POSIX shell, only where it is needed. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

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
