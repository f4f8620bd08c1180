// Writes src/storage/sqlite/whole-schema.ts: what all migrations come to, which a new database is made with. To be run after a
// migration was added; a test holds that it was.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS, migrate } from '../src/storage/sqlite/migrate.ts';
import { openDatabase } from '../src/storage/sqlite/open-database.ts';

const directory = mkdtempSync(join(tmpdir(), 'postern-schema-'));
const file = join(directory, 'postern.db');
await migrate(file, { ...MIGRATIONS });
const database = openDatabase(file, 0);
const statements = database
  .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
  .all()
  .map(({ sql }) => `${String(sql)};`);
database.close();
rmSync(directory, { recursive: true });

const text = statements.join('\n\n').replace(/[\\`]|\$\{/g, '\\$&');
writeFileSync(
  new URL('../src/storage/sqlite/whole-schema.ts', import.meta.url),
  `// Written by scripts/whole-schema.ts, from the migrations.

/** What a database has when all migrations were applied. */
export const WHOLE_SCHEMA = \`
${text}
\`;
`,
);
console.log(`${statements.length} statements`);
