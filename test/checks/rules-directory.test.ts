import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RulesDirectory } from '../../src/checks/rules-directory.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Between two checks of the directory. */
const POLL_MS = 20;

async function watchOver(dir: string) {
  const onChange = vi.fn();
  const end = await new RulesDirectory(dir, POLL_MS).watch(onChange);
  onTestFinished(end);
  return {
    end,
    onChange,
    /** Resolves at the first notification after `act`. */
    async tellsOf(act: () => void) {
      onChange.mockClear();
      act();
      await eventually(() => expect(onChange).toHaveBeenCalled());
    },
  };
}

function aDirectory() {
  const dir = temporaryDirectory();
  mkdirSync(join(dir, 'tests'));
  const write = (name: string, text = name) => writeFileSync(join(dir, name), text);
  write('a.yaml');
  write('tests/a.yaml');
  return { dir, write };
}

describe('a rules directory that is watched', () => {
  it('reports at the start what changed since the rules were read', async () => {
    const { onChange } = await watchOver(aDirectory().dir);
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it('reports a file that is written, replaced, added or deleted, also under tests/', async () => {
    const { dir, write } = aDirectory();
    const { tellsOf } = await watchOver(dir);
    await tellsOf(() => write('a.yaml', 'changed'));
    await tellsOf(() => {
      write('.draft');
      renameSync(join(dir, '.draft'), join(dir, 'a.yaml'));
    });
    await tellsOf(() => write('a.yaml', 'changed in the file that took its place'));
    await tellsOf(() => write('b.yaml'));
    await tellsOf(() => rmSync(join(dir, 'b.yaml')));
    await tellsOf(() => write('tests/a.yaml', 'changed'));
  });

  it('reports what is written into a tests/ that did not exist at the start', async () => {
    const dir = temporaryDirectory();
    const { tellsOf } = await watchOver(dir);
    mkdirSync(join(dir, 'tests'));
    await tellsOf(() => writeFileSync(join(dir, 'tests/a.yaml'), 'a'));
  });

  it('reports a named list that is written, replaced, added or deleted, also in a lists/ that did not exist', async () => {
    const { dir, write } = aDirectory();
    const { tellsOf } = await watchOver(dir);
    mkdirSync(join(dir, 'lists'));
    await tellsOf(() => write('lists/partners.yaml'));
    await tellsOf(() => write('lists/partners.yaml', 'changed'));
    await tellsOf(() => write('lists/rented.txt', 'a.example'));
    await tellsOf(() => {
      write('lists/.draft', 'b.example');
      renameSync(join(dir, 'lists/.draft'), join(dir, 'lists/rented.txt'));
    });
    await tellsOf(() => rmSync(join(dir, 'lists/rented.txt')));
  });

  it('reports files behind links whose target changes, each time', async () => {
    const dir = temporaryDirectory();
    // As Kubernetes mounts a ConfigMap.
    const mount = (generation: string) => {
      mkdirSync(join(dir, generation));
      writeFileSync(join(dir, generation, 'a.yaml'), generation);
      symlinkSync(generation, join(dir, '..data_tmp'));
      renameSync(join(dir, '..data_tmp'), join(dir, '..data'));
    };
    mount('..1');
    symlinkSync('..data/a.yaml', join(dir, 'a.yaml'));
    const { tellsOf } = await watchOver(dir);
    await tellsOf(() => mount('..2'));
    await tellsOf(() => mount('..3'));
  });

  it('reports a directory that another has replaced', async () => {
    const { dir } = aDirectory();
    const link = join(temporaryDirectory(), 'rules');
    symlinkSync(dir, link);
    const { tellsOf } = await watchOver(link);
    await tellsOf(() => {
      const next = aDirectory();
      next.write('a.yaml', 'next');
      rmSync(link);
      symlinkSync(next.dir, link);
    });
    await tellsOf(() => rmSync(link));
  });

  it('reports a change that keeps size and time', async () => {
    const { dir, write } = aDirectory();
    const link = join(temporaryDirectory(), 'rules');
    symlinkSync(dir, link);
    utimesSync(join(dir, 'a.yaml'), 1, 1);
    const { tellsOf } = await watchOver(link);
    await tellsOf(() => {
      write('a.yaml', 'A.YAML');
      utimesSync(join(dir, 'a.yaml'), 1, 1);
    });
  });

  it('reports nothing once it is closed', async () => {
    const { dir, write } = aDirectory();
    const { end, onChange } = await watchOver(dir);
    end();
    onChange.mockClear();
    write('a.yaml', 'changed');
    const other = await watchOver(dir);
    await other.tellsOf(() => write('a.yaml', 'again'));
    expect(onChange).not.toHaveBeenCalled();
  });
});
