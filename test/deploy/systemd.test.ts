import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { readPage } from '../docs/markdown.ts';
import { findPrograms } from '../support/programs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const FILE = 'deploy/systemd/postern.service';
const analyze = findPrograms('systemd-analyze')['systemd-analyze'];
const unit = readPage(FILE);

const run = (command: string, args: readonly string[], cwd = packageRoot) =>
  spawnSync(command, args, { cwd, encoding: 'utf8' });

/** As it is where the program and its Node are installed in other places than in the sample. */
const here = (text: string) =>
  text.replaceAll('/usr/bin/node', process.execPath).replaceAll('/opt/postern', packageRoot);

describe(FILE, () => {
  it.skipIf(analyze === null)('is a unit without a warning of systemd', () => {
    const file = join(temporaryDirectory(), 'postern.service');
    writeFileSync(file, here(unit));
    const { status, stderr } = run(analyze ?? '', ['verify', file]);
    expect([status, stderr]).toEqual([0, '']);
  });

  it.skipIf(analyze === null)('has an exposure of less than 2 of 10 by systemd-analyze', () => {
    const file = join(packageRoot, FILE);
    const { status, stdout } = run(analyze ?? '', ['security', '--offline=true', '--threshold=20', file]);
    expect(status, stdout).toBe(0);
  });

  it('starts again however long PostgreSQL is away, and never after a fault of the configuration', () => {
    const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
    // Otherwise systemd counts the starts, and after so many within the time it gives up for good.
    expect(setting('StartLimitIntervalSec')).toBe('0');
    expect(setting('Restart')).toBe('on-failure');
    expect(setting('RestartPreventExitStatus')).toBe('78');
  });

  it('limits the heap by flags that Node accepts', () => {
    const [, flags = ''] = /^ExecStart=\S+ (.+) \S+ serve$/m.exec(unit) ?? [];
    const limit = "process.stdout.write(String(require('node:v8').getHeapStatistics().heap_size_limit))";
    const { status, stdout } = run(process.execPath, [...flags.split(' '), '-e', limit]);
    expect(status).toBe(0);
    // The young generation is three semi-spaces beside the old generation.
    expect(Number(stdout) / 2 ** 20).toBeCloseTo(192 + 3 * 8, 0);
  });

  it('has an environment file that systemd and a shell read the same way, with settings that exist', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'metrics-token'), 'a-token-for-the-tests-of-metrics');
    writeFileSync(join(directory, 'storage-url'), 'postgres://postern:s%40cret@db/postern\n');
    writeFileSync(join(directory, 'shared-state-url'), 'valkey://cache\n');
    const text = readPage('deploy/systemd/postern.env')
      .replace(/^# (?=[A-Z_]+=)/gm, '')
      .replace(/\/etc\/postern(?=\/(metrics-token|\S+-url)$)/gm, directory);
    writeFileSync(join(directory, 'postern.env'), text);
    const { stdout } = run('env', ['-i', '/bin/sh', '-c', `set -a; . ${directory}/postern.env; env`]);
    const env = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
    );
    expect(Object.keys(env).filter((name) => name.startsWith('POSTERN_')).length).toBe(
      text.match(/^POSTERN_/gm)?.length,
    );
    const { config } = await loadConfig({ files: [], env, cwd: directory });
    expect(config.http.trustedProxies).toEqual(['127.0.0.1']);
    expect(config.dataDir).toBe('/var/lib/postern');
    expect(config.storage.url).toBe('postgres://postern:s%40cret@db/postern');
    expect(config.sharedState.url).toBe('valkey://cache');
    expect(env).not.toHaveProperty('POSTERN__RULES__DIR');
  });

  it('has a command that a shell accepts, with the paths of the unit', () => {
    const command = readPage('deploy/systemd/postern');
    expect(run('/bin/sh', ['-n', join(packageRoot, 'deploy/systemd/postern')]).status).toBe(0);
    const pathsOf = (text: string) =>
      new Set(text.match(/\/(?:usr\/bin\/node|opt\/postern\/bin|etc\/postern|var\/lib)\S*/g));
    for (const path of pathsOf(command)) expect(unit).toContain(path);
  });
});
