import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/rules/compare-files.ts';
import { checkOf } from '../../storage/rows.ts';
import { filesWith, seen, someRuleJobs } from './some-rule-jobs.ts';

const order = { base: filesWith(60), candidate: filesWith(80), days: 30, costRatio: 5 };

describe('lint of a draft', () => {
  it('lists warnings and errors, and names files by their paths in the directory', async () => {
    const { jobs } = await someRuleJobs();
    const files = { ...filesWith(60), 'a.yaml': filesWith(60)['a.yaml'].replace('mode: live', 'mode: Live') };
    expect(await jobs.lint(files)).toContainEqual(
      expect.objectContaining({
        ...{ file: 'a.yaml', code: 'unknown_value', severity: 'error', line: 5 },
        replacement: 'live',
      }),
    );
    expect(await jobs.lint(filesWith(60))).toContainEqual(
      expect.objectContaining({ file: 'a.yaml', code: 'untested_rule', severity: 'warning' }),
    );
  });
});

describe('the tests of a draft', () => {
  it('list the failed ones, with the expected result, and the hash that the draft would have', async () => {
    const { jobs } = await someRuleJobs();
    const good = await jobs.test(filesWith(60));
    expect(good).toMatchObject({ problems: [], passed: 1, failing: [], breaches: [] });
    expect(good.hash).toMatch(/^[0-9a-f]{16}$/);
    const files = { ...filesWith(60), 'tests/a.yaml': filesWith(80)['tests/a.yaml'] };
    expect((await jobs.test(files)).failing).toEqual([
      expect.objectContaining({
        name: 'seen',
        place: expect.objectContaining({ file: 'tests/a.yaml', line: 1 }),
        failures: [{ what: 'score', expected: '80', actual: '60' }],
      }),
    ]);
  });

  it('do not run where lint finds an error', async () => {
    const { jobs } = await someRuleJobs();
    const { problems, hash } = await jobs.test({ ...filesWith(60), 'a.yaml': 'group: a\n' });
    expect(problems.map(({ code }) => code)).toContain('missing_key');
    expect(hash).toBeNull();
  });
});

describe('the replay of a draft', () => {
  it('reports which rules the records cannot judge, and in how many of them', async () => {
    const { jobs } = await someRuleJobs([
      seen('chk_1'),
      checkOf('chk_2', { facts: {} }),
      checkOf('chk_3', { facts: { 'x.seen': null }, unknown: '{"x.seen":"not_stored"}' }),
      checkOf('chk_4', { facts: { 'x.seen': null }, unknown: '{"x.seen":"error"}' }),
    ]);
    const answer = await jobs.replay(order);
    if (!('replay' in answer)) throw new Error('the draft is sound');
    const { rules, unjudged } = answer.replay;
    expect(unjudged).toEqual(['seen could not be judged in 2 of 4 checks: their records do not have x.seen']);
    expect(rules[0]).toMatchObject({
      candidate: { unjudged: 2, stood_aside: 1, fires: { count: 1, of: 2 } },
    });
  });

  it('reports flips with reasons, and when rules fired last, on the checks of the given days', async () => {
    const { jobs } = await someRuleJobs([
      seen('chk_old', { created_at: '2026-10-01T10:00:00.000Z' }),
      seen('chk_test', { environment: 'test' }),
      seen('chk_1'),
      seen('chk_2', { created_at: '2026-11-20T10:00:00.000Z' }),
      checkOf('chk_3', { facts: { 'x.seen': false } }),
    ]);
    const answer = await jobs.replay(order);
    if (!('replay' in answer)) throw new Error('the draft is sound');
    const { corpus, cases, flips, rules, sweep, scores } = answer.replay;
    expect(corpus).toEqual({
      ...{ checks: 3, of: 3, days: 30 },
      ...{ since: '2026-10-21T12:00:00.000Z', taken_at: '2026-11-20T12:00:00.000Z' },
    });
    expect(cases).toMatchObject({ total: 3, unlabelled: 3 });
    expect(flips.to_allow.counts).toEqual({ good: 0, bad: 0, unlabelled: 0 });
    expect(flips.to_block).toMatchObject({
      counts: { good: 0, bad: 0, unlabelled: 2 },
      reasons: [{ parts: ['seen +60 → +80'], counts: { unlabelled: 2 } }],
      examples: [
        { id: 'chk_1', reason: 0, score: { base: 60, candidate: 80 } },
        { id: 'chk_2', reason: 0 },
      ],
    });
    expect(rules).toMatchObject([
      { id: 'seen', candidate: { points: 80, last_fired: '2026-11-20T10:00:00.000Z' } },
    ]);
    expect(sweep.candidate.threshold).toBe(70);
    expect(scores.candidate[80]).toMatchObject({ unlabelled: 2 });
  });

  it('lists every flip, newest first', async () => {
    const { jobs } = await someRuleJobs([
      seen('chk_1', { domain: null }),
      seen('chk_2', { created_at: '2026-11-20T10:00:00.000Z' }),
      checkOf('chk_3', { facts: { 'x.seen': false } }),
    ]);
    const flip = { from: 'ALLOW', to: 'BLOCK', label: null, score: { base: 60, candidate: 80 } };
    expect(await jobs.flips(order)).toEqual([
      { id: 'chk_2', createdAt: '2026-11-20T10:00:00.000Z', domain: 'example.org', ...flip },
      { id: 'chk_1', createdAt: '2026-11-19T10:00:00.000Z', domain: null, ...flip },
    ]);
    expect(await jobs.flips({ ...order, candidate: filesWith(60) })).toEqual([]);
    await expect(jobs.flips({ ...order, candidate: {} })).rejects.toMatchObject({ code: 'rules_refused' });
  });

  it('has neither reasons nor examples where nothing flips', async () => {
    const { jobs } = await someRuleJobs([seen('chk_1')]);
    const answer = await jobs.replay({ ...order, candidate: filesWith(60) });
    expect(answer).toMatchObject({ replay: { flips: { to_block: { reasons: [], examples: [] } } } });
  });

  it('reads the records once, and again after ten minutes or for other days', async () => {
    const { jobs, storage, openRecords, pass } = await someRuleJobs([seen('chk_1')]);
    const checks = async (days = 30) => {
      const answer = await jobs.replay({ ...order, days });
      return 'replay' in answer ? answer.replay.corpus.checks : null;
    };
    expect(await checks()).toBe(1);
    await storage.checks.append(seen('chk_2'));
    expect(await checks()).toBe(1);
    expect(openRecords).toHaveBeenCalledTimes(1);
    expect(await checks(7)).toBe(2);
    pass(600_000);
    expect(await checks(7)).toBe(2);
    expect(openRecords).toHaveBeenCalledTimes(3);
  });

  it('returns the errors of the draft instead', async () => {
    const { jobs, openRecords } = await someRuleJobs();
    const answer = await jobs.replay({ ...order, candidate: { 'a.yaml': '' } });
    expect(answer).toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ code: 'missing_file' })]),
    });
    expect(openRecords).not.toHaveBeenCalled();
  });

  it('ends soon after its caller cancels', async () => {
    const { jobs } = await someRuleJobs([seen('chk_1')]);
    const controller = new AbortController();
    const replaying = jobs.replay(order, { signal: controller.signal });
    controller.abort(new Error('another is wanted'));
    await expect(replaying).rejects.toThrow('another is wanted');
  });

  it('reads records again after a failed attempt', async () => {
    const { jobs, openRecords } = await someRuleJobs([seen('chk_1')]);
    openRecords.mockImplementationOnce(() => {
      throw new Error('unable to open database file');
    });
    await expect(jobs.replay(order)).rejects.toThrow('unable to open database file');
    expect(await jobs.replay(order)).toHaveProperty('replay.corpus.checks', 1);
  });
});

