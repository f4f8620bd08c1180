import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../lib/thrown.ts';
import type { Logger } from '../observability/logger.ts';

/**
 * Who probably wrote a rules directory: whom the system has as the owner of the file that was changed last, with that file's
 * name, since it is no more than that. Null where no file can be seen.
 */
export async function ownerOf(dir: string, paths: readonly string[]): Promise<string | null> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(join(dir, path)).catch(() => null);
      return stats ? [{ path, uid: stats.uid, changedMs: stats.mtimeMs }] : [];
    }),
  );
  const newest = found
    .flat()
    .reduce<(typeof found)[number][number] | null>(
      (latest, file) => (latest && latest.changedMs >= file.changedMs ? latest : file),
      null,
    );
  return newest && `${await nameOf(newest.uid)} (owns ${newest.path})`;
}

/** passwd(5); where the user is kept elsewhere, the number is all that is known. */
async function nameOf(uid: number): Promise<string> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = users.split('\n').map((line) => line.split(':'));
  return fields.find(([, , id]) => id === String(uid))?.[0] ?? `uid ${uid}`;
}

interface RulesWatcherOptions {
  readonly dirs: readonly string[];
  /** Something may have changed; the listener must find out what, if anything. */
  readonly onChange: () => void;
  readonly log: Logger;
  readonly pollMs?: number;
}

/** A save is several events; what follows within this is told with it. */
const QUIET_MS = 50;
/** Network and bind mounts tell of nothing; a look costs a dozen calls of stat. */
const POLL_MS = 5_000;

/**
 * Watches rules directories, and their `tests/`. What node tells of is only ever taken as a hint: a link that leads
 * elsewhere (`..data` of Kubernetes), a rename, an editor's file of its own are all one. Watches are made anew after each,
 * because they stay with what a path once led to. Looks for itself too, now and then.
 */
export class RulesWatcher {
  readonly #options: RulesWatcherOptions;
  #watchers: readonly FSWatcher[] = [];
  #quiet: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #fingerprint = '';
  #isClosed = false;
  #hasComplained = false;

  constructor(options: RulesWatcherOptions) {
    this.#options = options;
  }

  /** Tells once at the beginning: of what happened since the rules were read. */
  async start(): Promise<void> {
    this.#watch();
    this.#fingerprint = await this.#takeFingerprint();
    this.#options.onChange();
    this.#pollLater();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#quiet);
    clearTimeout(this.#poll);
    this.#unwatch();
  }

  #hint(): void {
    // The first of a burst begins to wait: a stream of events must not put it off for ever.
    this.#quiet ??= setTimeout(() => {
      this.#quiet = undefined;
      this.#watch();
      this.#options.onChange();
    }, QUIET_MS).unref();
  }

  #watch(): void {
    this.#unwatch();
    if (this.#isClosed) return;
    this.#watchers = this.#options.dirs
      .flatMap((dir) => [dir, join(dir, 'tests')])
      .flatMap((dir) => this.#watchOne(dir) ?? []);
  }

  #watchOne(dir: string): FSWatcher | undefined {
    try {
      const watcher = watch(dir, { persistent: false }, () => this.#hint());
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch (error) {
      // What is not there can be no trouble of the system's.
      if (codeOf(error) === 'ENOENT') return undefined;
      if (!this.#hasComplained)
        this.#options.log.warn(
          { err: error, dir },
          'rules cannot be watched: they are looked at every few seconds',
        );
      this.#hasComplained = true;
      return undefined;
    }
  }

  #unwatch(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }

  #pollLater(): void {
    if (this.#isClosed) return;
    this.#poll = setTimeout(async () => {
      const fingerprint = await this.#takeFingerprint();
      if (fingerprint !== this.#fingerprint) this.#hint();
      this.#fingerprint = fingerprint;
      this.#pollLater();
    }, this.#options.pollMs ?? POLL_MS).unref();
  }

  /** Changes with every file that rules are read from, through links too. */
  async #takeFingerprint(): Promise<string> {
    const dirs = this.#options.dirs.flatMap((dir) => [dir, join(dir, 'tests')]);
    const files = await Promise.all(
      dirs.map(async (dir) => {
        const names = await readdir(dir).catch(() => []);
        return names.filter((name) => /^[^.].*\.ya?ml$/.test(name)).map((name) => join(dir, name));
      }),
    );
    const states = files.flat().map(async (file) => {
      const found = await stat(file).catch(() => null);
      return found ? [file, found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join() : file;
    });
    return (await Promise.all(states)).sort().join('\n');
  }
}
