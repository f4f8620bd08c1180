import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PAGES, SECTIONS, SIGNED_OUT } from '../../dashboard/src/pages.ts';
import { readBuiltClient } from '../../src/http/dashboard/built-client.ts';
import { packageRoot } from '../../src/lib/paths.ts';

const client = readBuiltClient(join(packageRoot, 'dist/dashboard'));

it.skipIf(client === null)('every page has an address that the server serves', () => {
  const pages = [...PAGES, ...Object.values(SIGNED_OUT)].map(({ path }) => path);
  expect(client?.paths.toSorted()).toEqual(pages.toSorted());
});

it('no two pages share an address or a title', () => {
  expect(new Set(PAGES.map(({ path }) => path)).size).toBe(PAGES.length);
  expect(new Set(PAGES.map(({ title }) => title)).size).toBe(PAGES.length);
});

it('every page has a section of the navigation that exists, or none', () => {
  for (const { section, path } of PAGES) {
    expect(section === null || SECTIONS.includes(section), path).toBe(true);
  }
});
