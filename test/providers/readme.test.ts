import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SignalProvider } from '../../src/provider-kit/index.ts';
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

  it('is declared without a fault, in the folder of its id', () => {
    expect(checkProvider(provider)).toEqual([]);
    expect(folder).toBe(provider.id.replaceAll('_', '-'));
  });

  it('has a README that begins with its id and says what it tells', () => {
    expect(readme.startsWith(`# ${provider.id}\n\n${provider.description}`)).toBe(true);
  });

  it('has a README whose table of facts is what it declares', () => {
    const declared = provider.facts.map((fact) => [
      `\`${fact.id}\``,
      fact.values === undefined ? fact.type : fact.values.map((value) => `\`${value}\``).join(' '),
      fact.never_unknown ? 'never' : 'can be',
      fact.description,
    ]);
    expect(rowsUnder(readme, '## Facts')).toEqual(declared);
  });

  it.each(['options', 'thresholds'] as const)(
    'has a README whose %s are what it declares, with defaults',
    (kind) => {
      const schema = provider[kind];
      const heading = kind === 'options' ? '## Options' : '## Thresholds';
      if (schema === undefined) {
        expect(readme).not.toContain(heading);
        return;
      }
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      const defaults = withDefaults(schema);
      // Every option and threshold has a default and a description: a provider runs with nothing configured.
      const declared = Object.entries(schema.properties ?? {}).map(([name, property]) => [
        `\`${name}\``,
        `\`${JSON.stringify(defaults[name])}\``,
        property.description,
      ]);
      expect(rowsUnder(readme, heading)).toEqual(declared);
    },
  );
});

const dataOf = (folder: string) => join(FOLDER, folder, 'data');

it.each(folders.filter((folder) => existsSync(dataOf(folder))))(
  'providers/%s says where its data come from',
  (folder) => {
    const source = readFileSync(join(dataOf(folder), 'SOURCE.md'), 'utf8');
    for (const file of readdirSync(dataOf(folder))) {
      if (file !== 'SOURCE.md') expect(source).toContain(`\`${file}\``);
    }
  },
);

/** The cells of the first table after a heading, without its two header lines. */
function rowsUnder(markdown: string, heading: string): string[][] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line, index) => index > lines.indexOf(heading) && line.startsWith('|'));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end === -1 ? undefined : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
