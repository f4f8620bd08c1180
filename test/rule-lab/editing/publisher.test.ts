import { applyPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { type RuleSource, RulesNotWritten, RulesOvertaken } from '../../../src/checks/rule-source.ts';
import { refusalOf } from '../../../src/rule-lab/editing/publisher.ts';
import { digestOf } from '../../../src/rules/rule-files.ts';
import { ANN, someRuleEditing } from './some-rule-editing.ts';
import { filesWith, seen } from './some-rule-jobs.ts';

const HOW = { days: 30, costRatio: 1 };

/** A set-up with a backtested draft in which `seen` blocks. */
async function aDraft(
  files: Readonly<Record<string, string>> = filesWith(80),
  writing: Partial<Pick<RuleSource, 'publish'>> = {},
) {
  const world = await someRuleEditing([seen('chk_1')], writing);
  const { drafts } = world;
  const { id } = await drafts.create(ANN, { files });
  await drafts.backtest(await drafts.find(id), ANN, HOW);
  return { ...world, id, draft: await drafts.find(id) };
}

describe('publishing a draft', () => {
  it('writes its files, activates them and records the name of the person who did it', async () => {
    const { draft, publisher, read, inForce, versions } = await aDraft();
    expect(draft.backtest).toMatchObject({ revision: 1, checks: 1, toBlock: 1, toAllow: 0, by: 'Ann' });
    const published = await publisher.publish(draft, 'Ann');
    expect(published).toEqual({ is: 'in_force', ruleset: inForce().hash, version: 2 });
    expect(published).toMatchObject({ ruleset: draft.backtest?.candidate });
    expect(read('a.yaml')).toBe(filesWith(80)['a.yaml']);
    expect(await versions.last()).toMatchObject({
      version: 2,
      author: 'Ann',
      reason: 'change',
      digest: digestOf(filesWith(80)),
    });
  });

  it('requires a backtest of exactly this revision, against exactly what is in force', async () => {
    const { drafts, publisher, id } = await aDraft();
    const saved = await drafts.save(id, 1, ANN, { name: 'the same files' });
    await expect(publisher.publish(saved, 'Ann')).rejects.toMatchObject({ code: 'backtest_required' });
    await drafts.backtest(saved, ANN, HOW);
    const other = await drafts.create(ANN, { files: filesWith(75) });
    await drafts.backtest(other, ANN, HOW);
    expect(await publisher.publish(await drafts.find(id), 'Ann')).toMatchObject({ is: 'in_force' });
    // The set of the backtest is no longer in force.
    await expect(publisher.publish(await drafts.find(other.id), 'Ann')).rejects.toMatchObject({
      code: 'backtest_required',
    });
  });

  it('does not count as backtested where the draft was saved meanwhile', async () => {
    const { drafts, draft } = await aDraft();
    await drafts.save(draft.id, 1, ANN, { name: 'later' });
    await expect(drafts.backtest(draft, ANN, HOW)).rejects.toMatchObject({
      code: 'draft_changed',
    });
  });

  it('overwrites nothing that changed in the directory since, and shows the changes', async () => {
    const { draft, publisher, write, read } = await aDraft();
    write('a.yaml', filesWith(50)['a.yaml']);
    await expect(publisher.publish(draft, 'Ann')).rejects.toMatchObject({
      code: 'rules_changed',
      details: [{ diff: expect.stringContaining('+++ b/a.yaml') }],
    });
    expect(read('a.yaml')).toBe(filesWith(50)['a.yaml']);
  });

  it('accepts a directory that contains the draft already', async () => {
    const { draft, publisher, write } = await aDraft();
    for (const [path, text] of Object.entries(filesWith(80))) write(path, text);
    expect(await publisher.publish(draft, 'Ann')).toMatchObject({ is: 'in_force', version: 2 });
  });

  it('writes nothing with which its own tests fail', async () => {
    const { draft, publisher, read } = await aDraft({ 'a.yaml': filesWith(80)['a.yaml'] });
    await expect(publisher.publish(draft, 'Ann')).rejects.toMatchObject({
      code: 'rules_refused',
      details: [{ fault: 'tests/a.yaml:1:3 test "seen" failed: score expected 60, was 80' }],
    });
    expect(read('a.yaml')).toBe(filesWith(60)['a.yaml']);
  });

  it('is refused when the directory cannot be read', async () => {
    const { draft, publisher, remove } = await aDraft();
    remove('.');
    await expect(publisher.publish(draft, 'Ann')).rejects.toMatchObject({ code: 'rules_changed' });
  });

  it('reports the state of the directory when a file cannot be written', async () => {
    const { draft, publisher } = await aDraft(filesWith(80), {
      publish: () =>
        Promise.reject(new RulesNotWritten('a.yaml cannot be written: ENOSPC; nothing was written')),
    });
    await expect(publisher.publish(draft, 'Ann')).rejects.toMatchObject({
      code: 'rules_not_written',
      retryAfterMs: 1_000,
      details: [{ fault: 'a.yaml cannot be written: ENOSPC; nothing was written' }],
    });
  });

  it('reports what another person has published while this draft was tested, for either source', async () => {
    const { draft, publisher, write } = await aDraft(filesWith(80), {
      publish: async () => {
        write('a.yaml', filesWith(50)['a.yaml']);
        throw new RulesOvertaken('version 2 is published since');
      },
    });
    await expect(publisher.publish(draft, 'Ann')).rejects.toMatchObject({
      code: 'rules_changed',
      details: [{ diff: expect.stringContaining('50') }],
    });
  });

  it('offers a patch where the service may not write', async () => {
    const { draft, publisher } = await aDraft(filesWith(80), {
      publish: () => Promise.reject(new RulesNotWritten('EROFS', true)),
    });
    const published = await publisher.publish(draft, 'Ann');
    expect(published).toMatchObject({ is: 'patch', reason: 'EROFS' });
    const [ofRules = ''] = 'patch' in published ? published.patch.split(/^(?=--- a\/tests)/m) : [];
    expect(applyPatch(filesWith(60)['a.yaml'], ofRules)).toBe(filesWith(80)['a.yaml']);
  });

  it('continues with the next draft when one fails', async () => {
    const { draft, publisher, drafts } = await aDraft();
    const other = await drafts.create(ANN, {});
    const both = await Promise.allSettled([publisher.publish(other, 'Ann'), publisher.publish(draft, 'Ann')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});

describe('rolling back', () => {
  it('activates the files of a version again, as a new version', async () => {
    const { draft, publisher, versions, inForce, read } = await aDraft();
    const before = inForce().hash;
    await publisher.publish(draft, 'Ann');
    const first = (await versions.list()).at(-1);
    if (!first) throw new Error('there is a version');
    expect(await publisher.rollBack(first, 'Bob', false)).toEqual({
      is: 'in_force',
      ruleset: before,
      version: 3,
    });
    expect(read('a.yaml')).toBe(filesWith(60)['a.yaml']);
    expect(await versions.last()).toMatchObject({ reason: 'rollback', restores: 1, author: 'Bob' });
  });

  it('saves directory content that was never in force as a draft', async () => {
    const { publisher, versions, write } = await aDraft();
    write('a.yaml', 'group: [\n');
    const [first] = await versions.list();
    if (!first) throw new Error('there is a version');
    expect(await publisher.rollBack(first, 'Bob', false)).toMatchObject({ is: 'in_force' });
    expect((await versions.list())[0]).toMatchObject({ reason: 'draft', hash: null });
  });

  it('writes nothing that would be refused now', async () => {
    const { publisher, versions } = await aDraft();
    const files = { ...filesWith(60), 'a.yaml': 'group: a\n' };
    const at = '2026-11-01T00:00:00.000Z';
    const old = await versions.add(
      {
        hash: 'aaaa000000000000',
        digest: digestOf(files),
        reason: 'draft',
        at,
        author: null,
        restores: null,
      },
      files,
    );
    await expect(publisher.rollBack(old, 'Bob', false)).rejects.toMatchObject({ code: 'rules_refused' });
  });
});

it('refuses a group that would count more without an answer, as the proof finds it', () => {
  const breach = { group: 'domain', facts: { 'mx.outcome': null }, fact: 'mx.outcome', value: 'mx' };
  const breaches = [{ ...breach, pointsWithout: 20, pointsWith: 5 }];
  expect(refusalOf({ problems: [], failing: [], passed: 1, hash: 'abc', breaches })).toEqual([
    'without mx.outcome the group domain counts 20, with mx.outcome mx 5: a failed look-up would raise the score',
  ]);
});
