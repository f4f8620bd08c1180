import { describe, expect, it } from 'vitest';
import { changeFiles } from '../../../src/rule-lab/editing/drafts.ts';
import { ANN, BOB, someRuleEditing } from './some-rule-editing.ts';
import { filesWith } from './some-rule-jobs.ts';

const stricter = { 'a.yaml': filesWith(80)['a.yaml'] };

describe('a draft', () => {
  it('starts with the rules in force, and has the name of the person who made it', async () => {
    const { drafts, inForce } = await someRuleEditing();
    const draft = await drafts.create(ANN, { files: stricter });
    expect(draft).toMatchObject({
      ...{ name: 'of Ann', author: ANN, savedBy: ANN, revision: 1, backtest: null },
      ...{ base: inForce(), files: { ...filesWith(60), ...stricter } },
      savedAt: '2026-11-20T12:00:00.000Z',
    });
    expect(draft.id).toMatch(/^drf_[0-9A-Z]{26}$/);
    expect(await drafts.find(draft.id)).toEqual(draft);
  });

  it('can be saved only from its last revision; another is refused with the person and time of the last save', async () => {
    const { drafts } = await someRuleEditing();
    const { id } = await drafts.create(ANN, { name: 'stricter' });
    const saved = await drafts.save(id, 1, BOB, { files: stricter });
    expect(saved).toMatchObject({ revision: 2, name: 'stricter', author: ANN, savedBy: BOB });
    await expect(drafts.save(id, 1, ANN, { name: 'mine' })).rejects.toMatchObject({
      code: 'draft_changed',
      details: [{ revision: 2, saved_by: 'Bob', saved_at: '2026-11-20T12:00:00.000Z' }],
    });
    const both = [drafts.save(id, 2, ANN, { name: 'a' }), drafts.save(id, 2, BOB, { name: 'b' })];
    const settled = await Promise.allSettled(both);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await drafts.find(id)).revision).toBe(3);
  });

  it('has a unique name: a draft without one is numbered, and a used name is refused', async () => {
    const { drafts } = await someRuleEditing();
    // At the same time, as by a double click.
    const made = await Promise.all([drafts.create(ANN, {}), drafts.create(ANN, {}), drafts.create(BOB, {})]);
    expect(made.map(({ name }) => name)).toEqual(['of Ann', 'of Ann 2', 'of Bob']);
    const [first] = made;
    const taken = [
      () => drafts.create(BOB, { name: '  Of  ann' }),
      () => drafts.save(first.id, 1, ANN, { name: 'of Bob' }),
    ];
    for (const name of taken) await expect(name()).rejects.toMatchObject({ code: 'name_taken' });
    expect(await drafts.save(first.id, 1, ANN, { name: 'of Ann' })).toMatchObject({ revision: 2 });
    expect(await drafts.save(first.id, 2, ANN, { name: 'Of Ann' })).toMatchObject({ name: 'Of Ann' });
  });

  it('is not found once it is discarded', async () => {
    const { drafts, workbench } = await someRuleEditing();
    const { id } = await drafts.create(ANN, {});
    await drafts.discard(id);
    const gone = [() => drafts.find(id), () => drafts.discard(id), () => drafts.save(id, 1, ANN, {})];
    for (const ask of gone) await expect(ask()).rejects.toMatchObject({ code: 'not_found' });
    expect(await workbench.parts.store.list()).toEqual([]);
  });

  it('keeps its base, also where other rules came into force before it was saved', async () => {
    const { drafts, publisher, write, inForce, versions } = await someRuleEditing();
    const seen = inForce();
    write('deny.yaml', '[{ value: x.example, reason: Sold., owner: risk }]\n');
    const [first] = await versions.list();
    if (!first) throw new Error('there is a version');
    await publisher.rollBack(first, 'Bob', true);
    const draft = await drafts.create(ANN, { files: stricter, baseDigest: seen.digest });
    expect(draft.base).toEqual(seen);
    expect(draft.files).not.toHaveProperty('deny.yaml');
    await expect(drafts.create(ANN, { baseDigest: 'of nothing' })).rejects.toMatchObject({
      code: 'rules_changed',
    });
  });

  it('has the rules that were merged into it as its base, once it is saved with them', async () => {
    const { drafts, publisher, write, inForce, versions } = await someRuleEditing();
    const draft = await drafts.create(ANN, { files: stricter });
    write('deny.yaml', '[{ value: x.example, reason: Sold., owner: risk }]\n');
    const [first] = await versions.list();
    if (!first) throw new Error('there is a version');
    // Reverting the change restores whatever the directory contains.
    await publisher.rollBack(first, 'Bob', true);
    const { digest, files } = inForce();
    const merged = { 'deny.yaml': files['deny.yaml'] ?? null };
    const saved = await drafts.save(draft.id, 1, BOB, { files: merged, baseDigest: digest });
    expect(saved).toMatchObject({ revision: 2, savedBy: BOB, base: inForce() });
    expect(saved.files).toEqual({ ...files, ...stricter });
    const unknown = drafts.save(draft.id, 2, BOB, { baseDigest: 'of nothing' });
    await expect(unknown).rejects.toMatchObject({ code: 'rules_changed' });
  });
});

describe('changes to files', () => {
  it('add, replace and remove files, and keep the others', () => {
    const before = { 'a.yaml': 'a', 'b.yaml': 'b', 'tests/a.yaml': 't' };
    expect(changeFiles(before, { 'b.yaml': null, 'a.yaml': 'A', 'tests/n.yaml': 'n' })).toEqual({
      ...{ 'a.yaml': 'A', 'tests/a.yaml': 't', 'tests/n.yaml': 'n' },
    });
  });

  it.each([
    ...['../a.yaml', '/etc/a.yaml', 'tests/../../a.yaml', 'tests/x/a.yaml', 'other/a.yaml', '.a.yaml'],
    ...['tests/.a.yaml', 'a.yml', 'a', '', 'a\n.yaml', 'a.yaml\n', `${'a'.repeat(101)}.yaml`, '..yaml'],
  ])('refuse the path %j, which a reader would not find or which leads elsewhere', (path) => {
    expect(() => changeFiles({}, { [path]: '' })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: [expect.objectContaining({ path: `body/files/${path}` })],
      }),
    );
  });

  it('refuse more files and bytes than a directory of rules may have', () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`f${n}.yaml`, '']));
    for (const changes of [many, { 'a.yaml': 'ä'.repeat(2_000_001) }]) {
      expect(() => changeFiles({}, changes)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    }
    expect(Object.keys(changeFiles(many, { 'f0.yaml': null }))).toHaveLength(200);
  });
});
