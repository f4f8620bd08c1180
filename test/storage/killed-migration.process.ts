// Carries a database over and is killed before it can commit.
import { MIGRATIONS, migrate } from '../../src/storage/sqlite/migrate.ts';

await migrate(process.argv[2] ?? '', {
  ...MIGRATIONS,
  '9999-killed': () => void process.kill(process.pid, 'SIGKILL'),
});
