import { median } from '../support/median.ts';
import { type Load, load, type Stretch, warmUp } from './load.ts';

/** The same number for fast and slow servers: the compiler counts calls, not seconds. */
const WARM_UP_REQUESTS = 15_000;

export interface Contestant extends Pick<Load, 'server' | 'key'> {
  readonly name: string;
}

export interface Alternation {
  readonly contestants: readonly Contestant[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections?: number | undefined;
  readonly note: (text: string) => void;
}

/** By name, one stretch per round. */
export type Stretches = ReadonlyMap<string, readonly Stretch[]>;

/** Loads one server after the other, round by round, so that what disturbs the machine disturbs all alike. */
export async function alternate({
  contestants,
  rounds,
  seconds,
  connections,
  note,
}: Alternation): Promise<Stretches> {
  for (const contestant of contestants) await warmUp(contestant, WARM_UP_REQUESTS);
  const stretches = new Map<string, Stretch[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const contestant of contestants) {
      const stretch = await load({ ...contestant, seconds, connections });
      stretches.get(contestant.name)?.push(stretch);
      note(
        `round ${round}: ${contestant.name}: ${Math.round(stretch.requestsPerSecond)}/s, ${Math.round(stretch.cpuUs)} µs CPU`,
      );
    }
  }
  return stretches;
}

/** All rounds as one: the mean of each of their numbers. */
export function averaged(stretches: Stretches): Stretches {
  return new Map([...stretches].map(([name, rounds]) => [name, [meanOf(rounds)]]));
}

function meanOf(rounds: readonly Stretch[]): Stretch {
  const mean = (pick: keyof Stretch) =>
    rounds.reduce((sum, stretch) => sum + stretch[pick], 0) / rounds.length;
  return {
    requestsPerSecond: mean('requestsPerSecond'),
    p50Ms: mean('p50Ms'),
    p99Ms: mean('p99Ms'),
    cpuUs: mean('cpuUs'),
    mainUs: mean('mainUs'),
    clientBusy: mean('clientBusy'),
  };
}

/** The rounds of all, one after the other. */
export function joined(all: readonly Stretches[]): Stretches {
  const names = new Set(all.flatMap((stretches) => [...stretches.keys()]));
  return new Map([...names].map((name) => [name, all.flatMap((stretches) => stretches.get(name) ?? [])]));
}

/** The median of one number over the rounds of one contestant. */
export function medianOf(stretches: Stretches, name: string, pick: keyof Stretch): number {
  return median((stretches.get(name) ?? []).map((stretch) => stretch[pick]));
}

/** The smallest: for CPU time, to which whatever disturbs the machine can only add. */
export function leastOf(stretches: Stretches, name: string, pick: keyof Stretch): number {
  return Math.min(...(stretches.get(name) ?? []).map((stretch) => stretch[pick]));
}

/** The median of one contestant's number over another's, each taken in the same round. */
export function medianRatio(
  stretches: Stretches,
  [one, other]: readonly [string, string],
  pick: keyof Stretch,
): number {
  const others = stretches.get(other) ?? [];
  return median(
    (stretches.get(one) ?? []).map((stretch, round) => stretch[pick] / (others[round]?.[pick] ?? Number.NaN)),
  );
}
