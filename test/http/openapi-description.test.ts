import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { describeApi } from '../../openapi/describe-api.ts';
import { describeDashboardApi } from '../../openapi/describe-dashboard-api.ts';
import { generate } from '../../scripts/openapi.ts';
import { SERVICE_ERRORS } from '../../src/errors.ts';
import { AREAS } from '../../src/http/dashboard/dashboard-api.ts';
import { packageRoot, readVersion } from '../../src/lib/paths.ts';

const document = describeApi(readVersion());

describe('the description of the API', () => {
  it.each([
    ['of checks', document],
    ['of the dashboard', describeDashboardApi(AREAS, readVersion())],
  ])('%s has no linter fault', async (_which, described) => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      // The specification's path is /v1/; /v1 is the same.
      rules: { 'no-path-trailing-slash': 'off' },
    });
    const problems = await lintFromString({
      source: JSON.stringify(described),
      absoluteRef: '/openapi.json',
      config,
    });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it('contains every error code that a customer can receive', () => {
    const responses = Object.keys(document.components.responses).flatMap((name) => name.split('_or_'));
    expect([...new Set(responses)].sort()).toEqual(Object.keys(SERVICE_ERRORS).sort());
  });

  it('declares 503 for each endpoint of the dashboard', () => {
    const { paths } = describeDashboardApi(AREAS, readVersion());
    const answers = Object.values(paths).flatMap((path) => Object.values(path));
    expect(answers).not.toContainEqual(
      expect.objectContaining({ responses: expect.not.objectContaining({ 503: expect.anything() }) }),
    );
  });

  it('declares that /readyz refuses clients that guess its token', () => {
    const { responses } = document.paths['/readyz']?.get ?? {};
    expect(responses).toHaveProperty(['429', '$ref'], '#/components/responses/rate_limited');
  });

  it('is written by a script that node can run without a compiler', () => {
    const source = `await import(${JSON.stringify(join(packageRoot, 'scripts/openapi.ts'))})`;
    expect(
      spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' }),
    ).toMatchObject({ status: 0, stderr: '' });
  });

  it('equals docs/openapi.json, and matches the types of the example: else run `npm run openapi`', async () => {
    for (const [path, text] of await generate(document, describeDashboardApi(AREAS, readVersion()))) {
      expect(readFileSync(join(packageRoot, path), 'utf8'), path).toBe(text);
    }
  });

  it('has types that compile, and an example that matches them', () => {
    const compiler = join(
      dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
      'bin/tsc',
    );
    const { stdout, status } = spawnSync(
      process.execPath,
      [compiler, '-p', join(packageRoot, 'examples/tsconfig.json')],
      { encoding: 'utf8' },
    );
    expect([stdout, status]).toEqual(['', 0]);
  });
});
