import { whole } from './statistics.ts';

/** Rows that were refused for the same reason. */
export interface RowFault {
  readonly reason: string;
  readonly rows: number;
  /** Of the first of them; the numbers of many are of no use. */
  readonly lines: readonly number[];
}

const MOST_LINES = 1_000;
/** Reasons quote values, and a column that was mistaken for another may hold as many of them as there are rows. */
const MOST_REASONS = 100;
/** Lines that are told to a person, for each reason. */
const LINES_SHOWN = 10;

/** What is wrong with the rows of a file, told by reason: a word that is not understood stands in a thousand rows. */
export class RowFaults {
  readonly #byReason = new Map<string, { rows: number; readonly lines: number[] }>();
  #count = 0;

  add(line: number, reason: string): void {
    this.#count += 1;
    const known = this.#byReason.get(reason);
    if (known) {
      known.rows += 1;
      if (known.lines.length < MOST_LINES) known.lines.push(line);
    } else if (this.#byReason.size < MOST_REASONS) this.#byReason.set(reason, { rows: 1, lines: [line] });
  }

  /** Rows. */
  get count(): number {
    return this.#count;
  }

  /** In the order in which they were met. */
  get all(): readonly RowFault[] {
    return [...this.#byReason].map(([reason, { rows, lines }]) => ({ reason, rows, lines }));
  }

  /** `users.csv:17 …` for each reason, then how many rows are left untold. */
  describe(name: string): readonly string[] {
    const untold = this.#count - this.all.reduce((sum, { rows }) => sum + rows, 0);
    return [
      ...this.all.map((fault) => `${name}:${fault.lines[0]} ${fault.reason}${describeOthers(fault)}`),
      ...(untold > 0 ? [`${name}: ${whole(untold)} more rows, for other reasons`] : []),
    ];
  }
}

function describeOthers({ rows, lines }: RowFault): string {
  if (rows === 1) return '';
  const others = lines.slice(1, LINES_SHOWN + 1);
  const more = rows - 1 - others.length;
  const tail = more > 0 ? ` and ${whole(more)} more` : '';
  return ` (so ${others.length === 1 && more === 0 ? 'is line' : 'are lines'} ${others.join(', ')}${tail})`;
}
