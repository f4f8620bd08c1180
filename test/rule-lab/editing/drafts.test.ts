import { describe, expect, it } from 'vitest';
import { filesWith } from './a-bench.ts';
import { ANN, aWorkbench, BOB } from './a-workbench.ts';

const stricter = { 'a.yaml': filesWith(80)['a.yaml'] };

describe('a draft', () => {
  it('begins with the rules in force, and bears the name of who began it', async () => {
    const { drafts, inForce } = await aWorkbench();
    const draft = await drafts.create(ANN, { files: stricter });
    expect(draft).toMatchObject({
      ...{ name: 'of Ann', author: ANN, savedBy: ANN, revision: 1, backtest: null },
      ...{ base: inForce(), files: { ...filesWith(60), ...stricter } },
      savedAt: '2026-11-20T12:00:00.000Z',
    });
    expect(draft.id).toMatch(/^drf_[0-9A-Z]{26}$/);
    expect(await drafts.find(draft.id)).toEqual(draft);
  });

  it('is saved by whoever has its last revision; who has not is told who saved it and when', async () => {
    const { drafts } = await aWorkbench();
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

  it('is gone once it is discarded, and is not found', async () => {
    const { drafts } = await aWorkbench();
    const { id } = await drafts.create(ANN, {});
    await drafts.discard(id);
    const gone = [() => drafts.find(id), () => drafts.discard(id), () => drafts.save(id, 1, ANN, {})];
    for (const ask of gone) await expect(ask()).rejects.toMatchObject({ code: 'not_found' });
    expect(await drafts.list()).toEqual([]);
  });

  it('keeps what it was made of, also where other rules have come in force before it was saved', async () => {
    const { drafts, publisher, write, inForce, versions } = await aWorkbench();
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

  it('is brought up to what has come in force since, or names the files that stand in the way', async () => {
    const { drafts, publisher, bench, write, inForce, versions } = await aWorkbench();
    const draft = await drafts.create(ANN, {
      files: { ...stricter, 'tests/a.yaml': filesWith(80)['tests/a.yaml'] },
    });
    write('deny.yaml', '[{ value: x.example, reason: Sold., owner: risk }]\n');
    const [first] = await versions.list();
    if (!first) throw new Error('there is a version');
    // Whatever the directory holds is brought in force by the way back to it.
    await publisher.rollBack(first, 'Bob', true);
    expect(Object.keys(inForce().files)).toContain('deny.yaml');
    const up = await drafts.bringUp(draft.id, 1, BOB, {});
    expect(up).toMatchObject({ draft: { revision: 2, savedBy: BOB, base: inForce() } });
    const files = 'draft' in up ? up.draft.files : {};
    expect(files).toEqual({ ...inForce().files, ...filesWith(80) });
    expect((await bench.test(files)).failing).toEqual([]);
  });

  it('is not brought up over what both have changed, until somebody chooses', async () => {
    const { drafts, write, publisher, versions } = await aWorkbench();
    const draft = await drafts.create(ANN, { files: { 'deny.yaml': '[]\n' } });
    write('deny.yaml', '[{ value: x.example, reason: Sold., owner: risk }]\n');
    const [first] = await versions.list();
    if (!first) throw new Error('there is a version');
    await publisher.rollBack(first, 'Bob', true);
    expect(await drafts.bringUp(draft.id, 1, ANN, {})).toEqual({ conflicts: ['deny.yaml'] });
    const up = await drafts.bringUp(draft.id, 1, ANN, { 'deny.yaml': 'mine' });
    expect(up).toMatchObject({ draft: { files: { 'deny.yaml': '[]\n' } } });
  });
});
