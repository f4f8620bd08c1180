/** One question at a time for each who asks: a newer one gives the older up. */
export class NewestOnly {
  readonly #underWay = new Map<string, AbortController>();

  /** `asker` is a page of a person's. Undefined when it was given up, by a newer question or by `signal`. */
  async ask<Answer>(
    asker: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    this.#underWay.get(asker)?.abort();
    const controller = new AbortController();
    this.#underWay.set(asker, controller);
    const either = AbortSignal.any([signal, controller.signal]);
    try {
      return await work(either);
    } catch (error) {
      if (either.aborted) return undefined;
      throw error;
    } finally {
      if (this.#underWay.get(asker) === controller) this.#underWay.delete(asker);
    }
  }
}
