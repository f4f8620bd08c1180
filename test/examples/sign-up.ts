import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { startTestService, type TestService } from '../support/service.ts';

const run = promisify(execFile);

/** Runs a program of examples/ against a service that is there for the tests of the file; resolves to what it prints, on stdout and stderr. */
export function runnerOfExamples() {
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
  return async (
    program: string,
    example: string,
    args: readonly string[] = [],
    more: NodeJS.ProcessEnv = {},
  ) => {
    const file = join(packageRoot, 'examples', example);
    return run(program, [file, ...args], { env: { ...env, ...more } });
  };
}

/** What a program that signs people up must do, in whichever language. */
export function describeSignUp(
  runExample: ReturnType<typeof runnerOfExamples>,
  {
    example,
    program,
    isThere,
  }: { readonly example: string; readonly program: string; readonly isThere: boolean },
): void {
  describe(isThere ? example : `${example} (${program} is not installed)`, () => {
    const signUp = async (emails: string[], more: NodeJS.ProcessEnv = {}) =>
      (await runExample(program, example, emails, more)).stdout.trim().split('\n');

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
      [
        'a certificate that it does not trust',
        { NODE_EXTRA_CA_CERTS: undefined, POSTERN_CA: undefined },
        /cert/i,
      ],
      ['a URL without https://', { POSTERN_URL: 'localhost:9' }, /unknown (scheme|url type)/],
    ])('says why no address was checked: %s', async (_what, more, why) => {
      const { stdout, stderr } = await runExample(program, example, ['jane@example.com'], more);
      expect(stdout).toBe('account created, to be checked later: jane@example.com\n');
      expect(stderr).toMatch(why);
      expect(stderr).not.toContain('jane');
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

    it.runIf(isThere)(
      'lets people in at once when its key is refused, and tells what Postern said',
      async () => {
        const asked = await aServer((response) =>
          response.writeHead(401).end('{"error":{"code":"invalid_api_key"}}'),
        );
        const { stdout, stderr } = await runExample(program, example, ['jane@example.com'], {
          POSTERN_URL: asked.url,
        });
        expect(stdout).toBe('account created, to be checked later: jane@example.com\n');
        expect(stderr).toContain('invalid_api_key');
        expect(asked.times).toBe(1);
      },
    );
  });
}

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
