import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../src/lib/paths.ts';
import { aClient, keyOf, type PosternProcess, spawnPostern } from './support/postern-process.ts';
import { transmit } from './support/transmit.ts';

const home = mkdtempSync(join(tmpdir(), 'postern-release-'));
const release = join(home, 'release');
const project = join(home, 'project');
const program = join(project, 'node_modules/postern');

const read = (file: string) => readFileSync(join(release, file), 'utf8');
const run = (cwd: string, command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
/** Every file of the installation, with its modification time. */
const written = () =>
  readdirSync(project, { recursive: true, encoding: 'utf8' }).map(
    (path) => `${path} ${lstatSync(join(project, path)).mtimeMs}`,
  );
/** name@version of every package below, as npm has unpacked it. */
const installedParts = () =>
  globSync('node_modules/**/package.json', { cwd: program })
    .filter((path) => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
    .map((path) => JSON.parse(readFileSync(join(program, path), 'utf8')))
    .map(({ name, version }) => `${name}@${version}`);

/** A provider that reads a fact of a package. */
const RULE = `group: own
description: What packages tell.
max_score: 20
rules:
  - id: mostly_digits
    description: The local part is mostly digits.
    owner: risk
    mode: live
    conditions:
      all:
        - { fact: digits.is_high, operator: equal, value: true }
    event: { type: points, params: { points: 12 } }
`;

beforeAll(() => {
  run(packageRoot, process.execPath, 'scripts/release.js', release);
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  // The optional package contains Node for users without a suitable version, and comes from a registry.
  const [tarball = ''] = readdirSync(release).filter((file) => /^postern-\d.*\.tgz$/.test(file));
  const without = ['--omit=dev', '--omit=optional', '--offline', '--cache', join(home, 'cache')];
  run(project, 'npm', 'install', ...without, join(release, tarball));
}, 300_000);

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('a release', () => {
  it("installs without a registry, and serves from any directory without writing to the program's files", async () => {
    const cwd = join(home, 'elsewhere');
    mkdirSync(cwd);
    run(home, 'chmod', '-R', 'a-w', project);
    const before = written();
    const postern = spawnPostern({ program, cwd, dataDir: join(cwd, 'data'), isBoundByModes: true });
    onTestFinished(() => void postern.child.kill('SIGKILL'));
    const { httpsPort } = await postern.ready;
    const client = aClient(postern.dataDir, httpsPort, keyOf(postern));
    onTestFinished(() => client.close());
    const { status, json } = await client.check('jane.doe@example.com');
    expect([status, json?.summary.action]).toEqual([200, 'ALLOW']);
    const page = await transmit({
      port: httpsPort,
      path: '/',
      ca: readFileSync(join(postern.dataDir, 'tls/ca.pem')),
    });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    postern.child.kill('SIGTERM');
    expect(await postern.exited).toEqual({ code: 0, signal: null });
    expect(written()).toEqual(before);
  });

  it("has the rules in the data directory, where they are edited, published and upgraded, and writes nothing to the program's files", async () => {
    const cwd = join(home, 'with-rules');
    mkdirSync(cwd);
    const own = (file: string) => join(cwd, 'data/rules', file);
    const shipped = join(program, 'rules/domain.yaml');
    run(home, 'chmod', '-R', 'a-w', project);
    let before = written();
    const postern = (...args: string[]) =>
      run(cwd, process.execPath, join(program, 'bin/postern.js'), ...args);
    const start = async () => {
      const service = spawnPostern({ program, cwd, dataDir: join(cwd, 'data'), isBoundByModes: true });
      onTestFinished(() => void service.child.kill('SIGKILL'));
      await service.ready;
      return service;
    };
    const stop = async ({ child, exited }: PosternProcess) => {
      child.kill('SIGTERM');
      await exited;
    };
    const first = await start();
    expect(readFileSync(own('domain.yaml'), 'utf8')).toBe(readFileSync(shipped, 'utf8'));
    postern('lists', 'deny', 'add', 'x.example', '--reason', 'Sold.', '--owner', 'risk');
    postern('rules', 'lint', '--fix');
    postern('rules', 'schema');
    const entry = readFileSync(own('deny.yaml'), 'utf8');
    await stop(first);
    postern('rules', 'rollback', '1');
    postern('rules', 'rollback', '2');
    expect(readFileSync(own('deny.yaml'), 'utf8')).toBe(entry);
    expect(written()).toEqual(before);

    // Another release, which npm installs over this one.
    rmSync(shipped, { force: true });
    writeFileSync(shipped, `${readFileSync(own('domain.yaml'), 'utf8')}# Newer.\n`);
    before = written();
    const second = await start();
    // The log is written in batches.
    await expect.poll(second.stderr).toContain('the shipped rules have changed since yours began');
    expect(readFileSync(own('domain.yaml'), 'utf8')).not.toContain('# Newer.');
    postern('rules', 'upgrade', '--publish');
    expect(readFileSync(own('domain.yaml'), 'utf8')).toBe(readFileSync(shipped, 'utf8'));
    expect(readFileSync(own('deny.yaml'), 'utf8')).toBe(entry);
    await stop(second);
    expect(written()).toEqual(before);
  });

  it('contains what the service needs, and no sources, tests, benchmarks or settings of the packager', () => {
    const own = readdirSync(program, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !path.startsWith('node_modules'),
    );
    const kept =
      /^(bin|config|deploy|dist|docs|providers|rules|tables)(\/|$)|^[A-Z]+(\.md)?$|^package\.json$/;
    expect(own.filter((path) => !kept.test(path))).toEqual([]);
    expect(
      own.filter((path) =>
        /\.test\.|\.map$|^dist\/(demo|openapi)|^config\/local\.yaml$|^providers\/.*\.ts$/.test(path),
      ),
    ).toEqual([]);
    const ids = readdirSync(join(packageRoot, 'providers'));
    expect(readdirSync(join(program, 'dist/providers')).sort()).toEqual(ids.sort());
  });

  it('lists every package in it, those in the files of the dashboard too, with the licence of each', () => {
    const [file = ''] = readdirSync(release).filter((name) => name.endsWith('.cdx.json'));
    const bill = JSON.parse(read(file));
    expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', 'postern']);
    const parts: { name: string; version: string; licenses?: unknown[] }[] = bill.components;
    const named = parts.map(({ name, version }) => `${name}@${version}`);
    expect(named).toEqual(expect.arrayContaining(installedParts()));
    expect(named).toContainEqual(expect.stringMatching(/^react-dom@/));
    expect(named.filter((name) => /^(vitest|typescript)@/.test(name))).toEqual([]);
    expect(parts.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
    const texts = read(file.replace('.cdx.json', '-licenses.txt'));
    expect(parts.filter(({ name, version }) => !texts.includes(`\n${name} ${version} (`))).toEqual([]);
  });

  it('supports an author of each kind of provider, from the first file to a package beside the service, and to a rule', () => {
    const author = join(home, 'author');
    const own = (file: string) => join(author, file);
    mkdirSync(own('node_modules/@postern/provider-kit'), { recursive: true });
    for (const folder of ['.bin', '@types']) mkdirSync(own(`node_modules/${folder}`));
    const [kit = ''] = readdirSync(release).filter((file) => file.startsWith('postern-provider-kit-'));
    run(
      author,
      'tar',
      '-xzf',
      join(release, kit),
      '--strip-components=1',
      '-C',
      'node_modules/@postern/provider-kit',
    );
    // What npm would download from a registry: the kit's own dependencies, and the author's tools.
    const { dependencies } = JSON.parse(
      readFileSync(own('node_modules/@postern/provider-kit/package.json'), 'utf8'),
    );
    for (const name of [...Object.keys(dependencies), '@types/node', 'vitest', 'typescript'])
      symlinkSync(join(packageRoot, 'node_modules', name), own(`node_modules/${name}`));
    symlinkSync(own('node_modules/typescript/bin/tsc'), own('node_modules/.bin/tsc'));

    const postern = (cwd: string, ...args: string[]) =>
      run(cwd, process.execPath, join(program, 'bin/postern.js'), ...args);
    const kinds = { digits: '--local', register: '--network', busy_domain: '--counting' };
    const tarballs = Object.entries(kinds).map(([id, kind]) => {
      const folder = own(id.replace('_', '-'));
      postern(author, 'providers', 'new', id, kind);
      expect(postern(author, 'providers', 'test', folder)).toContain('0 failed');
      const [{ filename, files }] = JSON.parse(run(folder, 'npm', 'pack', '--json'));
      const paths = files.map(({ path }: { path: string }) => path);
      expect(paths.sort()).toEqual(['README.md', 'dist/index.d.ts', 'dist/index.js', 'package.json']);
      return join(folder, filename);
    });
    const vitest = join(packageRoot, 'node_modules/vitest/vitest.mjs');
    const tested = run(author, process.execPath, vitest, 'run', '--root', author);
    expect(stripVTControlCharacters(tested)).toMatch(/Test Files +3 passed/);

    run(home, 'chmod', '-R', 'u+w', project);
    run(
      project,
      'npm',
      'install',
      '--omit=dev',
      '--omit=optional',
      '--offline',
      '--cache',
      join(home, 'cache'),
      ...tarballs,
    );
    cpSync(join(program, 'rules'), join(project, 'rules'), { recursive: true });
    writeFileSync(join(project, 'rules/digits.yaml'), RULE);
    const packages = Object.keys(kinds).map((id) => `postern-provider-${id.replace('_', '-')}`);
    writeFileSync(
      join(project, 'own.yaml'),
      `providers: { packages: [${packages}] }\nrules: { dir: rules }\n`,
    );
    const [answer] = postern(
      project,
      'check',
      '8005550199@example.com',
      '--offline',
      '--json',
      '--config',
      'own.yaml',
    )
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answer.ledger).toContainEqual(expect.objectContaining({ id: 'mostly_digits', points: 12 }));
    expect(answer.unknown).toMatchObject({
      'register.is_known': 'not_run',
      'busy_domain.checks_1h': 'not_run',
    });
  }, 180_000);

  it('has correct checksums', () => {
    const checked = run(release, 'sha256sum', '--check', 'SHA256SUMS').trim().split('\n');
    expect(checked).toHaveLength(readdirSync(release).length - 1);
  });
});
