import { once } from 'node:events';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import type { Config } from '../app/config/config.ts';
import { loadConfig } from '../app/config/load-config.ts';
import { messageOf } from '../lib/thrown.ts';
import { CannotRun, type Shell } from './shell.ts';

/** The answer of `GET /readyz`, asked without a token: another program could listen there. `reasons` is ours, where nothing answers. */
interface Health {
  readonly status: 'ready' | 'not_ready' | 'unreachable';
  readonly states: Readonly<Record<string, string>>;
  readonly reasons?: Readonly<Record<string, string>>;
}

/**
 * Asks the service of this configuration whether it is ready. Ends with 1 where it is not. Loads nothing but the configuration:
 * containers run it every few seconds.
 */
export async function health(shell: Shell, port: number | undefined): Promise<void> {
  const { config, warnings } = await loadConfig(shell.configSources(port));
  if (config.http.port === 0) throw new CannotRun('http.port is 0, any free one: say which by --port');
  const found = await askReadiness(config).catch(
    (error: unknown): Health => ({
      status: 'unreachable',
      states: {},
      reasons: { service: `port ${config.http.port} does not answer: ${messageOf(error)}` },
    }),
  );
  if (found.status !== 'ready') {
    shell.exitCode = 1;
    for (const warning of warnings) shell.warn(warning);
  }
  shell.answer(found, () => {
    const complaints = Object.entries(found.states).filter(([, state]) => state !== 'ok');
    shell.print([found.status, ...complaints.map(([part, state]) => `${part} ${state}`)].join(', '));
    for (const [part, reason] of Object.entries(found.reasons ?? {})) shell.print(`${part}: ${reason}`);
  });
}

const TIMEOUT_MS = 4_000;
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

async function askReadiness({ http: { host, port } }: Config): Promise<Health> {
  const asked = request({
    host: LOOPBACK[host] ?? host,
    port,
    path: '/readyz',
    agent: false,
    // The certificate may be for another name, and the connection does not leave this machine.
    rejectUnauthorized: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // Only keeps a late error from being uncaught: an error after the response breaks off the body too, and `json` rejects.
  asked.on('error', () => undefined).end();
  const [answer] = await once(asked, 'response');
  const { status, states }: Partial<Health> = Object(await json(answer));
  if ((status === 'ready' || status === 'not_ready') && states) return { status, states };
  throw new Error(`it answers ${answer.statusCode}`);
}
