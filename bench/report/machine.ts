import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, loadavg, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { median } from '../support/median.ts';
import { workDirectory } from '../support/paths.ts';
import { number } from './table.ts';
import { versionsOf } from './versions.ts';

/** Up to this load average the machine counts as idle. */
const IDLE_LOAD = 0.5;

const COMPARED = [
  ...['koa', '@koa/router', 'koa-bodyparser', 'json-rules-engine'],
  ...['@arcjet/analyze-wasm', '@gorules/zen-engine', 'deep-email-validator', 'mailchecker'],
];

/** Describes machine and date of the run in a few sentences. `loadBefore` is the load average before the run. */
export function describeMachine(loadBefore: number): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  const memory = Math.round(totalmem() / 2 ** 30);
  const warning =
    loadBefore > IDLE_LOAD ? '\n**The machine was not idle: trust the ratios more than the figures.**' : '';
  return [
    `Run of ${new Date().toISOString().slice(0, 10)} on ${cpus().length} × ${model}, ${memory} GiB, ${type()}, Node ${process.versions.node};`,
    `load average before it began: ${number(loadBefore)}. Writing 4 kB to the disk and waiting for it (fsync) takes`,
    `${number(median(fsyncMs()))} ms here. Versions: ${versionsOf(COMPARED)}.`,
    warning,
  ].join('\n');
}

export function currentLoad(): number {
  return loadavg()[0] ?? Number.NaN;
}

/** Durations of fsync on the checkout's disk, where the benchmarks' databases lie. */
function fsyncMs(): number[] {
  const file = join(workDirectory('fsync'), 'file');
  const handle = openSync(file, 'w');
  const block = Buffer.alloc(4096, 1);
  const taken = Array.from({ length: 50 }, () => {
    const started = performance.now();
    writeSync(handle, block);
    fsyncSync(handle);
    return performance.now() - started;
  });
  closeSync(handle);
  rmSync(file);
  return taken;
}
