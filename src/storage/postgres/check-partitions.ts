import { DAY_MS, isoDay } from '../../lib/time.ts';
import { type Connections, SQLSTATE, sqlstateOf } from './connections.ts';

const WEEK_MS = 7 * DAY_MS;
/** A Monday. */
const FIRST_MONDAY_MS = Date.UTC(1970, 0, 5);

/** How long a drop waits for a long query that reads the partition. Commits may have to wait as long. */
const DROP_WAIT_MS = 200;

/** Up to so many checks are counted, by an index alone; for more the server's estimate is used. */
export const COUNTED = 100_000;

/** Errors of a drop (a query reads the partition, or the deletions take too long) after which the checks are deleted row by row instead. */
const BETTER_BY_ROWS: readonly unknown[] = [
  SQLSTATE.lockNotAvailable,
  SQLSTATE.deadlock,
  SQLSTATE.queryCanceled,
];

interface Partition {
  readonly name: string;
  /** `2026-11-23`, a Monday: the first day that the partition holds, and the first day after it. */
  readonly from: string;
  readonly to: string;
}

/**
 * The partitions of `checks`, one a week. With 90 days of retention there are 14. Many queries look into all partitions (by id, by
 * person): with one a day, each would take 90 look-ups and some 500 locks. No default partition: making another would search it.
 */
export class CheckPartitions {
  /** Days (`2026-11-23`) whose partition this process has made or found. */
  readonly #days = new Set<string>();

  constructor(private readonly connections: Connections) {}

  /** Makes the missing partitions for checks of these instants. */
  async make(instants: Iterable<string>): Promise<void> {
    for (const instant of instants) {
      const day = instant.slice(0, 10);
      if (this.#days.has(day)) continue;
      const at = Date.parse(day);
      // No date: the table itself refuses the row.
      if (Number.isNaN(at)) continue;
      await this.#make(weekOf(at));
      this.#days.add(day);
    }
  }

  /** Call it after the table had no partition for a row: another process has dropped one. */
  forget(): void {
    this.#days.clear();
  }

  #make({ name, from, to }: Partition): Promise<unknown> {
    return this.connections.transact(async ({ query }) => {
      // One lock for each partition: making one may have to wait, and must not hold up the others.
      await query("SELECT pg_advisory_xact_lock(hashtextextended('postern partition ' || $1, 0))", [name]);
      const { rows } = await query('SELECT to_regclass($1) IS NOT NULL AS is_there', [name]);
      if (rows[0].is_there) return;
      // ATTACH, not CREATE TABLE ... PARTITION OF, which would wait for every transaction that reads or writes the table (ALTER TABLE,
      // Notes). ATTACH still waits for an ANALYZE of the table.
      await query(`CREATE TABLE ${name} (LIKE checks INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
      await query(`CREATE UNIQUE INDEX ${name}_by_id ON ${name} (id)`);
      await query(`ALTER TABLE checks ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
    });
  }

  /**
   * Drops the oldest partition, if it ends by the instant, with the labels and the counts of its checks. Resolves to how many checks
   * there were (an estimate where there are many); undefined where there is none, or its checks have to be deleted row by row.
   */
  async dropOne(before: string): Promise<number | undefined> {
    const { rows } = await this.connections.query(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'checks'::regclass ORDER BY c.relname LIMIT 1`,
    );
    const first = rows[0] && weekOf(Date.parse(rows[0].name.slice('checks_'.length).replaceAll('_', '-')));
    if (first === undefined || first.to > before) return undefined;
    const { name, from, to } = first;
    try {
      return await this.connections.transact(async ({ query }) => {
        await query('LOCK TABLE labels, check_hours IN ROW EXCLUSIVE MODE');
        await query(`DELETE FROM labels WHERE check_id IN (SELECT id FROM ${name})`);
        await query('DELETE FROM check_hours WHERE hour >= $1 AND hour < $2', [from, to]);
        const { rows: counted } = await query(
          `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${name} LIMIT ${COUNTED}) AS few) AS checks,
           greatest(reltuples, pg_stat_get_live_tuples(oid))::bigint AS about FROM pg_class WHERE oid = '${name}'::regclass`,
        );
        await query(`SET LOCAL lock_timeout = ${DROP_WAIT_MS}`);
        await query(`DROP TABLE ${name}`);
        const { checks, about } = counted[0];
        return checks < COUNTED ? checks : Math.max(checks, about);
      });
    } catch (error) {
      if (BETTER_BY_ROWS.includes(sqlstateOf(error))) return undefined;
      throw error;
    }
  }
}

/** The partition of an instant, in milliseconds since the epoch. */
function weekOf(at: number): Partition {
  const monday = FIRST_MONDAY_MS + Math.floor((at - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS;
  const [from, to] = [isoDay(monday), isoDay(monday + WEEK_MS)];
  return { name: `checks_${from.replaceAll('-', '_')}`, from, to };
}
