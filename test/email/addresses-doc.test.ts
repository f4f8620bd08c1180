import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FAULTS } from '../../src/email/faults.ts';
import { packageRoot } from '../../src/lib/paths.ts';

const doc = readFileSync(join(packageRoot, 'docs', 'addresses.md'), 'utf8');

describe('docs/addresses.md', () => {
  test.each(['unparseable', 'unclean'])(
    'holds the %s faults of the code, all and no others, in order',
    (grade) => {
      const heading = `### ${grade[0]?.toUpperCase()}${grade.slice(1)}\n`;
      const section = doc.split(heading)[1]?.split(/\n##/)[0] ?? '';
      const documented = [...section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map((row) => [row[1], row[2]]);
      const declared = Object.entries(FAULTS)
        .filter(([, fault]) => fault.grade === grade)
        .map(([code, fault]) => [code, fault.message]);
      expect(documented).toEqual(declared);
    },
  );

  test('links only to pages that the table names', () => {
    const table: { providers: { source: string }[] } = parse(
      readFileSync(join(packageRoot, 'tables', 'mailbox-providers.yaml'), 'utf8'),
    );
    const sources = table.providers.map(({ source }) => source);
    const links = [...doc.matchAll(/<(https:[^>]+)>/g)].map((match) => match[1]);
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(sources).toContain(link);
  });
});
