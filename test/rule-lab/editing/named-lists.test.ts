import { setImmediate as afterOtherWork } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { NamedLists } from '../../../src/rule-lab/editing/named-lists.ts';
import type { RuleJobs } from '../../../src/rule-lab/editing/rule-jobs.ts';
import { someRuleEditing } from './some-rule-editing.ts';
import { filesWith } from './some-rule-jobs.ts';

it('a named list is shown to one person although another, who requested it first, has disconnected', async () => {
  const files = { ...filesWith(60), 'lists/partners.txt': 'x.example\n' };
  const { workbench, publisher } = await someRuleEditing([], {}, { files });
  const { jobs } = workbench.parts;
  const namedLists: RuleJobs['namedLists'] = async (order, { signal } = {}) => {
    await afterOtherWork();
    signal?.throwIfAborted();
    return jobs.namedLists(order);
  };
  const lists = new NamedLists({ ...workbench.parts, publisher, jobs: { ...jobs, namedLists } });
  const page = { search: '', offset: 0, limit: 10 };
  const left = new AbortController();
  const first = lists.show('partners', page, { asker: 'per_1', signal: left.signal });
  const second = lists.show('partners', page, { asker: 'per_2' });
  left.abort();
  expect((await second).found).toMatchObject({ total: 1 });
  await first.catch(() => undefined);
});
