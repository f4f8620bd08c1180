import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { addressAt } from '../support/addresses.ts';
import { root, workDirectory } from '../support/paths.ts';
import { writeConfig } from '../support/postern-config.ts';
import { residentMb } from '../support/process-cost.ts';
import type { Growth } from './growth.ts';

/** Runs the built `postern check --file` on `rows` different addresses, with no code of the benchmark in its process. */
export async function checkFile(rows: number, firms: number, dns: string): Promise<Growth> {
  const directory = workDirectory('memory');
  const [input, output] = [join(directory, 'in.csv'), join(directory, 'out.csv')];
  await pipeline(Readable.from(lines(rows, firms)), createWriteStream(input));
  const config = writeConfig(directory, dns, {});
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [join(root, 'bin/postern.js'), 'check', '--file', input, '--config', config, '--data-dir', directory],
    { stdio: ['ignore', openSync(output, 'w'), 'ignore'] },
  );
  if (child.pid === undefined) throw new Error('postern check did not start');
  const { pid } = child;
  let [before, after, peak] = [Number.NaN, Number.NaN, 0];
  const watch = setInterval(() => {
    const now = residentMb(pid);
    // The process has ended, but its `exit` event has not come yet.
    if (Number.isNaN(now)) return;
    if (Number.isNaN(before) && statSync(output).size > 0) before = now;
    after = now;
    peak = Math.max(peak, now);
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  // Exit code 1: some of the addresses are to be blocked.
  if (code !== 1) throw new Error(`postern check ended with ${code}; see ${directory}`);
  return { done: rows, before, after, peak, seconds: (performance.now() - started) / 1000 };
}

function* lines(rows: number, firms: number): Generator<string> {
  yield 'email\n';
  for (let n = 0; n < rows; n += 1) yield `${addressAt(n, firms)}\n`;
}
