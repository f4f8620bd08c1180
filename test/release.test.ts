import { execFileSync } from 'node:child_process';
import {
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
/** Every file of the installation, and when it was last written. */
const written = () =>
  readdirSync(project, { recursive: true, encoding: 'utf8' }).map(
    (path) => `${path} ${lstatSync(join(project, path)).mtimeMs}`,
  );
/** name@version of every package below, as npm has unpacked them. */
const installedParts = () =>
  globSync('node_modules/**/package.json', { cwd: program })
    .filter((path) => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path))
    .map((path) => JSON.parse(readFileSync(join(program, path), 'utf8')))
    .map(({ name, version }) => `${name}@${version}`);

beforeAll(() => {
  run(packageRoot, process.execPath, 'scripts/release.js', release);
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  // The optional part is a Node for who has none of the right version, and comes from a registry.
  const [tarball = ''] = readdirSync(release).filter((file) => file.endsWith('.tgz'));
  const without = ['--omit=dev', '--omit=optional', '--offline', '--cache', join(home, 'cache')];
  run(project, 'npm', 'install', ...without, join(release, tarball));
}, 300_000);

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('a release', () => {
  it('installs without a registry, and serves from any directory without writing into the program', async () => {
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

  it('has the rules in the data directory, where they are edited, published and upgraded, and writes nothing into the program', async () => {
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

    // Another release, which npm puts in the place of this one.
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

  it('holds what the service needs, and neither sources, tests, benchmarks nor the settings of who packed it', () => {
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

  it('names every package in it, those in the files of the dashboard too, with the licence of each', () => {
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

  it('has checksums that hold', () => {
    const checked = run(release, 'sha256sum', '--check', 'SHA256SUMS').trim().split('\n');
    expect(checked).toHaveLength(readdirSync(release).length - 1);
  });
});