describe('the shadow board', () => {
  it('shows the shadow rules in force, on the checks of the given days', async () => {
    const { jobs } = await someRuleJobs([
      seen('chk_1'),
      seen('chk_old', { created_at: '2026-10-01T10:00:00.000Z' }),
    ]);
    const files = filesWith(60);
    const shadowed = { ...files, 'a.yaml': files['a.yaml'].replace('mode: live', 'mode: shadow') };
    expect(await jobs.shadow({ files: shadowed, days: 30 })).toMatchObject({
      checks: 1,
      challenger: null,
      rules: [{ id: 'seen', points: 60, checks: { total: 0 }, promotion: { standing: 'untold' } }],
    });
  });

  it('computes the effect of a rule that was never tried on the recorded checks', async () => {
    const unseen = { 'x.seen': false };
    const { jobs } = await someRuleJobs([
      seen('chk_1', { action: 'ALLOW' }),
      seen('chk_2', { created_at: '2026-11-18T10:00:00.000Z' }),
      checkOf('chk_3', { facts: unseen, created_at: '2026-11-19T11:00:00.000Z' }),
      // Without the fact, the effect of the rule on a check is unknown.
      checkOf('chk_4', { facts: {}, created_at: '2026-11-19T12:00:00.000Z' }),
      seen('chk_old', { created_at: '2026-10-01T10:00:00.000Z' }),
    ]);
    const files = filesWith(80);
    const shadowed = { ...files, 'a.yaml': files['a.yaml'].replace('mode: live', 'mode: shadow') };
    const { rules, replayed } = await jobs.shadow({ files: shadowed, days: 30 });
    expect(rules).toMatchObject([{ checks: { total: 0 }, fires: { of: 0 }, days: [] }]);
    expect(replayed).toMatchObject([
      {
        ...{ id: 'seen', points: 80, checks: { total: 3 }, fires: { count: 2, of: 3 } },
        days: [
          { day: '2026-11-18', checks: 1, hits: 1 },
          { day: '2026-11-19', checks: 2, hits: 1 },
        ],
        flips: { to_block: { counts: { unlabelled: 2 } } },
      },
    ]);
  });

  it('requires rules that can be read', async () => {
    const { jobs } = await someRuleJobs();
    await expect(jobs.shadow({ files: {}, days: 30 })).rejects.toThrow('the rules in force have errors: ');
  });
});

describe('the comparison of two sets', () => {
  it('shows the difference in text and in meaning', async () => {
    const { jobs } = await someRuleJobs();
    const compared = await jobs.compare({ before: filesWith(60), after: filesWith(80) });
    expect(compared).toEqual({
      files: [
        { file: 'a.yaml', change: 'changed', added: 1, removed: 1 },
        { file: 'tests/a.yaml', change: 'changed', added: 1, removed: 1 },
      ],
      patch: unifiedDiff(filesWith(60), filesWith(80)),
      changes: [
        expect.objectContaining({
          ...{ subject: 'rule', id: 'seen', change: 'changed', decides: true },
          details: [{ what: 'points', before: 60, after: 80 }],
        }),
      ],
      faulty: [],
    });
  });

  it('shows only the texts where lint would refuse one of them now', async () => {
    const { jobs } = await someRuleJobs();
    const compared = await jobs.compare({ before: {}, after: filesWith(80) });
    expect(compared).toMatchObject({ changes: null, faulty: ['before'] });
    expect(compared.patch).toBe(await jobs.patch({ before: {}, after: filesWith(80) }));
  });
});
