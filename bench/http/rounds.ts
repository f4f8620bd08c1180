import { median } from '../support/median.ts';

/** Figures of each contestant, one entry per round; within a round the contestants are measured one after the other. */
export class Rounds<Figure extends string> {
  readonly #byName = new Map<string, Record<Figure, number>[]>();

  add(name: string, figures: Record<Figure, number>): void {
    this.#byName.set(name, [...this.of(name), figures]);
  }

  of(name: string): readonly Record<Figure, number>[] {
    return this.#byName.get(name) ?? [];
  }

  median(name: string, figure: Figure): number {
    return median(this.of(name).map((figures) => figures[figure]));
  }

  /** The median, over all rounds, of the ratio of `of`'s figure to `over`'s in the same round. */
  ratio(figure: Figure, of: string, over: string): number {
    const others = this.of(over);
    return median(
      this.of(of).map((figures, round) => figures[figure] / (others[round]?.[figure] ?? Number.NaN)),
    );
  }
}
