import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What an answer of one contestant takes. */
export interface Cost {
  readonly who: string;
  /** Of processor time, in the best of the rounds: other work on the machine changes it least. */
  readonly microseconds: number;
  /** What stays in memory of what it answers from. */
  readonly megabytes: number;
}

/** Loads a contestant, which must not have been loaded before, and gives its answer to one local part or domain. */
export type Load = () => Promise<(text: string) => unknown>;

/** One after the other in this process: the memory that each adds, then their times in turns. */
export async function measureCosts(
  contestants: Readonly<Record<string, Load>>,
  inputs: readonly string[],
): Promise<readonly Cost[]> {
  const loaded: { name: string; run: (text: string) => unknown; megabytes: number }[] = [];
  for (const [name, load] of Object.entries(contestants)) {
    const before = bytesInUse();
    const run = await load();
    for (const input of inputs) run(input);
    loaded.push({ name, run, megabytes: Math.max(0, bytesInUse() - before) / 1_048_576 });
  }
  const best = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, run } of loaded) {
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, microsecondsOf(run, inputs)));
    }
  }
  return loaded.map(({ name, megabytes }) => ({
    who: name,
    microseconds: best.get(name) ?? Number.NaN,
    megabytes,
  }));
}

const ROUNDS = 9;
/** Long enough for the clock, which counts in steps of a microsecond or coarser. */
const ROUND_MICROSECONDS = 200_000;

function microsecondsOf(run: (text: string) => unknown, inputs: readonly string[]): number {
  const start = process.cpuUsage();
  for (let runs = inputs.length; ; runs += inputs.length) {
    for (const input of inputs) run(input);
    const { user, system } = process.cpuUsage(start);
    if (user + system >= ROUND_MICROSECONDS) return (user + system) / runs;
  }
}

const HEAD = ['signal', 'who', 'µs of processor time an answer', 'MB in memory'];

/** A Markdown table; empty where nothing was measured. */
export function costTable(signals: ReadonlyMap<string, readonly Cost[]>): string {
  const lines = [...signals].flatMap(([signal, costs]) =>
    costs.map(
      ({ who, microseconds, megabytes }) =>
        `| ${signal} | ${who} | ${microseconds.toFixed(2)} | ${megabytes.toFixed(2)} |`,
    ),
  );
  if (lines.length === 0) return '';
  return [`| ${HEAD.join(' | ')} |`, '|---|---|---:|---:|', ...lines].join('\n');
}

function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}
