import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { aClient, keyOf, spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { transmit } from '../support/transmit.ts';

/** Logs the URL of every module that any process loads. */
const HOOK = `
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, url + '\\n');
    return next(url, context);
  },
});
`;

it('the embedded service, its dashboard and its jobs load no client of a PostgreSQL or a Valkey, and without a collector nothing of OpenTelemetry', async () => {
  const folder = temporaryDirectory();
  const [hook, list, dataDir] = [join(folder, 'hook.mjs'), join(folder, 'loaded'), join(folder, 'data')];
  writeFileSync(hook, HOOK);
  writeFileSync(list, '');
  const env = {
    POSTERN__DNS__SERVERS: '["127.0.0.1:9"]',
    NODE_OPTIONS: `--import=file://${hook}`,
    LOADED_MODULES: list,
  };
  const postern = spawnPostern({ dataDir, env });
  onTestFinished(() => void postern.child.kill('SIGKILL'));
  const { httpsPort } = await postern.ready;
  const client = aClient(dataDir, httpsPort, keyOf(postern));
  expect((await client.check('jane.doe@example.com')).status).toBe(200);
  client.close();
  expect(readFileSync(list, 'utf8')).not.toContain('opentelemetry');
  const agent = new Agent({ ca: readFileSync(join(dataDir, 'tls/ca.pem')) });
  expect((await transmit({ agent, port: httpsPort, path: '/dashboard/api/session' })).status).toBe(200);
  agent.destroy();
  postern.child.kill('SIGTERM');
  await postern.exited;

  const loaded = readFileSync(list, 'utf8').split('\n');
  expect(loaded.filter((url) => /node_modules\/(better-auth|rate-limiter-flexible)\//.test(url))).not.toEqual(
    [],
  );
  expect(
    loaded.filter((url) =>
      /node_modules\/(pg|pg-pool|pg-protocol|iovalkey|@iovalkey)\/|RateLimiterRedis/.test(url),
    ),
  ).toEqual([]);
  // better-auth loads OpenTelemetry's API and its names, which do nothing by themselves.
  expect(loaded.filter((url) => /@opentelemetry\/(?!(api|semantic-conventions)\/)/.test(url))).toEqual([]);
});
