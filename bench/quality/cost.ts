import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** CPU time and memory of one contestant. */
export interface Cost {
  readonly who: string;
  /** CPU time for one answer in the best round, which other work on the machine affects least. */
  readonly microseconds: number;
  /** Memory that the loaded data keep in use, in MiB. */
  readonly megabytes: number;
}

/** Loads a contestant, which must not be loaded yet. Resolves to the function that answers for one local part or domain. */
export type Load = () => Promise<(text: string) => unknown>;

/** Loads the contestants one by one and measures the memory that each adds; then times them in turn. */
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
/** Long enough for the clock's steps of a microsecond or more. */
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

/** A Markdown table; the empty text where nothing was measured. */
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
