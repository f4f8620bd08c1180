import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../app/config/config.ts';
import { type RunningService, startService } from '../app/main.ts';
import { StartupError } from '../errors.ts';
import { shownHost } from '../http/server/certificate.ts';
import { shortPath } from '../lib/paths.ts';
import { kindOfThrown, messageOf, orIfAbsent } from '../lib/thrown.ts';
import { createLogger, type Logger } from '../observability/logger.ts';
import { pluginAtWork } from '../signals/plugin-work.ts';
import { replaceFile } from '../storage/private-files.ts';
import { loadSettings } from './open-session.ts';
import type { HostProcess, Shell } from './shell.ts';

/** EX_CONFIG of sysexits.h: nothing was started, and starting again will not help. */
const CONFIGURATION_FAULT = 78;
/** EX_TEMPFAIL: nothing was started, because a server is away or the database is locked. */
const TEMPORARY_FAULT = 75;

/** Serves until a signal ends it. Faults of configuration, rules or providers are all listed. */
export async function serve(shell: Shell, port?: number): Promise<void> {
  try {
    const loaded = await loadSettings(shell, port);
    const log = createLogger(loaded.config.log.level);
    shell.exitCode = await superviseService({
      start: () => startService(loaded, log),
      onReady: (service) => announce(shell, service, loaded.config),
      host: shell.process,
      log,
    });
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    for (const fault of error.faults) shell.note(fault);
    shell.exitCode = error.isTemporary ? TEMPORARY_FAULT : CONFIGURATION_FAULT;
  }
}

/** Prints how to begin, for people, and that the service is ready, for scripts. `ready …` is the last line of the start. */
async function announce(shell: Shell, service: RunningService, { http, dataDir }: Config): Promise<void> {
  const { httpsPort, plainPort, metricsPort, caFile, firstKey: key, setupPath } = service;
  const { host } = http;
  const origin = `https://${shownHost(http)}:${httpsPort}`;
  const setupLink = setupPath === null ? null : origin + setupPath;
  const first = await keepFromJournals(shell, key, setupLink, dataDir);
  const name = isIPv6(host) ? `[${host}]` : host;
  const https = `https://${name}:${httpsPort}`;
  const plain = plainPort === null ? null : `http://${name}:${plainPort}`;
  const metrics = metricsPort === null ? null : `http://${name}:${metricsPort}/metrics`;
  if (shell.options.json) {
    const access = { first_key: first.key, setup_link: first.setupLink, first_run_file: first.file };
    shell.json({ ready: https, plain, metrics, ca_file: caFile, ...access });
    return;
  }
  printFirstAccess(shell, first, (credential) => curlLine(credential, origin, caFile, shell.cwd));
  const lines = [`ready ${https}`, plain && `plain ${plain}`, metrics && `metrics ${metrics}`];
  // In one write: a script that waits for the first line has the others then too.
  shell.print(lines.filter(Boolean).join('\n'));
}

/**
 * Keeps the first key and link out of container logs and journals, which store standard output where it is no terminal: writes them
 * into a private file instead. `file` is its path, null where nothing was written.
 */
async function keepFromJournals(shell: Shell, key: string | null, setupLink: string | null, dataDir: string) {
  if (shell.isTerminal || (key === null && setupLink === null)) return { key, setupLink, file: null };
  const file = join(dataDir, 'first-run.txt');
  const lines = [key && `POSTERN_KEY=${key}`, setupLink && `POSTERN_SETUP_LINK=${setupLink}`].filter(Boolean);
  try {
    // The link alone comes where the dashboard is switched on later: the key may be in this file only.
    const before = key === null ? await orIfAbsent(readFile(file, 'utf8'), '') : '';
    await replaceFile(file, `${before}${lines.join('\n')}\n`, 0o600);
    return { key: null, setupLink: null, file };
  } catch (error) {
    const remedy = 'make others by "postern keys create" and "postern people setup-link"';
    shell.warn(`${file}: the first key and link cannot be written (${messageOf(error)}): ${remedy}`);
    return { key: null, setupLink: null, file: null };
  }
}

