import type { Cluster } from './cluster.ts';
import type { Outcome } from './load.ts';

/** Ids that clients received and that are not on record. */
export async function missingRecords({ postgres }: Pick<Cluster, 'postgres'>, outcomes: readonly Outcome[]) {
  const rows = await postgres.query<{ id: string }>('SELECT id FROM checks');
  const recorded = new Set(rows.map(({ id }) => id));
  return answered(outcomes).filter((id) => !recorded.has(id));
}

export function answered(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap(({ status, id }) => (status === 200 ? [id ?? 'a 200 without an id'] : []));
}

/** Number of outcomes of each kind, for a readable failure message. */
export function summary(outcomes: readonly Outcome[]): Readonly<Record<string, number>> {
  const kinds = Object.groupBy(outcomes, ({ status, code, failure, instance }) =>
    [status || failure, code, instance === undefined ? 'not by an instance' : ''].filter(Boolean).join(' '),
  );
  return Object.fromEntries(Object.entries(kinds).map(([kind, those]) => [kind, those?.length ?? 0]));
}
