import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';

/** Packages that a module loads on import, through all of its imports. */
function packagesOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, name = ''] of source.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'/gms)) {
    if (name.startsWith('.')) {
      for (const found of packagesOf(resolve(dirname(file), name), seen)) packages.add(found);
    } else if (!name.startsWith('node:')) packages.add(name);
  }
  return packages;
}

const commandLine = join(packageRoot, 'src/cli');

it('loads only the parser of the command line before a command runs, so that --help is fast', () => {
  expect([...packagesOf(join(commandLine, 'run.ts'))]).toEqual(['commander']);
});

it('finds packages that are loaded by indirect imports', () => {
  const packages = packagesOf(join(commandLine, '../app/compose/pipeline.ts'));
  expect([...packages]).toEqual(expect.arrayContaining(['ajv/dist/2020.js', 'tsyringe']));
});

it('starts the service without packages that only the dashboard needs', () => {
  const packages = packagesOf(join(commandLine, '../app/main.ts'));
  expect([...packages].filter((name) => /better-auth|zod/.test(name))).toEqual([]);
  const dashboard = packagesOf(join(commandLine, '../accounts/better-auth-sessions.ts'));
  expect([...dashboard]).toEqual(expect.arrayContaining(['better-auth']));
});

it('starts the embedded service without the clients of the servers that instances share', () => {
  const clients = /^(pg|iovalkey|rate-limiter-flexible\/lib\/RateLimiterRedis.js)$/;
  const packages = packagesOf(join(commandLine, '../app/main.ts'));
  expect([...packages].filter((name) => clients.test(name))).toEqual([]);
  expect([...packagesOf(join(commandLine, '../storage/postgres/postgres-storage.ts'))]).toContain('pg');
});

it('runs the health command with only the parser and the configuration', () => {
  const configuration = packagesOf(join(commandLine, '../app/config/load-config.ts'));
  const loaded = packagesOf(join(commandLine, 'health.ts'));
  expect([...loaded].filter((name) => name !== 'commander')).toEqual([...configuration]);
});

it('checks rules and addresses without packages that only an SQLite database needs', () => {
  for (const command of ['rules.ts', 'check.ts']) {
    expect([...packagesOf(join(commandLine, command))]).not.toContain('kysely');
  }
  expect([...packagesOf(join(commandLine, '../storage/sqlite/sqlite-storage.ts'))]).toContain('kysely');
});

it('starts a child process without any package: its program loads what it needs', () => {
  expect([...packagesOf(join(commandLine, '../app/job.process.ts'))]).toEqual([]);
});