type FirstAccess = Awaited<ReturnType<typeof keepFromJournals>>;

function printFirstAccess(shell: Shell, first: FirstAccess, curl: (credential: string) => string): void {
  const { key, setupLink, file } = first;
  if (file !== null) {
    const path = shortPath(file, shell.cwd);
    shell.print(
      `First start. Your key, and the link to the dashboard where it is on, are in ${path}, for its owner`,
    );
    shell.print('alone; keep the key elsewhere and delete the file. Try it:');
    const credential = `"Authorization: Bearer $(sed -n s/^POSTERN_KEY=//p ${quoted(path)})"`;
    shell.print(`\n  ${curl(credential)}\n`);
  }
  if (key !== null) {
    shell.print('First start. This is your key; it is shown only now:');
    shell.print(`\n  ${shell.paint('bold', key)}\n`);
    shell.print('Try it:');
    shell.print(`\n  ${curl(`'Authorization: Bearer ${key}'`)}\n`);
  }
  if (setupLink !== null) {
    shell.print('Open the dashboard, once and within 24 hours, to become its owner:');
    shell.print(`\n  ${setupLink}\n`);
  }
}

/** `credential` is the header in a shell's quotation marks. */
function curlLine(credential: string, origin: string, caFile: string | null, cwd: string): string {
  const trust = caFile === null ? '' : `--cacert ${quoted(shortPath(caFile, cwd))} `;
  // Not example.com: it says that it takes no mail (RFC 7505), and the first answer would be BLOCK.
  return (
    `curl ${trust}${origin}/v1/ -H ${credential} ` +
    `-H 'Content-Type: application/json' -d '{"email":"jane.doe@gmail.com"}'`
  );
}

/** For a POSIX shell, only where it is needed. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

export interface Supervision {
  readonly start: () => Promise<RunningService>;
  readonly onReady: (service: RunningService) => unknown;
  readonly host: HostProcess;
  readonly log: Logger;
}

const FAILED = 1;

/**
 * Starts the service and waits until a signal ends it; resolves with the exit code. Rejects when
 * it cannot start.
 */
export async function superviseService({ start, onReady, host, log }: Supervision): Promise<number> {
  let service: RunningService | undefined;
  const asked = Promise.withResolvers<void>();
  let isAsked = false;
  const stop = () => {
    if (isAsked) host.exit(FAILED);
    isAsked = true;
    asked.resolve();
  };
  let isReloadDue = false;
  const reload = () => {
    // A service that is still starting may have read its files before they changed.
    isReloadDue = service === undefined;
    service?.reload().catch((err: unknown) => log.error({ err }, 'reload failed'));
  };
  const crash = (err: unknown) => {
    // The state is unknown now: going on could answer wrongly. pino writes a fatal line out at once.
    // The message is not logged: one that a plugin has made may quote an address.
    log.fatal({ err: kindOfThrown(err) }, 'bug: the process ends');
    host.exit(FAILED);
  };
  // A plugin's stray timer or promise leaves the service's state intact, so the service goes on. The plugin's answers are checked anyway.
  const unlessOfPlugin = (what: string) => (err: unknown) => {
    const provider = pluginAtWork();
    if (provider === undefined) return crash(err);
    service?.countLeftBehind(provider);
    log.error({ provider, err: kindOfThrown(err) }, what);
  };
  const listeners = Object.entries({
    SIGTERM: stop,
    SIGINT: stop,
    SIGHUP: reload,
    uncaughtException: unlessOfPlugin('provider threw outside of its answer'),
    unhandledRejection: unlessOfPlugin('provider left a promise rejected'),
  });

  for (const [event, listener] of listeners) host.on(event, listener);
  try {
    service = await start();
    if (isReloadDue) reload();
    await onReady(service);
    await asked.promise;
    try {
      await service.stop();
      return 0;
    } catch (err) {
      log.fatal({ err }, 'service did not stop cleanly');
      return FAILED;
    }
  } finally {
    for (const [event, listener] of listeners) host.off(event, listener);
  }
}
