import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RulesDirectory } from '../../../src/checks/rules-directory.ts';
import { publishRules } from '../../../src/rule-lab/versions/rule-versions.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const versions = () => ({
  last: async () => undefined,
  announce: vi.fn(async () => undefined),
  withdraw: vi.fn(async () => undefined),
});

// Root can write to every directory.
it.skipIf(process.getuid?.() === 0)(
  'a directory without write permission is not changed, and the refusal says so',
  async () => {
    const dir = temporaryDirectory();
    writeFileSync(join(dir, 'a.yaml'), 'old\n');
    chmodSync(dir, 0o555);
    onTestFinished(() => chmodSync(dir, 0o755));
    const told = versions();
    const publication = {
      before: { 'a.yaml': 'old\n' },
      after: { 'a.yaml': 'new\n' },
      author: 'jo',
      restores: null,
      hash: '0123456789abcdef',
    };
    await expect(publishRules(new RulesDirectory(dir), told, publication)).rejects.toMatchObject({
      name: 'RulesNotWritten',
      isReadOnly: true,
      message: expect.stringMatching(/nothing was written$/),
    });
    expect(told.withdraw).toHaveBeenCalledTimes(1);
  },
);
