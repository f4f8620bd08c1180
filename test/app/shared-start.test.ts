import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { startService } from '../../src/app/main.ts';
import { StartupError } from '../../src/errors.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { aClosedPort } from '../support/closed-port.ts';
import { describePostgres } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const SILENT = createLogger('silent');

/** An instance with a data directory of its own. */
async function start(url: string, env: Readonly<Record<string, string>> = {}) {
  const dataDir = temporaryDirectory();
  const variables = { POSTERN__STORAGE__URL: url, POSTERN__RULES__WATCH: 'false', ...env };
  const loaded = await loadConfig({ dataDir, files: [], env: variables, cwd: dataDir, port: 0 });
  const service = await startService(loaded, SILENT);
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await service.stop();
    isStopped = true;
  };
  onTestFinished(stop);
  return { ...service, dataDir, stop };
}

describePostgres('instances over one PostgreSQL', (database) => {
  it('ten that start at once make one account, one key, one set-up link and one key of the address hashes', async () => {
    await database.empty();
    const instances = await Promise.all(Array.from({ length: 10 }, () => start(database.url)));
    expect(instances.map(({ firstKey }) => firstKey).filter(Boolean)).toHaveLength(1);
    expect(instances.map(({ setupPath }) => setupPath).filter(Boolean)).toHaveLength(1);
    const made = ['accounts', 'api_keys', 'one_time_links'].map((table) =>
      database.query(`SELECT FROM ${table}`),
    );
    expect((await Promise.all(made)).map((rows) => rows.length)).toEqual([1, 1, 1]);
    const secrets = await database.query(
      "SELECT name FROM service_state WHERE name LIKE '%secret' ORDER BY name",
    );
    expect(secrets).toEqual([{ name: 'hmac_secret' }, { name: 'session_secret' }]);
    for (const { dataDir } of instances) {
      expect(
        readdirSync(dataDir).filter((name) => /secrets|lock|revocations|postern\.db/.test(name)),
      ).toEqual([]);
    }
  });

  it('one that starts later makes none of these', async () => {
    await database.empty();
    await (await start(database.url)).stop();
    const later = await start(database.url);
    expect([later.firstKey, later.setupPath]).toEqual([null, null]);
  });

  it('one with a different key of the address hashes does not start, and is told which key it needs', async () => {
    await database.empty();
    await start(database.url);
    const file = join(temporaryDirectory(), 'hmac.key');
    const other = { POSTERN__PRIVACY__HMAC_KEY_FILE: file };
    await expect(start(database.url, other)).rejects.toThrow(`privacy.hmac_key_file: ${file} is missing`);
    expect(existsSync(file)).toBe(false);
  });

  it('an unreachable server is a fault that may pass by the next start, and its password is not shown', async () => {
    const url = new URL(database.url);
    url.port = String(await aClosedPort());
    url.password = 'not-to-be-shown';
    const fault = await start(url.href).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(StartupError);
    const { faults, isTemporary } = fault as StartupError;
    expect(isTemporary).toBe(true);
    expect(faults).toEqual([expect.stringContaining('cannot be opened')]);
    expect(faults.join()).not.toContain('not-to-be-shown');
  });
});
