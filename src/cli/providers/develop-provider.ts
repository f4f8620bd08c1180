import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot, shortPath } from '../../lib/paths.ts';
import { loadSettings } from '../open-session.ts';
import type { Shell } from '../shell.ts';
import { requireModule } from './examine-provider.ts';

const PROGRAM = join(packageRoot, 'bin/postern.js');
/** An editor writes a file in several steps, and several files one after the other: a change is over when a look finds no other. */
const LOOK_EVERY_MS = 200;
/** What is built or installed is no code that is loaded from the folder. */
const NOT_WATCHED = ['node_modules', 'dist', '.git'];

/**
 * Serves with a provider in a process of its own, and again in a new one whenever a file of its folder changes: Node loads a module once.
 * Code that cannot be loaded is told, and what was served before goes on. Resolves when a signal ends it.
 */
export async function developProvider(shell: Shell, directory: string, port?: number): Promise<void> {
  const folder = resolve(shell.cwd, directory);
  requireModule(folder);
  const { config } = await loadSettings(shell, port);
  const paths = [...new Set([...config.providers.paths, folder])];
  const { config: files = [], dataDir } = shell.options;
  const common = [
    ...files.flatMap((file) => ['--config', file]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
  ];
  const service = new DevelopedService(shell, common, {
    ...process.env,
    ...shell.env,
    POSTERN__PROVIDERS__PATHS: JSON.stringify(paths),
  });
  service.begin(port);
  const name = shortPath(folder, shell.cwd);
  shell.note(`watching ${name}: each save is served at once; ctrl-c ends`);
  const stopWatching = watchFolder(folder, (file) => {
    shell.note(`${join(name, file)} has changed`);
    void service.renew();
  });
  await new Promise<void>((ended) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) shell.process.on(signal, () => ended());
  });
  stopWatching();
  await service.end();
}

/**
 * Tells of a file that has changed, once a look finds nothing more. By looking: where editors put a new file in the place of the old one,
 * what the system tells of a folder and all below it has gaps.
 */
function watchFolder(folder: string, onChange: (file: string) => void): () => void {
  let before = stampsOf(folder);
  let changed: string | undefined;
  const timer = setInterval(() => {
    const now = stampsOf(folder);
    const found = [...new Set([...before.keys(), ...now.keys()])].find(
      (file) => before.get(file) !== now.get(file),
    );
    before = now;
    if (found === undefined && changed !== undefined) onChange(changed);
    changed = found;
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/** When each file of the folder was written, by its name. */
function stampsOf(folder: string): ReadonlyMap<string, string> {
  const stamps = new Map<string, string>();
  const look = (below: string) => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const name = join(below, entry.name);
      if (NOT_WATCHED.includes(entry.name)) continue;
      if (entry.isDirectory()) look(name);
      else {
        const stats = statSync(join(folder, name), { throwIfNoEntry: false });
        if (stats) stamps.set(name, `${stats.mtimeMs} ${stats.size}`);
      }
    }
  };
  look('');
  return stamps;
}

/** The service that is served from now, and the one that takes its place. */
class DevelopedService {
  #child: ChildProcess | undefined;
  #isEnding = false;
  #renewing: Promise<void> | undefined;
  #isStale = false;
  /** As the first one was told by the system: the next ones keep them. */
  #ports: readonly string[] = [];

  constructor(
    private readonly shell: Shell,
    private readonly options: readonly string[],
    private env: NodeJS.ProcessEnv,
  ) {}

  begin(port?: number): void {
    const asked = this.#ports.length > 0 ? this.#ports : port === undefined ? [] : ['--port', String(port)];
    const child = spawn(process.execPath, [PROGRAM, 'serve', ...this.options, ...asked], {
      cwd: this.shell.cwd,
      env: this.env,
      stdio: ['ignore', 'pipe', 'inherit'],
      // Ctrl-C of a terminal would reach it too, and the second signal ends a service at once.
      detached: true,
    });
    this.#child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#keepPorts(text);
      this.shell.writeRaw('stdout', text);
    });
    child.once('exit', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (!this.#isEnding && !this.#renewing)
        this.shell.note(`the service has ended with ${code ?? signal}: the next save starts it again`);
    });
  }

  /** Puts a service with the code as it is now in the place of the one that runs, if it can be loaded. */
  renew(): Promise<void> {
    this.#isStale = true;
    this.#renewing ??= this.#renewWhileStale().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#stop();
  }

  async #renewWhileStale(): Promise<void> {
    while (this.#isStale && !this.#isEnding) {
      this.#isStale = false;
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [PROGRAM, 'config', 'check', ...this.options],
        {
          cwd: this.shell.cwd,
          env: this.env,
          encoding: 'utf8',
        },
      );
      if (status !== 0) {
        this.shell.note(`${stdout}${stderr}`.trimEnd());
        this.shell.note(
          this.#child ? 'the service goes on with the code of before' : 'the next save tries again',
        );
        continue;
      }
      await this.#stop();
      if (!this.#isEnding) this.begin();
    }
  }

  async #stop(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  #keepPorts(text: string): void {
    const https = /^ready https:\/\/.*:(\d+)$/m.exec(text)?.[1];
    const plain = /^plain http:\/\/.*:(\d+)$/m.exec(text)?.[1];
    if (https !== undefined) this.#ports = ['--port', https];
    if (plain !== undefined) this.env = { ...this.env, POSTERN__HTTP__PLAIN_PORT: plain };
  }
}
