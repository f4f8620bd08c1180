import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { temporaryFolder, writeFiles } from '../app/config/temporary-folder.ts';

/** Reports its arguments and signals; the compiler takes it as TypeScript, and `bin/postern.js` as what it compiled to. */
export const MAIN = readFileSync(join(import.meta.dirname, 'fake-main.js'), 'utf8');

/**
 * A package with Postern's own door, scripts and settings around a main of a few lines. The folder above has a compiler, a bundler
 * and a Node installed, as any folder may: they are not this package's.
 */
export function packageCopy(files: Readonly<Record<string, string>> = {}): string {
  const above = temporaryFolder({
    'node_modules/node/package.json': '{"name":"node"}',
    'node_modules/node/bin/node': '#!/bin/sh\n',
  });
  chmodSync(join(above, 'node_modules/node/bin/node'), 0o755);
  for (const tool of ['typescript', 'vite'])
    symlinkSync(join(packageRoot, 'node_modules', tool), join(above, 'node_modules', tool));
  const root = join(above, 'package');
  writeFiles(root, {
    'src/cli/main.ts': MAIN,
    'providers/a-b/index.ts': 'export default 1;\n',
    'providers/a-b/data/list.txt': 'one\n',
    ...files,
  });
  for (const name of ['bin', 'scripts', 'tsconfig.json', 'package.json']) {
    cpSync(join(packageRoot, name), join(root, name), { recursive: true });
  }
  return root;
}

export function linkDependencies(root: string): void {
  symlinkSync(join(packageRoot, 'node_modules'), join(root, 'node_modules'));
}

export interface Ran {
  readonly child: ChildProcess;
  /** All of both outputs so far. */
  text(): string;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

export function run(command: string, args: readonly string[], cwd: string): Ran {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  return { child, text: () => text, ended };
}
