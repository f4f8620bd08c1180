import { median } from '../support/median.ts';

/** What was measured of each contestant, one entry per round; the same round of both was measured in turn. */
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

  /** The median of one's figure over another's of the same round. */
  ratio(figure: Figure, of: string, over: string): number {
    const others = this.of(over);
    return median(
      this.of(of).map((figures, round) => figures[figure] / (others[round]?.[figure] ?? Number.NaN)),
    );
  }
}
