import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { aClient, keyOf, spawnPostern } from '../support/postern-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { codeIn, readPage, tableOf } from './markdown.ts';

const page = readPage('docs/operations.md');
/** As in a checkout, also where the test runs without one: rules are not in the data directory. */
const OFFLINE = { POSTERN__DNS__SERVERS: '["127.0.0.1:9"]', POSTERN__RULES__DIR: join(packageRoot, 'rules') };

describe('docs/operations.md', () => {
  it('lists every file of the data directory, each 0600, and every field of a request in the log', async () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const postern = spawnPostern({ dataDir, env: OFFLINE });
    onTestFinished(() => void postern.child.kill('SIGKILL'));
    const { httpsPort } = await postern.ready;
    const client = aClient(dataDir, httpsPort, keyOf(postern));
    await client.check('jane.the.unmistakable@example.com');
    await client.check('nobody');
    client.close();

    const files = globSync('**', { cwd: dataDir }).filter((file) => statSync(join(dataDir, file)).isFile());
    const documented = tableOf(page, 'file', 'is', 'if lost').flatMap(([names = '']) => codeIn(names));
    expect(files.sort()).toEqual([...documented].sort());
    expect(files.filter((file) => (statSync(join(dataDir, file)).mode & 0o777) !== 0o600)).toEqual([]);

    postern.child.kill('SIGTERM');
    await postern.exited;
    const lines = postern
      .stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const fields = new Set(lines.filter(({ msg }) => msg === 'request').flatMap((line) => Object.keys(line)));
    for (const always of ['level', 'time', 'msg']) fields.delete(always);
    const paragraph = /^JSON lines on standard error;[\s\S]*?Refusals/m.exec(page)?.[0] ?? '';
    expect([...fields].sort()).toEqual(
      codeIn(paragraph)
        .filter((word) => word !== 'ready' && word !== 'request')
        .sort(),
    );
    expect(postern.stderr()).not.toContain('unmistakable');
    expect(postern.stderr()).not.toContain(keyOf(postern));
  });

  it('names the limits against slow clients with their values', async () => {
    const { config } = await loadConfig({ dataDir: '/nowhere', files: [], env: {}, cwd: packageRoot });
    const { http } = config;
    const limits = tableOf(page, 'limit', 'is', 'key').map(([, is]) => is);
    const seconds = (ms: number) => `${ms / 1000} s`;
    expect(limits.slice(0, 7)).toEqual([
      `${seconds(http.headersTimeoutMs)} each`,
      seconds(http.requestTimeoutMs),
      seconds(http.idleTimeoutMs),
      seconds(2 * http.requestTimeoutMs),
      `${http.bodyLimitBytes.toLocaleString('en')} bytes each`,
      // Compared by the test of clients that pipeline.
      '10',
      http.maxConnections.toLocaleString('en'),
    ]);
  });
});
