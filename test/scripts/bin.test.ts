import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { MAIN, packageCopy, run } from './package-copy.ts';

/** Makes this Node report an old version. */
const OLD = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.0" } })';
const asOldNode = ['--import', `data:text/javascript,${encodeURIComponent(OLD)}`];

/** A built package; the pinned Node in it is this one behind a script that reports its version. */
function builtPackage({ pinned }: { pinned: boolean }): string {
  const root = packageCopy({ 'dist/src/cli/main.js': MAIN });
  if (pinned) {
    const bin = join(root, 'node_modules/node/bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(root, 'node_modules/node/package.json'), '{"name":"node","version":"24.0.0"}');
    writeFileSync(join(bin, 'node'), `#!/bin/sh\necho pinned\nexec "${process.execPath}" "$@"\n`);
    chmodSync(join(bin, 'node'), 0o755);
  }
  return root;
}

/** The package where npm installs it: without its sources, and with its dependencies beside it. */
function installed(root: string): string {
  const beside = join(root, '../project/node_modules');
  mkdirSync(beside, { recursive: true });
  if (existsSync(join(root, 'node_modules/node')))
    renameSync(join(root, 'node_modules/node'), join(beside, 'node'));
  rmSync(join(root, 'src'), { recursive: true });
  renameSync(root, join(beside, 'postern'));
  return join(beside, 'postern');
}

describe('bin/postern.js', () => {
  it('runs the command on a Node that is new enough', async () => {
    const command = run(process.execPath, ['bin/postern.js', 'exit', '3'], builtPackage({ pinned: false }));
    expect(await command.ended).toBe(3);
    expect(command.text()).toMatch(/^ready \d+ exit 3\n$/);
  });

  it('says how to build when there is no build', async () => {
    const command = run(process.execPath, ['bin/postern.js'], packageCopy());
    expect(await command.ended).toBe(2);
    expect(command.text()).toContain('npm run build');
  });

  it('restarts itself with the pinned Node on an old one, with the same arguments and exit code', async () => {
    const command = run(
      process.execPath,
      [...asOldNode, 'bin/postern.js', 'exit', '7'],
      builtPackage({ pinned: true }),
    );
    expect(await command.ended).toBe(7);
    expect(command.text()).toMatch(/^pinned\nready \d+ exit 7\n$/);
  });

  it('finds the pinned Node that npm has installed beside the package', async () => {
    const root = installed(builtPackage({ pinned: true }));
    const command = run(process.execPath, [...asOldNode, 'bin/postern.js', 'exit', '7'], root);
    expect(await command.ended).toBe(7);
    expect(command.text()).toMatch(/^pinned\nready \d+ exit 7\n$/);
  });

  it('writes nothing into the files that npm has installed, nor into an unpacked release', async () => {
    const unpacked = builtPackage({ pinned: false });
    rmSync(join(unpacked, 'src'), { recursive: true });
    for (const root of [installed(builtPackage({ pinned: false })), unpacked]) {
      const before = readdirSync(root, { recursive: true });
      const args = ['-u', 'NODE_COMPILE_CACHE', process.execPath, 'bin/postern.js', 'exit', '3'];
      expect(await run('env', args, root).ended).toBe(3);
      expect(readdirSync(root, { recursive: true })).toEqual(before);
    }
  });

  it('passes signals on to it', async () => {
    const command = run(
      process.execPath,
      [...asOldNode, 'bin/postern.js', 'serve'],
      builtPackage({ pinned: true }),
    );
    await expect.poll(command.text).toContain('ready');
    command.child.kill('SIGHUP');
    await expect.poll(command.text).toContain('got SIGHUP');
    command.child.kill('SIGTERM');
    expect(await command.ended).toBe(0);
    expect(command.text()).toContain('got SIGTERM');
  });

  it.each([
    ['SIGHUP', 5],
    ['SIGTERM', 0],
    ['SIGINT', 0],
  ])('survives %s, or exits with 0, before the service handles it: %s', async (signal, code) => {
    const main = [
      `process.kill(process.pid, '${signal}');`,
      `if ('${signal}' === 'SIGHUP') process.on('SIGHUP', () => process.exit(5));`,
      'setTimeout(() => process.exit(9), 60_000);',
    ].join('\n');
    const root = packageCopy({ 'dist/src/cli/main.js': main });
    expect(await run(process.execPath, ['bin/postern.js', 'serve'], root).ended).toBe(code);
  });

  it('ends by the signal that ended the pinned Node', async () => {
    const command = run(
      process.execPath,
      [...asOldNode, 'bin/postern.js', 'die'],
      builtPackage({ pinned: true }),
    );
    expect(await command.ended).toBe('SIGKILL');
  });

  it('says what to install where there is no suitable Node', async () => {
    const command = run(process.execPath, [...asOldNode, 'bin/postern.js'], builtPackage({ pinned: false }));
    expect(await command.ended).toBe(2);
    expect(command.text()).toMatch(/needs Node 24 or newer.*npm ci/);
  });

  it('has no syntax that Node 12 cannot parse', () => {
    const text = readFileSync(join(packageRoot, 'bin/postern.js'), 'utf8').replace(/^\s*\/\/.*$/gm, '');
    // Optional chaining and ?? came with 14, top-level await with 14.8, logical assignment with 15.
    expect(text).not.toMatch(/\?\.|\?\?|\bawait\b|&&=|\|\|=|#\w+|\d_\d/);
  });
});
