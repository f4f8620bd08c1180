/** A change of the schema, in the SQL of each dialect that it is for. */
export interface MigrationStep {
  readonly sqlite?: string;
  readonly postgres?: string;
}

/** Makes all tables: `SCHEMA_0018`. SQLite databases of before the first release were made by steps with smaller numbers. */
export const FIRST_STEP = '0018-service-state';

/**
 * By name, in the order they are applied, after the first. Never edit a released step: add another. A step only adds things that the
 * release before can ignore (a table, a column that may be null or has a default, an index): in PostgreSQL that release runs beside
 * this one while instances are replaced. A table or column that nothing uses any more is dropped in the release after.
 */
export const MIGRATION_STEPS: Readonly<Record<string, MigrationStep>> = {
  // With SQLite, downloaded lists are in the data directory. `state` is JSON and names the snapshots, which may be some megabytes.
  '0019-downloaded-lists': {
    postgres: `
      CREATE TABLE downloaded_lists (
        url TEXT COLLATE "C" PRIMARY KEY,
        state TEXT NOT NULL
      );
      CREATE TABLE list_snapshots (
        list_id TEXT COLLATE "C" NOT NULL,
        sha256 TEXT COLLATE "C" NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (list_id, sha256)
      );
    `,
  },
};

/**
 * The last step of the release before this one; set it when a release is made. PostgreSQL stores it with each step that this release
 * applies: a program that knows neither the step nor `RUNS_BESIDE` refuses to start there.
 */
export const RUNS_BESIDE = FIRST_STEP;

/** The steps that a database with these rows of `migrations` lacks, and those that only a newer Postern knows. */
export function compareSteps(rows: readonly { readonly name?: unknown }[], known: readonly string[]) {
  const applied = rows.map(({ name }) => String(name));
  return {
    pending: known.filter((step) => !applied.includes(step)),
    newer: applied.filter((step) => !known.includes(step) && step > FIRST_STEP),
  };
}

export function stepsOf(dialect: keyof MigrationStep): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(MIGRATION_STEPS).flatMap(([name, { [dialect]: sql }]) =>
      sql === undefined ? [] : [[name, sql]],
    ),
  );
}
