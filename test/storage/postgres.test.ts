import { openPostgresStorage } from '../../src/storage/postgres/postgres-storage.ts';
import { describePostgres } from '../support/postgres.ts';
import { describeStorage } from './contract.ts';

describePostgres('on a server', (database) => {
  describeStorage('postgres', async () => {
    await database.empty();
    return {
      open: (durability = 'commit') =>
        openPostgresStorage({ url: database.url, durability, maxConnections: 3 }),
    };
  });
});
