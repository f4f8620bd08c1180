import type { RunningService } from '../app/main.ts';
import { kindOfThrown } from '../lib/thrown.ts';
import type { Logger } from '../observability/logger.ts';
import { pluginAtWork } from '../signals/plugin-work.ts';
import type { HostProcess } from './shell.ts';

export interface Supervision {
  readonly start: () => Promise<RunningService>;
  readonly onReady: (service: RunningService) => unknown;
  readonly host: HostProcess;
  readonly log: Logger;
}

const FAILED = 1;

/**
 * Starts the service and lives with it until a signal ends it; resolves with the exit code. Rejects when
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
  const reload = () => {
    // A service that is still starting reads everything anyway.
    service?.reload().catch((err: unknown) => log.error({ err }, 'reload failed'));
  };
  const crash = (err: unknown) => {
    // The state is unknown now: going on could answer wrongly. pino writes a fatal line out at once.
    // Not its message: a plugin's may quote an address.
    log.fatal({ err: kindOfThrown(err) }, 'bug: the process ends');
    host.exit(FAILED);
  };
  // What a plugin began and did not look after touches nothing of the service: its answers are read and checked like any.
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
