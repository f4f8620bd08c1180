import { globSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { packageRoot, readVersion } from '../../src/lib/paths.ts';
import { readPage } from '../docs/markdown.ts';

const CHART = 'deploy/helm/postern';
const defaults = parse(readPage(`${CHART}/values.yaml`));
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
  JSON.parse(readPage(`${CHART}/values.schema.json`)),
);
const templates = globSync(`${CHART}/templates/*`, { cwd: packageRoot }).map(readPage).join('\n');

/** The values that the schema refuses; none where Helm accepts them over the defaults. */
function faultsOf(values: Record<string, unknown>): string[] {
  validate({ ...defaults, ...values });
  return [...new Set((validate.errors ?? []).map(({ instancePath }) => instancePath))];
}

describe(CHART, () => {
  it('accepts its own defaults, and each of these', () => {
    for (const values of [
      {},
      { env: { POSTERN__RETENTION__DAYS: '30', POSTERN__PROVIDERS__CATCH_ALL__MODE: 'off' } },
      { image: { repository: 'registry.example.org/postern', tag: '1.2.3', pullPolicy: 'Always' } },
      { trustedProxies: ['10.0.0.0/8', 'fd00::/8'], ingress: { ...defaults.ingress, enabled: true } },
      { tlsSecret: 'postern-tls', envFromSecret: 'postern', metrics: { enabled: true } },
      { replicas: 3, envFromSecret: 'postern' },
    ]) {
      expect(faultsOf(values), JSON.stringify(values)).toEqual([]);
    }
  });

  it.each([
    ['a value that there is not', { replica: 3 }, ''],
    ['a variable that is no setting of Postern', { env: { RETENTION_DAYS: '30' } }, '/env'],
    ['a setting that is no text', { env: { POSTERN__RETENTION__DAYS: 30 } }, '/env/POSTERN__RETENTION__DAYS'],
    ['a name as an address', { trustedProxies: ['ingress.local'] }, '/trustedProxies/0'],
    ['a size without its unit', { persistence: { size: 'ten' } }, '/persistence/size'],
  ])('refuses %s', (_, values, fault) => expect(faultsOf(values)).toEqual([fault]));

  it('refuses an ingress whose controller is not a trusted proxy: each request would be answered 403', () =>
    expect(faultsOf({ ingress: { ...defaults.ingress, enabled: true } })).toContain('/trustedProxies'));

  it('refuses several instances without a shared database', () =>
    expect(faultsOf({ replicas: 2 })).toContain('/envFromSecret'));

  it('uses each value of values.yaml, and no other', () => {
    const used = [...templates.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path);
    const isThere = (path: string) =>
      path.split('.').reduce((value, name) => value?.[name], defaults) !== undefined;
    expect(used.filter((path) => !isThere(path))).toEqual([]);
    const paths = Object.entries(defaults).flatMap(([name, value]) => {
      const isGroup = value !== null && typeof value === 'object' && !Array.isArray(value);
      const names = isGroup ? Object.keys(value) : [];
      return names.length === 0 || used.includes(name) ? [name] : names.map((inner) => `${name}.${inner}`);
    });
    expect(paths.filter((path) => !used.includes(path))).toEqual([]);
  });

  it('gives the container settings that exist', async () => {
    const [, text = ''] = /^ {10}env:\n([\s\S]*?)^ {10}ports:/m.exec(templates) ?? [];
    const env = Object.fromEntries(
      [...text.matchAll(/name: (POSTERN\w+), value: (.+) \}$/gm)].map(([, name = '', value = '']) => [
        name,
        value.includes('toJson') ? '["10.0.0.0/8"]' : parse(value),
      ]),
    );
    expect(Object.keys(env)).toHaveLength(7);
    // From the Secret that several instances need.
    const secret = { POSTERN__STORAGE__URL: 'postgres://postern@db/postern' };
    const { config } = await loadConfig({ files: [], env: { ...env, ...secret }, cwd: packageRoot });
    expect([config.http.drainDelayMs, config.rules.source]).toEqual([5_000, 'database']);
    expect([config.dataDir, config.metrics.port]).toEqual(['/var/lib/postern/data', 9464]);
    const containerPorts = [...templates.matchAll(/containerPort: (\d+)/g)].map(([, port]) => Number(port));
    expect(containerPorts).toEqual([config.http.port, config.http.plainPort, config.metrics.port]);
  });

  it('has the version of the package', () => {
    expect(parse(readPage(`${CHART}/Chart.yaml`)).appVersion).toBe(readVersion());
    expect(/ARG VERSION=(\S+)/.exec(readPage('deploy/docker/Dockerfile'))?.[1]).toBe(readVersion());
  });
});
