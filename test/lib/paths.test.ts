import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';

test("the package root is the directory of Postern's package.json", () => {
  expect(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))).toMatchObject({
    name: 'postern',
  });
  expect(existsSync(join(packageRoot, 'tables', 'mailbox-providers.yaml'))).toBe(true);
  expect(packageRoot.endsWith('/')).toBe(false);
});
