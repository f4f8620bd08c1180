import { whole } from '../../lib/statistics.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { InputRow } from './input-rows.ts';
import type { Outcome } from './outcome.ts';

/** Broken lines that are told one by one; of the others their number must do. */
const MOST_TOLD = 10;

/** What a file held, for the line at the end. */
export class Tally {
  readonly #clock: Clock;
  readonly #begun: number;
  readonly #told: string[] = [];
  #rows = 0;
  #blocked = 0;
  #unparseable = 0;
  #broken = 0;
  #degraded = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#begun = clock.now();
  }

  count({ line, broken }: InputRow, { action, fault, degraded }: Outcome): void {
    this.#rows += 1;
    if (action === 'BLOCK') this.#blocked += 1;
    if (fault !== null) this.#unparseable += 1;
    if (degraded.length > 0) this.#degraded += 1;
    if (broken === null) return;
    this.#broken += 1;
    if (this.#told.length < MOST_TOLD) this.#told.push(`${line} ${broken}`);
  }

  /** Whether any row was BLOCK or unparseable. */
  get hasFound(): boolean {
    return this.#blocked + this.#unparseable > 0;
  }

  /** `users.csv:17 …` for broken lines, then the sums. */
  lines(name: string): readonly string[] {
    const more = this.#broken - this.#told.length;
    const seconds = ((this.#clock.now() - this.#begun) / 1000).toFixed(1);
    return [
      ...this.#told.map((told) => `${name}:${told}`),
      ...(more > 0 ? [`${name}: ${whole(more)} more broken lines`] : []),
      [
        `${whole(this.#rows)} rows: ${whole(this.#blocked)} BLOCK`,
        `${whole(this.#unparseable)} unparseable (${whole(this.#broken)} broken lines)`,
        ...(this.#degraded > 0 ? [`${whole(this.#degraded)} degraded`] : []),
        `${seconds} s`,
      ].join(', '),
    ];
  }
}
