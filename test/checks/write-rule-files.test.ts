import { mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeRuleFiles } from '../../src/checks/rules-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const BEFORE = { 'a.yaml': 'old a', 'c.yaml': 'old c', 'gone.yaml': 'old' };
const AFTER = { 'a.yaml': 'new a', 'b.yaml': 'new b', 'c.yaml': 'new c', 'tests/d.yaml': 'new d' };

/** A directory that contains BEFORE, and a way to read its content. */
function aDirectory() {
  const dir = temporaryDirectory();
  for (const [path, text] of Object.entries(BEFORE)) writeFileSync(join(dir, path), text);
  const held = () =>
    Object.fromEntries(
      readdirSync(dir, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => [
          join(parentPath, name).slice(dir.length + 1),
          readFileSync(join(parentPath, name), 'utf8'),
        ]),
    );
  return { dir, held };
}

/** A disk that is full from the nth write on, for the given number of writes. */
function fullAfter(writings: number, faults: number) {
  let done = 0;
  const attempt = (work: () => void) => async () => {
    done += 1;
    if (done > writings && done <= writings + faults) throw new Error('ENOSPC: no space left on device');
    work();
  };
  return {
    replace: (path: string, text: string) => attempt(() => writeFileSync(path, text))(),
    remove: (path: string) => attempt(() => unlinkSync(path))(),
  };
}

describe('the files of a rules directory', () => {
  it('are replaced, created and deleted', async () => {
    const { dir, held } = aDirectory();
    await writeRuleFiles(dir, BEFORE, AFTER);
    expect(held()).toEqual(AFTER);
  });

  it.each([1, 2, 3, 4])('are restored when the disk is full after %i of them', async (writings) => {
    const { dir, held } = aDirectory();
    await expect(writeRuleFiles(dir, BEFORE, AFTER, fullAfter(writings, 1))).rejects.toThrow(
      /\.yaml cannot be written: ENOSPC: no space left on device; what was written before is put back, so that the directory is as it was$/,
    );
    expect(held()).toEqual(BEFORE);
  });

  it('are named where they cannot be restored', async () => {
    const { dir, held } = aDirectory();
    await expect(writeRuleFiles(dir, BEFORE, AFTER, fullAfter(2, 2))).rejects.toThrow(
      'c.yaml cannot be written: ENOSPC: no space left on device; the directory is mixed now: new is b.yaml, all others are as before; mend the cause, then try again',
    );
    expect(held()).toEqual({ ...BEFORE, 'b.yaml': 'new b' });
  });

  it('are not changed when the first cannot be written', async () => {
    const { dir, held } = aDirectory();
    const after = { ...BEFORE, 'x.yaml': 'x' };
    await expect(writeRuleFiles(dir, BEFORE, after, fullAfter(0, 1))).rejects.toThrow(
      new RegExp(`${basename(dir)}/x\\.yaml cannot be written: .*; nothing was written$`),
    );
    expect(held()).toEqual(BEFORE);
  });

  it.each(['allow.yaml', 'deny.yaml'])('are not changed when %s got an entry meanwhile', async (list) => {
    const { dir, held } = aDirectory();
    const before = { ...BEFORE, [list]: 'old' };
    writeFileSync(join(dir, list), 'old and added');
    await expect(writeRuleFiles(dir, before, { ...AFTER, [list]: 'old and edited' })).rejects.toMatchObject({
      message: `${join(dir, list)} was changed meanwhile; nothing was written: try again`,
      isReadOnly: false,
    });
    expect(held()).toEqual({ ...BEFORE, [list]: 'old and added' });
  });

  it('are not changed when a list was created meanwhile, or cannot be read', async () => {
    const { dir, held } = aDirectory();
    const after = { ...AFTER, 'deny.yaml': 'ours' };
    writeFileSync(join(dir, 'deny.yaml'), 'theirs');
    await expect(writeRuleFiles(dir, BEFORE, after)).rejects.toThrow('was changed meanwhile');
    unlinkSync(join(dir, 'deny.yaml'));
    mkdirSync(join(dir, 'deny.yaml'));
    await expect(writeRuleFiles(dir, BEFORE, after)).rejects.toThrow('deny.yaml cannot be read: EISDIR');
    expect(held()).toEqual(BEFORE);
  });

  it('replace lists that are as they were read, also with a byte order mark', async () => {
    const { dir, held } = aDirectory();
    writeFileSync(join(dir, 'deny.yaml'), '\uFEFFold');
    const before = { ...BEFORE, 'deny.yaml': 'old', 'allow.yaml': 'old' };
    writeFileSync(join(dir, 'allow.yaml'), 'old');
    await writeRuleFiles(dir, before, { ...AFTER, 'deny.yaml': 'new' });
    expect(held()).toEqual({ ...AFTER, 'deny.yaml': 'new' });
  });

  it('are not changed when a list cannot be locked', async () => {
    const { dir, held } = aDirectory();
    mkdirSync(join(dir, '.deny.yaml.lock'));
    await expect(writeRuleFiles(dir, BEFORE, { ...AFTER, 'deny.yaml': 'new' })).rejects.toThrow(
      new RegExp(`^${dir} cannot be written: EISDIR.*; nothing was written$`),
    );
    expect(held()).toEqual(BEFORE);
  });

  it.each([
    ['EROFS', true],
    ['ENOSPC', false],
  ])('are reported as read-only or not where the first write fails with %s: %s', async (code, isReadOnly) => {
    const { dir } = aDirectory();
    const refuse = async () => {
      throw Object.assign(new Error(code), { code });
    };
    const writing = { replace: refuse, remove: refuse };
    await expect(writeRuleFiles(dir, BEFORE, AFTER, writing)).rejects.toMatchObject({ isReadOnly });
  });
});
