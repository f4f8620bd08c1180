import { constants, type FSWatcher, watch } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../errors.ts';
import { digestOf, type RuleFiles } from '../rules/rule-files.ts';
import { RULE_FOLDERS, readConfiguredRules } from './read-rule-sources.ts';
import type { PublishedRules, RuleSource } from './rule-source.ts';
import { writeRuleFiles } from './write-rule-files.ts';

/** A save is several events; what follows within this is told with it. */
const QUIET_MS = 50;
/** Network and bind mounts tell of nothing; a look costs a dozen calls of stat. */
const POLL_MS = 5_000;

/** Rules as files in a directory, its `tests/` and its `lists/`. */
export class RulesDirectory implements RuleSource {
  readonly isTransactional = false;

  constructor(
    readonly name: string,
    private readonly pollMs = POLL_MS,
    /** `rules.shippedDir`: read where there is no such directory yet. */
    private readonly shippedDir: string | null = null,
  ) {}

  async read(): Promise<PublishedRules> {
    try {
      const sources = await readConfiguredRules({ dir: this.name, shippedDir: this.shippedDir });
      return { ...sources, digest: digestOf(sources.files) };
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      return { files: null, faults: error.faults };
    }
  }

  async isWritable(): Promise<boolean> {
    return access(this.name, constants.W_OK).then(
      () => true,
      () => false,
    );
  }

  /** The owner of the file that was changed last, with that file's name, since it is no more than that. */
  async authorOf(files: RuleFiles): Promise<string | null> {
    const found = await Promise.all(
      Object.keys(files).map(async (path) => {
        const stats = await stat(join(this.name, path)).catch(() => null);
        return stats ? [{ path, uid: stats.uid, changedMs: stats.mtimeMs }] : [];
      }),
    );
    const [newest] = found.flat().toSorted((a, b) => b.changedMs - a.changedMs);
    return newest === undefined ? null : `${await nameOf(newest.uid)} (owns ${newest.path})`;
  }

  publish(before: RuleFiles, after: RuleFiles): Promise<void> {
    return writeRuleFiles(this.name, before, after);
  }

  /**
   * What the system tells of is a hint: a rename, a link that leads elsewhere (`..data` of Kubernetes), an editor's own file are all
   * one. Watches stay with what a path once led to, so they are made anew after each hint, and files are looked at every few seconds too.
   */
  async watch(onChange: () => void): Promise<() => void> {
    let seen = await this.#takeFingerprint();
    let isClosed = false;
    let watchers: readonly FSWatcher[] = [];
    const timers: { quiet?: NodeJS.Timeout | undefined; poll?: NodeJS.Timeout } = {};
    const watchAnew = () => {
      for (const watcher of watchers) watcher.close();
      watchers = isClosed ? [] : this.#dirs.flatMap((dir) => watchOne(dir, hint));
    };
    const hint = () => {
      // The first of a burst begins to wait: a stream of events must not put it off for ever.
      timers.quiet ??= setTimeout(() => {
        timers.quiet = undefined;
        watchAnew();
        onChange();
      }, QUIET_MS).unref();
    };
    const pollLater = () => {
      timers.poll = setTimeout(poll, this.pollMs).unref();
    };
    const poll = async () => {
      const found = await this.#takeFingerprint();
      if (isClosed) return;
      if (found !== seen) hint();
      seen = found;
      pollLater();
    };
    watchAnew();
    // For what happened since the rules were read.
    onChange();
    pollLater();
    return () => {
      isClosed = true;
      clearTimeout(timers.quiet);
      clearTimeout(timers.poll);
      watchAnew();
    };
  }

  get #dirs(): readonly string[] {
    return [this.name, ...RULE_FOLDERS.map((folder) => join(this.name, folder))];
  }

  /** Changes with every file that rules are read from, through links too. */
  async #takeFingerprint(): Promise<string> {
    const files = await Promise.all(
      this.#dirs.map(async (dir) => {
        const names = await readdir(dir).catch(() => []);
        return names.filter((name) => /^[^.].*\.(?:ya?ml|txt)$/.test(name)).map((name) => join(dir, name));
      }),
    );
    return (await Promise.all(files.flat().map(stateOf))).sort().join('\n');
  }
}

/** None for a directory that is not there, or where the system has no watch left: what changes is then seen when files are looked at. */
function watchOne(dir: string, onEvent: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(dir, { persistent: false }, onEvent);
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}

async function stateOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return found ? [file, found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join() : file;
}

/** passwd(5); where the user is kept elsewhere, the number is all that is known. */
async function nameOf(uid: number): Promise<string> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = users.split('\n').map((line) => line.split(':'));
  return fields.find(([, , id]) => id === String(uid))?.[0] ?? `uid ${uid}`;
}
