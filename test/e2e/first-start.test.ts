import { once } from 'node:events';
import { statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHECK_RESPONSE } from '../../src/http/v1/check.presenter.ts';
import { aClient, keyOf, spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const mode = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe('a first start on empty data', () => {
  it('keeps one key from standard output, with a curl line that reads it and answers 200 in shape, although DNS cannot be reached', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    // Port 9 (discard): nobody answers there.
    const postern = spawnPostern({ dataDir, env: { POSTERN__DNS__SERVERS: '["127.0.0.1:9"]' } });
    onTestFinished(() => void postern.child.kill('SIGKILL'));
    const { httpsPort } = await postern.ready;
    const key = keyOf(postern);
    expect(postern.stdout()).toContain(
      `curl --cacert ${join(dataDir, 'tls/ca.pem')} https://localhost:${httpsPort}/v1/ -H "Authorization: Bearer $(sed -n s/^POSTERN_KEY=//p ${join(dataDir, 'first-run.txt')})"`,
    );
    expect(postern.stdout() + postern.stderr()).not.toContain(key);
    const client = aClient(dataDir, httpsPort, key);
    const { status, headers, json } = await client.check('jane.doe@example.com');
    client.close();
    expect(status).toBe(200);
    expect(new Ajv2020({ allowUnionTypes: true }).validate(CHECK_RESPONSE, json)).toBe(true);
    expect(headers['postern-degraded']).toBe('mx');
    expect(json.summary).toMatchObject({ action: 'ALLOW', risk_level: 'low' });

    postern.child.kill('SIGTERM');
    expect(await postern.exited).toEqual({ code: 0, signal: null });
  });

  it('keeps what it makes to its owner', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const postern = spawnPostern({ dataDir });
    onTestFinished(() => void postern.child.kill('SIGKILL'));
    await postern.ready;
    expect(mode(dataDir)).toBe('700');
    for (const file of ['postern.db', 'tls/key.pem', 'tls/cert.pem', 'secrets/hmac.key', 'first-run.txt']) {
      expect(`${file} ${mode(join(dataDir, file))}`).toBe(`${file} 600`);
    }
  });

  it('tells the key once: a second start knows it and makes none', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const first = spawnPostern({ dataDir });
    await first.ready;
    const key = keyOf(first);
    first.child.kill('SIGTERM');
    await first.exited;
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
  it('spends no first key on a port that is taken: the next start shows it', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const neighbour = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void neighbour.close());
    await once(neighbour, 'listening');
    const { port } = neighbour.address() as AddressInfo;
    const refused = spawnPostern({ dataDir, args: ['--port', String(port)] });
    expect(await refused.exited).toEqual({ code: 78, signal: null });
    expect(refused.stderr()).toContain('another process listens there');

    const second = spawnPostern({ dataDir });
    onTestFinished(() => void second.child.kill('SIGKILL'));
    await second.ready;
    expect(keyOf(second)).toMatch(/^pst_live_/);
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

  it('refuses a data directory that another service serves, and takes it over when that one is killed', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const first = spawnPostern({ dataDir });
    await first.ready;
    const second = spawnPostern({ dataDir });
    expect(await second.exited).toEqual({ code: 78, signal: null });
    expect(second.stderr()).toContain(`${dataDir}: another postern serves this data directory`);
    first.child.kill('SIGKILL');
    await first.exited;
    const third = spawnPostern({ dataDir });
    onTestFinished(() => void third.child.kill('SIGKILL'));
    await third.ready;
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
