import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { issueLocalhostCertificate } from '../../src/http/server/certificate.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { unknown } from '../../src/provider-kit/index.ts';
import { fakeHttp } from '../../src/provider-kit/testing/index.ts';
import { runContract } from '../../src/provider-kit/vitest.ts';
import { discoverProviders } from '../../src/signals/discover-providers.ts';
import { filesIn, readPage } from '../docs/markdown.ts';
import { aClient, keyOf, spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const files = filesIn(readPage('docs/providers.md'));
const EXAMPLE = [...files].filter(([name]) => name.startsWith('register/'));
const TOKEN = 'a token of the register';
const HASH_KEY = 'a key that both know';
const hashOf = (canonical: string) => createHmac('sha256', HASH_KEY).update(canonical).digest('hex');

/** Writes the example's files into `directory`, with `origin` as the address of the register. */
function writeExample(directory: string, origin: string): void {
  cpSync(join(packageRoot, 'rules'), join(directory, 'rules'), { recursive: true });
  mkdirSync(join(directory, 'known-customer'));
  for (const [name, code] of EXAMPLE) {
    const file = join(directory, name.replace('register/', ''));
    // A longer time-out, for a busy machine.
    const patient = code.replace('timeoutMs: 300', 'timeoutMs: 20_000');
    writeFileSync(file, patient.replaceAll('https://register.internal:8443', origin));
  }
  writeFileSync(join(directory, 'token'), `${TOKEN}\n`);
  writeFileSync(join(directory, 'key'), `${HASH_KEY}\n`);
  // No packet leaves for DNS: port 9 (discard) refuses at once.
  writeFileSync(join(directory, 'dns.yaml'), 'dns: { servers: ["127.0.0.1:9"] }\n');
}

/** The register: a real HTTPS server on loopback that holds the number of chargebacks by hash. */
async function startRegister(chargebacks: Readonly<Record<string, number>>) {
  const { ca, cert, key } = await issueLocalhostCertificate(Date.now());
  const asked: (string | undefined)[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    asked.push(request.url);
    const found = chargebacks[request.url?.split('/').at(-1) ?? ''];
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}` && found !== undefined;
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? { chargebacks: found } : { error: 'unknown' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  onTestFinished(stop);
  return { ca, asked, stop, origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const directory = mkdtempSync(join(tmpdir(), 'postern-test-'));
writeExample(directory, 'https://register.internal:8443');
const { enabled } = await discoverProviders({ enabled: [], paths: [join(directory, 'known-customer')] });
rmSync(directory, { recursive: true });
// Without its imports the test file is plain JavaScript.
const contract = (files.get('register/known-customer/index.test.ts') ?? '').replace(/^import .*$/gm, '');
new Function('provider', 'runContract', 'fakeHttp', 'unknown', contract)(
  enabled[0],
  runContract,
  fakeHttp,
  unknown,
);

it('docs/providers.md: a register is asked by the keyed hash of the canonical form, and a rule decides by what it knows', async () => {
  const jane = hashOf('jane.doe@example.com');
  const register = await startRegister({ [jane]: 3 });
  const directory = temporaryDirectory();
  writeExample(directory, register.origin);
  writeFileSync(join(directory, 'ca.pem'), register.ca);
  const dataDir = join(directory, 'data');
  const config = ['--config', join(directory, 'register.yaml'), '--config', join(directory, 'dns.yaml')];
  const env = {
    NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem'),
    POSTERN__PROVIDERS__KNOWN_CUSTOMER__TOKEN_FILE: join(directory, 'token'),
    POSTERN__PROVIDERS__KNOWN_CUSTOMER__HASH_KEY_FILE: join(directory, 'key'),
    POSTERN__LOG__LEVEL: 'debug',
    POSTERN__CHECK__DEADLINE_MS: '20000',
  };
  // Asynchronous, as this process must serve the register meanwhile.
  const command = async (line: string, more: NodeJS.ProcessEnv = {}) => {
    const all = [join(packageRoot, 'bin/postern.js'), ...line.split(' '), ...config, '--data-dir', dataDir];
    const options = { cwd: directory, env: { ...process.env, ...env, ...more } };
    const ran = promisify(execFile)(process.execPath, all, options);
    // A command that finds something exits with 1, which rejects here.
    return (await ran.catch((error: { stdout: string }) => error)).stdout;
  };
  const postern = spawnPostern({ dataDir, args: config, env });
  onTestFinished(() => void postern.child.kill('SIGKILL'));
  const { httpsPort } = await postern.ready;
  const check = async (email: string, more: object = {}, key = keyOf(postern)) => {
    const client = aClient(dataDir, httpsPort, key, { body: JSON.stringify({ email, ...more }) });
    const answer = await client.check(email);
    client.close();
    return answer;
  };

  const known = await check('Jane.Doe+shop@example.com');
  expect(register.asked).toEqual([`/v1/customers/${jane}`]);
  const records = new DatabaseSync(join(dataDir, 'postern.db'), { readOnly: true });
  const row = records.prepare('SELECT ledger, facts FROM checks WHERE id = ?').get(known.json.id);
  expect(JSON.parse(String(row?.facts))).toMatchObject({ 'known_customer.chargebacks': 3 });
  expect(JSON.parse(String(row?.ledger))).toContainEqual(
    expect.objectContaining({ kind: 'rule', id: 'many_chargebacks', points: 80 }),
  );
  // docs/api.md: other fields than the address change nothing.
  const context = { context: { chargebacks: 0, ip: '192.0.2.1' }, chargebacks: 0 };
  const again = await check('jane.doe@example.com', context);
  expect(again.json.summary).toEqual(known.json.summary);
  expect(Object.keys(again.json)).toEqual(Object.keys(known.json));
  expect(register.asked).toHaveLength(1);

  // With a test key, or offline, the register is not asked.
  const testKey = (await command('keys create --account default --env test')).trim();
  expect((await check('john@example.com', {}, testKey)).headers['postern-environment']).toBe('test');
  expect(await command('check --offline john@example.com')).toMatch(/^ALLOW/);
  expect(register.asked).toHaveLength(1);
  expect(await command('check john@example.com --json')).toContain('"known_customer.chargebacks":0');
  expect(register.asked.slice(1)).toEqual([`/v1/customers/${hashOf('john@example.com')}`]);

  // A register on a private network is not asked unless the operator has listed its origin.
  const unnamed = { POSTERN__PROVIDERS__PRIVATE_ORIGINS: '[]' };
  const refused = await command('check ann@example.com --json', unnamed);
  expect(JSON.parse(refused).unknown).toMatchObject({ 'known_customer.chargebacks': 'refused' });
  expect(register.asked).toHaveLength(2);

  // Neither command shows the secrets.
  const told = await Promise.all([command('config show'), command('doctor')]);
  expect(told[0]).toMatch(/providers\.known_customer\.token +\[redacted\]/);
  await register.stop();
  const without = await check('bob@example.com');
  expect(without.status).toBe(200);
  expect(without.headers['postern-degraded']).toContain('known_customer');
  records.close();
  postern.child.kill('SIGTERM');
  expect((await postern.exited).code).toBe(0);
  for (const text of [...told, postern.stdout(), postern.stderr()]) {
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain(HASH_KEY);
  }
  expect(postern.stderr()).not.toMatch(/jane|bob@/i);
});
