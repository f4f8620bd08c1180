import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { readPage } from '../docs/markdown.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const dockerfile = readPage('deploy/docker/Dockerfile').replaceAll('\\\n', '');
const compose = parse(readPage('deploy/docker/compose.yaml')).services.postern;

/** The words after each of these instructions. */
const instructions = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, text = '']) =>
    text.trim().split(/\s+/),
  );

const imageEnv = Object.fromEntries(
  instructions('ENV')
    .flat()
    .map((pair) => pair.split('=') as [string, string]),
);

describe('deploy/docker/Dockerfile', () => {
  it('is given what the package is built from and holds, and what it copies', () => {
    const given = readPage('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const [, built = ''] = /^const SOURCES = \[(.*)\];$/m.exec(readPage('scripts/build.js')) ?? [];
    const { files } = JSON.parse(readPage('package.json')) as { files: string[] };
    const needed = [
      ...[...built.matchAll(/'([^']+)'/g)].map(([, name = '']) => name),
      // The samples of what stands around a container are not in it.
      ...files.filter((name) => !/^(!|deploy$|dist)/.test(name)).map((name) => name.split('/')[0] ?? ''),
      ...instructions('COPY').flatMap((words) => (words[0]?.startsWith('--from') ? [] : words.slice(0, -1))),
    ].filter((name) => name !== '.');
    expect(
      needed.filter((name) => !given.some((path) => name === path || name.startsWith(`${path}/`))),
    ).toEqual([]);
    expect(given.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
  });

  it('runs the service as a user who is not root, with settings that there are', async () => {
    expect(instructions('USER')).toEqual([['1000:1000']]);
    const { config } = await loadConfig({ files: [], env: imageEnv, cwd: temporaryDirectory() });
    expect([config.http.host, config.dataDir]).toEqual(['0.0.0.0', '/var/lib/postern']);
    expect(imageEnv).not.toHaveProperty('POSTERN__RULES__DIR');
    expect(instructions('VOLUME')).toEqual([[config.dataDir]]);
    expect(instructions('HEALTHCHECK')[0]?.slice(-2)).toEqual(['["postern",', '"health"]']);
    expect(instructions('EXPOSE')).toEqual([[`${config.http.port}`, `${config.http.plainPort}`]]);
  });
});

describe('deploy/docker/compose.yaml', () => {
  it('gives the container nothing to write but its volume and /tmp, and no privilege', () => {
    expect(compose).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] });
    expect(compose.security_opt).toEqual(['no-new-privileges:true']);
    expect(compose.volumes).toEqual([`data:${imageEnv.POSTERN_DATA_DIR}`]);
  });

  it('has settings that there are, those too that are commented out', async () => {
    const all = parse(readPage('deploy/docker/compose.yaml').replace(/^( +)# (?=POSTERN_)/gm, '$1'));
    const { environment } = all.services.postern;
    const { config } = await loadConfig({
      files: [],
      env: { ...imageEnv, ...environment },
      cwd: packageRoot,
    });
    expect(config.http.trustedProxies).toHaveLength(1);
    const stopMs = Number.parseInt(compose.stop_grace_period, 10) * 1000;
    expect(stopMs).toBeGreaterThan(config.http.drainTimeoutMs);
  });
});
