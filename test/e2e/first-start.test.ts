import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CHECK_RESPONSE } from '../../src/http/v1/check.presenter.ts';
import { aClient, keyOf, type PosternProcess, spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const mode = (file: string) => (statSync(file).mode & 0o777).toString(8);

/** A data directory that is deleted after all tests, for tests that continue from an earlier one. */
function aDataDir(): string {
  const home = mkdtempSync(join(tmpdir(), 'postern-first-start-'));
  afterAll(() => rmSync(home, { recursive: true }));
  return join(home, 'data');
}

describe('a first start on empty data', () => {
  const dataDir = aDataDir();
  let first: PosternProcess;
  let key: string;
  beforeAll(async () => {
    // Port 9 (discard): no server answers there.
    first = spawnPostern({ dataDir, env: { POSTERN__DNS__SERVERS: '["127.0.0.1:9"]' } });
    await first.ready;
    key = keyOf(first);
  });
  afterAll(() => void first.child.kill('SIGKILL'));

  it('keeps one key from standard output, with a curl line that reads it and answers 200 in shape, although DNS cannot be reached', async () => {
    const { httpsPort } = await first.ready;
    expect(first.stdout()).toContain(
      `curl --cacert ${join(dataDir, 'tls/ca.pem')} https://localhost:${httpsPort}/v1/ -H "Authorization: Bearer $(sed -n s/^POSTERN_KEY=//p ${join(dataDir, 'first-run.txt')})"`,
    );
    expect(first.stdout() + first.stderr()).not.toContain(key);
    const client = aClient(dataDir, httpsPort, key);
    const { status, headers, json } = await client.check('jane.doe@example.com');
    client.close();
    expect(status).toBe(200);
    expect(new Ajv2020({ allowUnionTypes: true }).validate(CHECK_RESPONSE, json)).toBe(true);
    expect(headers['postern-degraded']).toBe('mx');
    expect(json.summary).toMatchObject({ action: 'ALLOW', risk_level: 'low' });
  });

  it('keeps what it makes to its owner', () => {
    expect(mode(dataDir)).toBe('700');
    for (const file of ['postern.db', 'tls/key.pem', 'tls/cert.pem', 'secrets/hmac.key', 'first-run.txt']) {
      expect(`${file} ${mode(join(dataDir, file))}`).toBe(`${file} 600`);
    }
  });

  it('tells the key once: a second start knows it and makes none; the first has ended with 0', async () => {
    first.child.kill('SIGTERM');
    expect(await first.exited).toEqual({ code: 0, signal: null });
    const second = spawnPostern({ dataDir });
    onTestFinished(() => void second.child.kill('SIGKILL'));
    const { httpsPort } = await second.ready;
    expect(second.stdout()).not.toMatch(/pst_|first-run/);
    expect(keyOf(second)).toBe(key);
    const client = aClient(dataDir, httpsPort, key);
    expect((await client.check('jane.doe@example.com')).status).toBe(200);
    client.close();
    expect(first.stderr() + second.stderr()).not.toContain(key);
  });
});

describe('a start with faults', () => {
  const dataDir = aDataDir();
  let neighbour: PosternProcess | undefined;
  afterAll(() => void neighbour?.child.kill('SIGKILL'));

  it('spends no first key on a port that is taken: the next start shows it', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const refused = spawnPostern({ dataDir, args: ['--port', String(port)] });
    expect(await refused.exited).toEqual({ code: 78, signal: null });
    expect(refused.stderr()).toContain('another process listens there');

    neighbour = spawnPostern({ dataDir });
    await neighbour.ready;
    expect(keyOf(neighbour)).toMatch(/^pst_live_/);
  });

  it('refuses a data directory that another service serves, and takes it over when that one is killed', async () => {
    if (!neighbour) throw new Error('goes on with the service that the test before has started');
    const refused = spawnPostern({ dataDir });
    expect(await refused.exited).toEqual({ code: 78, signal: null });
    expect(refused.stderr()).toContain(`${dataDir}: another postern serves this data directory`);
    neighbour.child.kill('SIGKILL');
    await neighbour.exited;
    const heir = spawnPostern({ dataDir });
    onTestFinished(() => void heir.child.kill('SIGKILL'));
    await heir.ready;
  });

  it('lists them all, exits with 78 and leaves nothing behind', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const postern = spawnPostern({
      dataDir,
      env: { POSTERN__HTTP__PROT: '1', POSTERN__CHECK__DEADLINE_MS: 'soon' },
    });
    expect(await postern.exited).toEqual({ code: 78, signal: null });
    expect(postern.stderr()).toContain('POSTERN__HTTP__PROT');
    expect(postern.stderr()).toContain('did you mean');
    expect(postern.stderr()).toContain('POSTERN__CHECK__DEADLINE_MS');
    expect(postern.stdout()).toBe('');
    expect(() => statSync(dataDir)).toThrow('ENOENT');
  });

  it('tells the faults of rules and of certificates in one go', async () => {
    const directory = temporaryDirectory();
    const postern = spawnPostern({
      dataDir: join(directory, 'data'),
      env: {
        POSTERN__RULES__DIR: join(directory, 'no-rules'),
        POSTERN__HTTP__TLS__CERT_FILE: join(directory, 'no-cert.pem'),
        POSTERN__HTTP__TLS__KEY_FILE: join(directory, 'no-key.pem'),
      },
    });
    expect(await postern.exited).toEqual({ code: 78, signal: null });
    expect(postern.stderr()).toContain('no-rules');
    expect(postern.stderr()).toContain('no-cert.pem');
  });
});
