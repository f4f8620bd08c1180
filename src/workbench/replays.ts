import type { ReplayAnswer, ReplayOrder, RuleBench } from './rule-bench.ts';

/** One replay at a time for each who asks: a newer question gives the older one up. */
export class Replays {
  readonly #bench: Pick<RuleBench, 'replay'>;
  readonly #underWay = new Map<string, AbortController>();

  constructor(bench: Pick<RuleBench, 'replay'>) {
    this.#bench = bench;
  }

  /** `asker` is a page of a person's. Undefined when it was given up, by a newer question or by `signal`. */
  async ask(asker: string, order: ReplayOrder, signal: AbortSignal): Promise<ReplayAnswer | undefined> {
    this.#underWay.get(asker)?.abort();
    const controller = new AbortController();
    this.#underWay.set(asker, controller);
    const either = AbortSignal.any([signal, controller.signal]);
    try {
      return await this.#bench.replay(order, either);
    } catch (error) {
      if (either.aborted) return undefined;
      throw error;
    } finally {
      if (this.#underWay.get(asker) === controller) this.#underWay.delete(asker);
    }
  }
}
