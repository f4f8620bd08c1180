import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresServer, startPostgresServer } from '../cluster/support/postgres-server.ts';
import { POSTGRES_BIN, VALKEY } from '../cluster/support/programs.ts';
import { startValkeyServer, type ValkeyServer } from '../cluster/support/valkey-server.ts';
import { startDashboard, type TestDashboard, type Visitor } from '../support/dashboard.ts';
import { expectRefusal } from '../support/service.ts';
import { isShared } from '../support/service-database.ts';

const TOKEN = 'a-token-of-the-tests';

// It has its own servers, which it stops.
describe.skipIf(isShared || POSTGRES_BIN === '' || VALKEY === '')(
  'a service whose servers are stopped',
  () => {
    let root: string;
    let postgres: PostgresServer;
    let valkey: ValkeyServer;
    let dashboard: TestDashboard;
    let owner: Visitor;
    const check = () => dashboard.service.check('jane@example.com');
    const readyz = async () => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const { status, json } = await dashboard.service.send({ path: '/readyz', headers });
      return { ...json, status };
    };

    beforeAll(async () => {
      root = mkdtempSync(join(tmpdir(), 'postern-servers-'));
      // PostgreSQL runs as another user.
      chmodSync(root, 0o755);
      [postgres, valkey] = await Promise.all([startPostgresServer(root), startValkeyServer(root)]);
      dashboard = await startDashboard({
        storage: { url: postgres.url },
        shared_state: { url: valkey.url },
        rules: { source: 'database' },
        metrics: { token: TOKEN },
      });
      owner = await dashboard.signIn('owner');
    });
    afterAll(async () => {
      await dashboard.stop();
      await Promise.all([postgres.stop(), valkey.stop()]);
      rmSync(root, { recursive: true });
    });

    it('answers 503 with Retry-After on every path while PostgreSQL is down, records all that it answers, and recovers without a restart', async () => {
      expect((await check()).status).toBe(200);
      expect((await readyz()).states).toEqual({
        ...{
          storage: 'ok',
          rules: 'ok',
          shared_state: 'ok',
          changes: 'ok',
          retention: 'ok',
          accepting: 'ok',
        },
      });
      await postgres.stop();
      const credentials = { email: owner.person?.email, password: 'not the one' };
      const asked = [
        check(),
        dashboard.service.check('not an address'),
        owner.get('/session'),
        owner.get(`/accounts/${dashboard.accountId}/keys`),
        owner.get('/rules'),
        owner.ask('POST', '/accounts', { name: 'shop' }),
        dashboard.anonymous.ask('POST', '/session', credentials),
      ];
      for (const answer of await Promise.all(asked)) {
        expectRefusal(answer, 'unavailable');
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      }
      const away = await readyz();
      expect([away.status, away.states.storage]).toEqual([503, 'failing']);
      await expect.poll(async () => (await readyz()).states.changes).toBe('degraded');

      await postgres.start();
      await expect.poll(async () => (await check()).status).toBe(200);
      await expect.poll(async () => (await readyz()).states.changes).toBe('ok');
      expect((await readyz()).status).toBe(200);
      expect((await owner.get('/session')).json.person).toMatchObject({ id: owner.person?.id });
      const [row] = await postgres.query<{ n: string }>('SELECT count(*) AS n FROM checks');
      const answered = (await dashboard.service.rows('SELECT sum(checks) AS n FROM usage'))[0]?.n;
      expect(Number(row?.n)).toBe(answered);
    });

    it('answers checks while Valkey is down, reports the unknown facts, stays ready, and recovers without a restart', async () => {
      const well = await check();
      expect(well.headers).not.toHaveProperty('postern-degraded');
      await valkey.stop();
      await expect.poll(async () => (await readyz()).states.shared_state).toBe('degraded');
      const { status, headers, json } = await check();
      expect([status, headers['postern-degraded']]).toEqual([200, 'velocity']);
      expect(json.summary.risk_score).toBeLessThanOrEqual(well.json.summary.risk_score);
      const { status: ready, reasons } = await readyz();
      expect([ready, Object.keys(reasons)]).toEqual([200, ['shared_state']]);

      await valkey.start();
      await expect.poll(async () => (await readyz()).states.shared_state).toBe('ok');
      expect((await check()).headers).not.toHaveProperty('postern-degraded');
    });
  },
);
