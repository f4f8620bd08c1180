import { DAY_MS } from '../../lib/time.ts';
import { type Connections, SQLSTATE, sqlstateOf } from './connections.ts';

const WEEK_MS = 7 * DAY_MS;
/** A Monday. */
const FIRST_MONDAY_MS = Date.UTC(1970, 0, 5);

/** What a commit may have to wait for, where a long query reads the partition that is to be dropped. */
const DROP_WAIT_MS = 200;

/** Up to so many checks are counted, by an index alone; of more the server knows about how many there are. */
export const COUNTED = 100_000;

/** The week is deleted row by row, which takes longer and comes as far as it does: it is being read, or what goes with it takes too long. */
const BETTER_BY_ROWS: readonly unknown[] = [
  SQLSTATE.lockNotAvailable,
  SQLSTATE.deadlock,
  SQLSTATE.queryCanceled,
];

interface Partition {
  readonly name: string;
  /** `2026-11-23`, a Monday: the first instant that it holds, and the first after. */
  readonly from: string;
  readonly to: string;
}

/**
 * The partitions of `checks`: weeks. With 90 days of retention there are 14; as many queries look into all of them (by id, by person),
 * days would take 90 look-ups and some 500 locks each. There is no default one: a new partition would have to search it.
 */
export class CheckPartitions {
  /** Days (`2026-11-23`) whose checks have a partition: made or found by this process. */
  readonly #days = new Set<string>();

  constructor(private readonly connections: Connections) {}

  /** Makes those that are missing for checks of these instants. */
  async make(instants: Iterable<string>): Promise<void> {
    for (const instant of instants) {
      const day = instant.slice(0, 10);
      if (this.#days.has(day)) continue;
      const at = Date.parse(day);
      // The table refuses such a row.
      if (Number.isNaN(at)) continue;
      await this.#make(weekOf(at));
      this.#days.add(day);
    }
  }

  /** After the table had none for a row: another process has dropped one. */
  forget(): void {
    this.#days.clear();
  }

  #make({ name, from, to }: Partition): Promise<unknown> {
    return this.connections.transact(async ({ query }) => {
      // A lock for each: what makes another may have to wait.
      await query("SELECT pg_advisory_xact_lock(hashtextextended('postern partition ' || $1, 0))", [name]);
      const { rows } = await query('SELECT to_regclass($1) IS NOT NULL AS is_there', [name]);
      if (rows[0].is_there) return;
      // Attached, and not made as a partition: that would wait for all who read or write the table (ALTER TABLE, Notes). It waits for
      // what analyses the table.
      await query(`CREATE TABLE ${name} (LIKE checks INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
      await query(`CREATE UNIQUE INDEX ${name}_by_id ON ${name} (id)`);
      await query(`ALTER TABLE checks ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
    });
  }

  /**
   * Drops a partition that ends by the instant, with the labels of its checks and what was counted of them. Resolves to how many checks
   * there were, or about how many where they are many; undefined where there is no such partition, or its checks are to be deleted.
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
  const [from, to] = [dayOf(monday), dayOf(monday + WEEK_MS)];
  return { name: `checks_${from.replaceAll('-', '_')}`, from, to };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
