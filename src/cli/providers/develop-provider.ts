import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { packageRoot, shortPath } from '../../lib/paths.ts';
import { START_PATIENCE_MS, withDeadline } from '../../lib/time.ts';
import { loadSettings } from '../open-session.ts';
import type { Shell } from '../shell.ts';
import { requireModule, withFolder } from './examine-provider.ts';

const PROGRAM = join(packageRoot, 'bin/postern.js');
/** Time between two polls. An editor writes in several steps, and several files: a change is complete when the next poll finds no other. */
const LOOK_EVERY_MS = 200;
/** How long a service may take to stop before it is killed: one whose provider loops handles no signal. */
const STOP_PATIENCE_MS = 5_000;
/** Not polled: no code is loaded from what is built or installed in the folder. */
const NOT_WATCHED = ['node_modules', 'dist'];

/**
 * Serves with a provider in a child process, and in a new one whenever a file of the folder changes, since Node loads a module once.
 * Where the new code cannot be loaded, says so, and the old process goes on serving. Resolves when a signal ends the command.
 */
export async function developProvider(shell: Shell, directory: string, port?: number): Promise<void> {
  const folder = resolve(shell.cwd, directory);
  requireModule(folder);
  const { config } = await loadSettings(shell, port);
  const { paths, packages } = withFolder(config.providers, folder);
  const { config: files = [], dataDir } = shell.options;
  const common = [
    ...files.flatMap((file) => ['--config', file]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
  ];
  const service = new DevelopedService(shell, common, {
    ...process.env,
    ...shell.env,
    POSTERN__PROVIDERS__PATHS: JSON.stringify(paths),
    POSTERN__PROVIDERS__PACKAGES: JSON.stringify(packages),
    POSTERN_PACKAGES_FROM: config.providers.packagesFrom,
  });
  service.begin(port === undefined ? [] : ['--port', String(port)]);
  const name = shortPath(folder, shell.cwd);
  shell.note(`watching ${name}: each save is served at once; ctrl-c ends`);
  const ended = new AbortController();
  let older = new AbortController();
  let renewed = Promise.resolve();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) shell.process.on(signal, () => ended.abort());
  // The service is detached, and would outlive this command also where its output is closed (`| head`).
  shell.process.on('exit', () => void service.stop());
  try {
    for await (const file of changesOf(folder, ended.signal)) {
      shell.note(`${join(name, file)} has changed`);
      // The check of older code may never end.
      older.abort();
      older = new AbortController();
      const { signal } = older;
      renewed = renewed.then(() => service.renew(signal));
    }
  } finally {
    older.abort();
    await renewed;
    await service.stop();
  }
}

/**
 * Yields a file that has changed, once the next poll finds no other change. Polls, because the system's notices about a folder and all
 * below it have gaps where editors put a new file in the place of the old one.
 */
async function* changesOf(folder: string, ended: AbortSignal): AsyncGenerator<string> {
  let before = stampsOf(folder);
  let changed: string | undefined;
  while (!ended.aborted) {
    await setTimeout(LOOK_EVERY_MS, undefined, { signal: ended }).catch(() => undefined);
    const now = stampsOf(folder);
    const found = [...before.keys(), ...now.keys()].find((file) => before.get(file) !== now.get(file));
    before = now;
    if (found === undefined && changed !== undefined && !ended.aborted) yield changed;
    changed = found;
  }
}

/** Time and size of each file of the folder, by name. Empty where the folder is away, as while a branch is switched. */
function stampsOf(folder: string): ReadonlyMap<string, string> {
  const names = globSync('**', { cwd: folder, exclude: (name) => NOT_WATCHED.includes(basename(name)) });
  const stamps = names.flatMap((name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return stats?.isFile() ? [[name, `${stats.mtimeMs} ${stats.size}`] as const] : [];
  });
  return new Map(stamps);
}

/** Runs the service as a child process, and replaces it by a new one. */
class DevelopedService {
  #child: ChildProcess | undefined;
  /** `--port` with the HTTPS port that the first service got: later ones keep it. */
  #ports: readonly string[] = [];

  constructor(
    private readonly shell: Shell,
    private readonly options: readonly string[],
    private env: NodeJS.ProcessEnv,
  ) {}

  begin(ports: readonly string[]): void {
    const child = spawn(process.execPath, [PROGRAM, 'serve', ...this.options, ...ports], {
      cwd: this.shell.cwd,
      env: this.env,
      stdio: ['ignore', 'pipe', 'inherit'],
      // Else Ctrl-C of a terminal would reach the service too, and SIGTERM from `stop` as a second signal would end it at once.
      detached: true,
    });
    this.#child = child;
    this.#ports = ports;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#keepPorts(text);
      this.shell.stdout.write(text);
    });
    child.once('exit', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.shell.note(`the service has ended with ${code ?? signal}: the next save starts it again`);
    });
  }

  /** Replaces the running service by one with the present code, if `config check` accepts that. `newer` fires when there is newer code. */
  async renew(newer: AbortSignal): Promise<void> {
    const { shell, options, env } = this;
    const fault = await promisify(execFile)(process.execPath, [PROGRAM, 'config', 'check', ...options], {
      cwd: shell.cwd,
      env,
      signal: newer,
      timeout: START_PATIENCE_MS,
      killSignal: 'SIGKILL',
    }).then(
      () => null,
      ({ killed, stdout, stderr }) =>
        killed
          ? `not loaded after ${START_PATIENCE_MS / 1000} seconds: it loops, or awaits what never comes`
          : `${stdout}${stderr}`.trimEnd(),
    );
    if (newer.aborted) return;
    if (fault === null) {
      await this.stop();
      this.begin(this.#ports);
      return;
    }
    shell.note(fault);
    shell.note(this.#child ? 'the service goes on with the code of before' : 'the next save tries again');
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await withDeadline(STOP_PATIENCE_MS, (late) => {
      late.addEventListener('abort', () => child.kill('SIGKILL'));
      return ended;
    });
  }

  #keepPorts(text: string): void {
    const https = /^ready https:\/\/.*:(\d+)$/m.exec(text)?.[1];
    const plain = /^plain http:\/\/.*:(\d+)$/m.exec(text)?.[1];
    if (https !== undefined) this.#ports = ['--port', https];
    if (plain !== undefined) this.env = { ...this.env, POSTERN__HTTP__PLAIN_PORT: plain };
  }
}
