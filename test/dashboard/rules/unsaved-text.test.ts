import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  forgetText,
  isTextKept,
  keepText,
  withKeptText,
} from '../../../dashboard/src/pages/rules/unsaved-text.ts';
import { isUnsaved, type Workspace } from '../../../dashboard/src/pages/rules/workspace.ts';
import { forgetAllUnsaved, unsavedTitles } from '../../../dashboard/src/unsaved-work.ts';

const FILES = { 'a.yaml': 'a: 1\n', 'b.yaml': 'b: 1\n' };
const IN_FORCE: Workspace = {
  ...{ draftId: null, name: '', revision: 0, base: FILES, baseDigest: 'd1', saved: FILES },
  ...{ files: FILES, version: 1 },
};
const DRAFT: Workspace = { ...IN_FORCE, draftId: 'drf_1', name: 'May', revision: 3, baseDigest: '' };
const typed = (workspace: Workspace, files: Workspace['files']): Workspace => ({ ...workspace, files });

beforeEach(() => vi.stubGlobal('localStorage', aStorage()));
afterEach(() => vi.unstubAllGlobals());

describe('unsaved text', () => {
  it('is restored for the person who typed it, and for no one else', () => {
    const mine = { 'a.yaml': 'a: 2\n', 'c.yaml': 'c: 1\n' };
    expect(keepText('per_1', typed(IN_FORCE, mine))).toBe(true);
    expect(withKeptText('per_1', IN_FORCE)?.workspace.files).toEqual(mine);
    expect(withKeptText('per_2', IN_FORCE)).toBeNull();
    // The two ids share their beginning.
    expect(withKeptText('per_', IN_FORCE)).toBeNull();
  });

  it('is kept separately for each draft', () => {
    keepText('per_1', typed(DRAFT, { ...FILES, 'a.yaml': 'a: 3\n' }));
    expect(withKeptText('per_1', IN_FORCE)).toBeNull();
    expect(withKeptText('per_1', DRAFT)?.workspace.files['a.yaml']).toBe('a: 3\n');
    forgetText('per_1', 'drf_1');
    expect(withKeptText('per_1', DRAFT)).toBeNull();
  });

  it('stays based on the state that it was made of, whatever was published since', () => {
    keepText('per_1', typed(IN_FORCE, { ...FILES, 'a.yaml': 'a: mine\n' }));
    const now = { 'a.yaml': 'a: theirs\n', 'b.yaml': 'b: 2\n' };
    const found = withKeptText('per_1', {
      ...IN_FORCE,
      ...{ base: now, saved: now, files: now, baseDigest: 'd2' },
    });
    expect(found?.workspace).toMatchObject({
      baseDigest: 'd1',
      base: { 'a.yaml': 'a: 1\n' },
      saved: { 'a.yaml': 'a: 1\n', 'b.yaml': 'b: 2\n' },
      files: { 'a.yaml': 'a: mine\n', 'b.yaml': 'b: 2\n' },
    });
    keepText('per_1', typed(DRAFT, { ...FILES, 'a.yaml': 'a: mine\n' }));
    expect(withKeptText('per_1', { ...DRAFT, revision: 4 })?.workspace.revision).toBe(3);
  });

  it('is reported and removed at the sign-out, without that of other people', () => {
    keepText('per_1', typed(IN_FORCE, {}));
    keepText('per_1', typed(DRAFT, {}));
    keepText('per_2', typed(IN_FORCE, {}));
    expect(unsavedTitles('per_1').toSorted()).toEqual(['the draft “May”', 'the rules in force']);
    forgetAllUnsaved('per_1');
    expect(unsavedTitles('per_1')).toEqual([]);
    expect(unsavedTitles('per_2')).toEqual(['the rules in force']);
  });

  it('of another tab is neither overwritten nor removed, until the sign-out', () => {
    const [key, theirs] = ['postern-unsaved per_1 rules drf_1', '{"title":"typed in another tab"}'];
    const mine = typed(DRAFT, { ...FILES, 'a.yaml': 'a: 3\n' });
    expect(keepText('per_1', mine)).toBe(true);
    expect(isTextKept('per_1', 'drf_1')).toBe(true);
    localStorage.setItem(key, theirs);
    expect(isTextKept('per_1', 'drf_1')).toBe(false);
    expect(keepText('per_1', mine)).toBe(false);
    forgetText('per_1', 'drf_1');
    expect(localStorage.getItem(key)).toBe(theirs);
    forgetAllUnsaved('per_1');
    expect(localStorage.getItem(key)).toBeNull();
    expect(keepText('per_1', mine)).toBe(true);
  });

  it('that the browser cannot keep is reported as lost, without an error', () => {
    vi.stubGlobal('localStorage', {
      ...aStorage(),
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    });
    expect(keepText('per_1', typed(IN_FORCE, {}))).toBe(false);
    vi.stubGlobal('localStorage', undefined);
    expect(keepText('per_1', typed(IN_FORCE, {}))).toBe(false);
    expect(withKeptText('per_1', IN_FORCE)).toBeNull();
    expect(unsavedTitles('per_1')).toEqual([]);
  });

  it('that cannot be parsed is ignored', () => {
    localStorage.setItem('postern-unsaved per_1 rules in_force', '{');
    expect(withKeptText('per_1', IN_FORCE)).toBeNull();
    expect(isUnsaved(IN_FORCE)).toBe(false);
  });
});

/** As in browsers: its keys are its own members. */
function aStorage(): Storage {
  const texts: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => texts[key] ?? null,
    setItem: (key: string, value: string) => {
      texts[key] = value;
    },
    removeItem: (key: string) => {
      delete texts[key];
    },
  };
  return new Proxy(methods, {
    ownKeys: () => Object.keys(texts),
    getOwnPropertyDescriptor: member,
  }) as Storage;
}

const member = () => ({ enumerable: true, configurable: true });
