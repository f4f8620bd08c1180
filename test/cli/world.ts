import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { run } from '../../src/cli/run.ts';
import type { HostProcess, Sink } from '../../src/cli/shell.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as one JSON value. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: () => any;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  readonly process?: HostProcess;
  readonly stdin?: AsyncIterable<Uint8Array>;
  readonly onStdout?: (soFar: string) => void;
}

/** Hands over text as soon as it is written. */
export function sinkOf(take: (text: string) => unknown, isTTY = false): Sink {
  const stream = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      take(text);
      done();
    },
  });
  return Object.assign(stream, { isTTY });
}

/** A checkout with the shipped configuration and rules, and nothing of the machine's: no overlay, no data. */
export interface World {
  readonly cwd: string;
  postern(argv: readonly string[], options?: RunOptions): Promise<Outcome>;
  write(path: string, text: string): string;
  read(path: string): string;
}

export function aWorld(files: Readonly<Record<string, string>> = {}, isCheckout = true): World {
  const cwd = temporaryDirectory();
  // `rules.dir` is rules/ then, and not data/rules.
  if (isCheckout) mkdirSync(join(cwd, 'src'));
  mkdirSync(join(cwd, 'config'));
  cpSync(join(packageRoot, 'config/default.yaml'), join(cwd, 'config/default.yaml'));
  cpSync(join(packageRoot, 'rules'), join(cwd, 'rules'), { recursive: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
    return join(cwd, path);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);

  return {
    cwd,
    write,
    read: (path) => readFileSync(join(cwd, path), 'utf8'),
    async postern(argv, { env = {}, isTTY = false, process, stdin, onStdout } = {}) {
      let stdout = '';
      let stderr = '';
      const code = await run(argv, {
        stdout: sinkOf((text) => {
          stdout += text;
          onStdout?.(stdout);
        }, isTTY),
        stderr: sinkOf((text) => {
          stderr += text;
        }),
        env,
        cwd,
        configDir: join(cwd, 'config'),
        ...(process && { process }),
        ...(stdin && { stdin: () => stdin }),
      });
      return { code, stdout, stderr, json: () => JSON.parse(stdout) };
    },
  };
}
