import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { issueLocalhostCertificate } from '../../src/http/server/certificate.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { readPage } from '../docs/markdown.ts';
import { findPrograms } from '../support/programs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const run = promisify(execFile);
const { haproxy } = findPrograms('haproxy');
const dockerfile = readPage('deploy/docker/Dockerfile').replaceAll('\\\n', '');
const { services } = parse(readPage('deploy/docker/compose.yaml'), { merge: true });
const compose = services.postern;

/** The arguments of each of these instructions. */
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
  it('has in its context what the package is built from and contains, and what it copies', () => {
    const given = readPage('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const lists = readPage('scripts/build.js').matchAll(/^const (?:SOURCES|DOCUMENTS) = (\[[^;]*\]);$/gm);
    const built = [...lists].map(([, list]) => list).join();
    const { files } = JSON.parse(readPage('package.json')) as { files: string[] };
    const needed = [
      ...[...built.matchAll(/'([^']+)'/g)].map(([, name = '']) => name),
      // The samples for the surroundings of a container are not in it.
      ...files.filter((name) => !/^(!|deploy$|dist)/.test(name)).map((name) => name.split('/')[0] ?? ''),
      ...instructions('COPY').flatMap((words) => (words[0]?.startsWith('--from') ? [] : words.slice(0, -1))),
    ].filter((name) => name !== '.');
    expect(needed).toEqual(expect.arrayContaining(['src', 'tsconfig.json', 'docs', 'bin']));
    expect(
      needed.filter((name) => !given.some((path) => name === path || name.startsWith(`${path}/`))),
    ).toEqual([]);
    expect(given.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
  });

  it('runs the service as a user who is not root, with settings that exist', async () => {
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
  it('lets the container write only to its volume and /tmp, and gives it no privilege', () => {
    expect(compose).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] });
    expect(compose.security_opt).toEqual(['no-new-privileges:true']);
    expect(compose.volumes).toEqual([`data:${imageEnv.POSTERN_DATA_DIR}`]);
  });

  it('has settings that exist, also those in comments', async () => {
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

describe('deploy/docker/compose.yaml, profile shared', () => {
  const instances = [services['instance-1'], services['instance-2']];

  it('starts no service of the profile beside the single service', () => {
    const { postern, ...shared } = services;
    expect(postern).not.toHaveProperty('profiles');
    for (const service of Object.values(shared)) expect(service).toMatchObject({ profiles: ['shared'] });
  });

  it('gives two instances one database, one Valkey, the published rules, and each its own data', async () => {
    for (const { environment } of instances) {
      const { config } = await loadConfig({
        files: [],
        env: { ...imageEnv, ...environment },
        cwd: packageRoot,
      });
      expect(new URL(config.storage.url).hostname).toBe('postgres');
      expect(new URL(config.sharedState.url ?? '').hostname).toBe('valkey');
      expect(config.rules.source).toBe('database');
      expect(config.http.drainDelayMs).toBeGreaterThan(2_000);
    }
    const [one, other] = instances.map(({ volumes }) => volumes[0]);
    expect(one).not.toBe(other);
  });

  it('restricts the instances like the single service', () => {
    for (const instance of instances) {
      const { read_only, tmpfs, cap_drop, security_opt, ulimits } = compose;
      expect(instance).toMatchObject({ read_only, tmpfs, cap_drop, security_opt, ulimits });
    }
  });

  it('balances them by a configuration that HAProxy accepts', async () => {
    const [mounted = ''] = services.balancer.volumes;
    const sample = join('deploy/docker', mounted.split(':')[0] ?? '');
    const directory = temporaryDirectory();
    const { cert, key } = await issueLocalhostCertificate(Date.now());
    writeFileSync(join(directory, 'postern.pem'), cert + key);
    const text = readPage(sample)
      .replaceAll('/etc/haproxy/postern.pem', join(directory, 'postern.pem'))
      .replaceAll(/ (instance-\d):8080/g, ' 127.0.0.1:8080');
    for (const name of ['instance-1', 'instance-2']) expect(text).toContain(`server ${name} 127.0.0.1:8080`);
    const file = join(directory, 'haproxy.cfg');
    writeFileSync(file, text);
    if (haproxy) await expect(run(haproxy, ['-c', '-q', '-f', file])).resolves.toBeDefined();
  });
});
