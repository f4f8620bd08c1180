import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SignalProvider } from '../../src/provider-kit/index.ts';
import { withDeclared } from '../../src/provider-kit/testing/index.ts';
import { checkProvider } from '../../src/signals/check-provider.ts';
import { withDefaults } from '../support/check-with.ts';

const FOLDER = join(import.meta.dirname, '../../providers');
const folders = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe.each(folders)('providers/%s', async (folder) => {
  const module: { default: SignalProvider } = await import(join(FOLDER, folder, 'index.ts'));
  const provider = module.default;
  const readme = readFileSync(join(FOLDER, folder, 'README.md'), 'utf8');

  it('is declared without a fault, in the folder with its id', () => {
    expect(checkProvider(provider)).toEqual([]);
    expect(folder).toBe(provider.id.replaceAll('_', '-'));
  });

  it('has a README whose title, facts, options and thresholds match its declaration', () => {
    expect(withDeclared(readme, provider)).toBe(readme);
  });

  it.each(['options', 'thresholds'] as const)('runs without configuration: its %s have defaults', (kind) => {
    const schema = provider[kind];
    if (schema === undefined) return;
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(Object.keys(withDefaults(schema))).toEqual(Object.keys(schema.properties ?? {}));
  });
});

const dataOf = (folder: string) => join(FOLDER, folder, 'data');

it.each(folders.filter((folder) => existsSync(dataOf(folder))))(
  'providers/%s names the source of its data',
  (folder) => {
    const source = readFileSync(join(dataOf(folder), 'SOURCE.md'), 'utf8');
    for (const file of readdirSync(dataOf(folder))) {
      if (file !== 'SOURCE.md') expect(source).toContain(`\`${file}\``);
    }
  },
);
