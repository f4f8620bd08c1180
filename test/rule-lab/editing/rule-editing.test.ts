import { describe, expect, it, vi } from 'vitest';
import { RuleEditing } from '../../../src/rule-lab/editing/rule-editing.ts';
import { ANN, someRuleEditing } from './some-rule-editing.ts';
import { filesWith, seen } from './some-rule-jobs.ts';

describe('the flips of a draft', () => {
  it('are computed once while the draft and the rules in force do not change, and not for a draft with errors', async () => {
    const { workbench, drafts } = await someRuleEditing([seen('chk_1')]);
    const flips = vi.fn(workbench.parts.jobs.flips);
    const editing = new RuleEditing({ ...workbench.parts, jobs: { ...workbench.parts.jobs, flips } });
    const files = { 'a.yaml': filesWith(80)['a.yaml'] };
    const { id } = await drafts.create(ANN, { name: 'higher', files });
    const asked = () => editing.flipsOf(id, 30, { asker: 'per_1' });
    expect(await asked()).toMatchObject([{ id: 'chk_1', to: 'BLOCK' }]);
    await asked();
    expect(flips).toHaveBeenCalledTimes(1);
    expect(await editing.flipsOf('in_force', 30, {})).toEqual([]);
    await asked();
    expect(flips).toHaveBeenCalledTimes(3);
    await expect(editing.flipsOf('drf_none', 30, {})).rejects.toMatchObject({ code: 'not_found' });
    const broken = await drafts.create(ANN, { name: 'broken', files: { 'a.yaml': 'group: a' } });
    await expect(editing.flipsOf(broken.id, 30, {})).rejects.toMatchObject({ code: 'rules_refused' });
  });
});
