import { isIPv6 } from 'node:net';
import { type RunningService, startService } from '../app/main.ts';
import { StartupError } from '../errors.ts';
import { shortPath } from '../lib/paths.ts';
import { createLogger } from '../observability/logger.ts';
import { loadSettings } from './open-session.ts';
import type { CommonOptions } from './options.ts';
import type { Shell } from './shell.ts';
import { superviseService } from './supervise-service.ts';

/** EX_CONFIG of sysexits.h: nothing was started, and starting again will not help. */
const CONFIGURATION_FAULT = 78;

/** Serves until a signal ends it. Faults of configuration, rules or providers are all listed. */
export async function serve(
  shell: Shell,
  options: CommonOptions & { readonly port?: number },
): Promise<void> {
  try {
    const loaded = await loadSettings(shell, options);
    const log = createLogger(loaded.config.log.level);
    shell.exitCode = await superviseService({
      start: () => startService(loaded, log),
      onReady: (service) => announce(shell, service, loaded.config.http.host, options),
      host: shell.process,
      log,
    });
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    for (const fault of error.faults) shell.note(fault);
    shell.exitCode = CONFIGURATION_FAULT;
  }
}

/** Prints how to begin, for people, and that the service is ready, for scripts. `ready …` is the last line of the start. */
function announce(shell: Shell, service: RunningService, host: string, { json }: CommonOptions): void {
  const { httpsPort, plainPort, metricsPort, caFile, firstKey, setupPath } = service;
  // By name: the first start's certificate is for localhost, whatever address the service listens on.
  const setupLink = setupPath === null ? null : `https://localhost:${httpsPort}${setupPath}`;
  const name = isIPv6(host) ? `[${host}]` : host;
  const https = `https://${name}:${httpsPort}`;
  const plain = plainPort === null ? null : `http://${name}:${plainPort}`;
  const metrics = metricsPort === null ? null : `http://${name}:${metricsPort}/metrics`;
  if (json) {
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
  // In one write: a script that waits for the first line has the others then too.
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
