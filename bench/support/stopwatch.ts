import { median } from './median.ts';

/** A function to time; it runs once for each input. */
export interface Subject<Input> {
  readonly name: string;
  readonly run: (input: Input) => unknown;
}

export interface Timing<Input> {
  readonly subjects: readonly Subject<Input>[];
  readonly inputs: readonly Input[];
  /** Least time that a subject runs in a round. */
  readonly millisecondsEach: number;
  readonly rounds: number;
}

/**
 * µs per input by subject: the median of the rounds. Subjects run in turn, never two at a time. Only answers that are
 * promises are awaited.
 */
export async function timeSideBySide<Input>({
  subjects,
  inputs,
  millisecondsEach,
  rounds,
}: Timing<Input>): Promise<ReadonlyMap<string, number>> {
  const taken = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
  for (const subject of subjects) await runFor(subject, inputs, millisecondsEach);
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of subjects) {
      taken.get(subject.name)?.push(await runFor(subject, inputs, millisecondsEach));
    }
  }
  return new Map([...taken].map(([name, values]) => [name, median(values)]));
}

async function runFor<Input>({ run }: Subject<Input>, inputs: readonly Input[], ms: number): Promise<number> {
  const started = performance.now();
  let runs = 0;
  for (;;) {
    for (const input of inputs) {
      const answer = run(input);
      if (answer instanceof Promise) await answer;
    }
    runs += inputs.length;
    const taken = performance.now() - started;
    if (taken >= ms) return (taken * 1000) / runs;
  }
}
