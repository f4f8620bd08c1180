import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { startTestService, type TestService } from '../support/service.ts';

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;

let service: TestService;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  service = await startTestService();
  const ca = join(service.dataDir, 'tls/ca.pem');
  env = {
    ...process.env,
    POSTERN_URL: `https://localhost:${service.httpsPort}`,
    POSTERN_KEY: service.key,
    POSTERN_CA: ca,
    NODE_EXTRA_CA_CERTS: ca,
  };
});
afterAll(() => service.stop());

const signUp = async (emails: string[], more: NodeJS.ProcessEnv = {}) => {
  const { stdout } = await run(process.execPath, [join(packageRoot, 'examples/02-signup.mjs'), ...emails], {
    env: { ...env, ...more },
  });
  return stdout.trim().split('\n');
};

describe('examples', () => {
  it.skipIf(!hasCurl)('01-first-check.sh answers with a check', async () => {
    const { stdout } = await run('sh', [join(packageRoot, 'examples/01-first-check.sh')], { env });
    expect(JSON.parse(stdout).normalized).toMatchObject({
      canonical: 'janedoe@gmail.com',
      subaddress: 'news',
    });
  });

  it('02-signup.mjs creates, declines and explains', async () => {
    expect(await signUp(['Jane.Doe+news@gmail.com', 'someone@mailinator.com', 'jane@'])).toEqual([
      'account created: janedoe@gmail.com',
      'signup declined',
      expect.stringMatching(/^form error: .+\.$/),
    ]);
  });

  it('02-signup.mjs lets people in when Postern is down, and never takes an error for BLOCK', async () => {
    expect(await signUp(['jane@example.com'], { POSTERN_URL: 'https://localhost:9' })).toEqual([
      'account created, to be checked later: jane@example.com',
    ]);
  });

  it('02-signup.mjs tries three times, waiting as Retry-After says', async () => {
    let tries = 0;
    const server = createServer((_request, response) => {
      tries++;
      response.writeHead(503, { 'retry-after': '0' }).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await signUp(['jane@example.com'], { POSTERN_URL: `http://localhost:${port}` });
    expect(tries).toBe(3);
  });
});
