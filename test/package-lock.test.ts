import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../src/lib/paths.ts';

const { packages } = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { dev?: boolean; devOptional?: boolean; resolved?: string }>;
};

it('--omit=dev installs no development tool: else run scripts/trim-peers.js', () => {
  const shared = Object.keys(packages).filter((path) => packages[path]?.devOptional);
  expect(shared).toEqual([]);
  expect(packages['node_modules/vitest']?.dev).toBe(true);
});

it('the package bundles all dependencies: npm install NAME would replace `true` by a list of names', () => {
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  expect(manifest.bundleDependencies).toBe(true);
});

it('names no registry host', () => {
  expect(Object.keys(packages).filter((path) => packages[path]?.resolved?.startsWith('http'))).toEqual([]);
});
