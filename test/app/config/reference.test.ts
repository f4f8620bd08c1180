import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isTree, valueAt } from '../../../src/app/config/layer.ts';
import { configKeys } from '../../../src/app/config/schema.ts';
import { packageRoot } from '../../../src/lib/paths.ts';
import { load } from './load.ts';

const read = (path: string) => readFileSync(join(packageRoot, path), 'utf8');

describe('config/default.yaml', () => {
  const text = read('config/default.yaml');

  it('contains every key of the schema with its default, and no other', () => {
    const tree: unknown = parse(text);
    const leaves = (node: unknown, prefix = ''): string[] =>
      isTree(node)
        ? Object.entries(node).flatMap(([k, v]) => leaves(v, `${prefix}.${k}`))
        : [prefix.slice(1)];
    expect(leaves(tree)).toEqual([...configKeys.keys()]);
    for (const [key, { default: value }] of configKeys) {
      expect(isTree(tree) && valueAt(tree, key.split('.')), key).toEqual(value);
    }
  });

  it('explains every key in a comment directly above it', () => {
    const lines = text.split('\n');
    const bare = lines.filter((line, at) => /^\s+\w+: \S/.test(line) && !/^\s*#/.test(lines[at - 1] ?? ''));
    expect(bare).toEqual([]);
  });
});

describe('config/local.example.yaml', () => {
  it('is accepted by the loader', async () => {
    const { config } = await load({ written: { 'config/local.yaml': read('config/local.example.yaml') } });
    expect(config.http.port).toBe(443);
  });
});

describe('docs/configuration.md', () => {
  const rows = read('docs/configuration.md')
    .split('\n')
    .flatMap((line) => {
      const [, key, value, text] = /^\| `([a-z_.]+)` \| `(.*)` \| (.*) \|$/.exec(line) ?? [];
      return key === undefined ? [] : [[key, value, text]];
    });

  it('has one row for each key: its default, and its description as in the schema', () => {
    const expected = [...configKeys].map(([key, schema]) => [
      key,
      JSON.stringify(schema.default),
      schema.description,
    ]);
    expect(rows).toEqual(expected);
  });
});
