/** How often each contestant said yes on the same rows. */
export interface Metric {
  readonly what: string;
  /** Whether a high share is good (found what should be) or a low one (named what should not be). */
  readonly wanted: 'high' | 'low';
  readonly of: number;
  /** By contestant; Postern is the first. */
  readonly hits: ReadonlyMap<string, number>;
}

export type Contestants<Row> = Readonly<Record<string, (row: Row) => boolean | Promise<boolean>>>;

/** Asks every contestant about every row. */
export async function countHits<Row>(
  what: string,
  wanted: Metric['wanted'],
  rows: readonly Row[],
  contestants: Contestants<Row>,
): Promise<Metric> {
  if (rows.length === 0)
    throw new Error(`there are no rows for "${what}": is the file of the form that docs/quality.md says?`);
  const hits = new Map<string, number>();
  for (const [name, says] of Object.entries(contestants)) {
    let count = 0;
    for (const row of rows) if (await says(row)) count += 1;
    hits.set(name, count);
  }
  return { what, wanted, of: rows.length, hits };
}
