import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { startTestService, type TestService } from '../support/service.ts';

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const hasPython = spawnSync('python3', ['--version']).status === 0;

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
    // Python asks a proxy of the machine's even for localhost.
    no_proxy: '*',
  };
});
afterAll(() => service.stop());

describe('examples', () => {
  it.skipIf(!hasCurl)('01-first-check.sh answers with a check', async () => {
    const { stdout } = await run('sh', [join(packageRoot, 'examples/01-first-check.sh')], { env });
    expect(JSON.parse(stdout).normalized).toMatchObject({
      canonical: 'janedoe@gmail.com',
      subaddress: 'news',
    });
  });

  it('03-typed-client.mts shows what it was told, whichever way it went', async () => {
    const file = join(packageRoot, 'examples/03-typed-client.mts');
    const emails = ['Jane.Doe+news@gmail.com', 'someone@mailinator.com', 'jane@'];
    const { stdout } = await run(process.execPath, [file, ...emails], { env });
    expect(stdout.trim().split('\n')).toEqual([
      'ALLOW 0 low janedoe@gmail.com',
      expect.stringMatching(/^BLOCK \d+ high someone@mailinator\.com$/),
      expect.stringMatching(/^unparseable_email at 5: .+\.$/),
    ]);
  });
});

describe.each([
  { example: '02-signup.mjs', program: process.execPath, isThere: true },
  {
    example: hasPython ? '04-signup.py' : '04-signup.py (python3 is not installed)',
    program: 'python3',
    isThere: hasPython,
  },
])('$example', ({ example, program, isThere }) => {
  const signUp = async (emails: string[], more: NodeJS.ProcessEnv = {}) => {
    const { stdout } = await run(program, [join(packageRoot, 'examples', example), ...emails], {
      env: { ...env, ...more },
    });
    return stdout.trim().split('\n');
  };

  it.runIf(isThere)('creates, declines and explains', async () => {
    expect(await signUp(['Jane.Doe+news@gmail.com', 'someone@mailinator.com', 'jane@'])).toEqual([
      'account created: janedoe@gmail.com',
      'signup declined',
      expect.stringMatching(/^form error: .+\.$/),
    ]);
  });

  it.runIf(isThere)('lets people in when Postern is down, and never takes an error for BLOCK', async () => {
    expect(await signUp(['jane@example.com'], { POSTERN_URL: 'https://localhost:9' })).toEqual([
      'account created, to be checked later: jane@example.com',
    ]);
  });

  it.runIf(isThere).each([
    ['0', 3],
    ['3', 1],
    ['Fri, 20 Nov 2026 12:00:00 GMT', 3],
  ])('tries again as "Retry-After: %s" allows: %i in all', async (after, expected) => {
    const asked = await aServer((response) => response.writeHead(503, { 'retry-after': after }).end());
    expect(await signUp(['jane@example.com'], { POSTERN_URL: asked.url })).toEqual([
      'account created, to be checked later: jane@example.com',
    ]);
    expect(asked.times).toBe(expected);
  });

  // What stops is waited for, a second each time.
  it.runIf(isThere).each([
    ['stops', 200],
    ['breaks off', 200],
    ['breaks off', 408],
    ['breaks off', 503],
  ])('tries again when what comes %s half-way through an answer %i', async (how, status) => {
    const asked = await aServer((response) => {
      response.writeHead(status, { 'content-length': 100 });
      response.write('{"id":', () => how === 'breaks off' && response.destroy());
    });
    expect(await signUp(['jane@example.com'], { POSTERN_URL: asked.url })).toEqual([
      'account created, to be checked later: jane@example.com',
    ]);
    expect(asked.times).toBe(3);
  });

  it.runIf(isThere)('tries again when Postern found the call too slow', async () => {
    const asked = await aServer((response) => response.writeHead(408).end('{"error":{}}'));
    expect(await signUp(['jane@example.com'], { POSTERN_URL: asked.url })).toEqual([
      'account created, to be checked later: jane@example.com',
    ]);
    expect(asked.times).toBe(3);
  });

  it.runIf(isThere)('takes a wrong key for a mistake of its own, and tells what Postern said', async () => {
    const refused = await signUp(['jane@example.com'], { POSTERN_KEY: 'pst_live_wrong' }).catch(
      ({ stderr }) => String(stderr),
    );
    expect(refused).toContain('malformed_api_key');
  });
});

/** In Postern's place; it may leave an answer open. */
async function aServer(answer: (response: ServerResponse) => unknown) {
  const asked = { url: '', times: 0 };
  const server = createServer((_request, response) => {
    asked.times += 1;
    answer(response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  asked.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return asked;
}
