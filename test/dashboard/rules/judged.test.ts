import { expect, it } from 'vitest';
import type { Rules } from '../../../dashboard/src/pages/rules/queries.ts';
import { judgedOf } from '../../../dashboard/src/pages/rules/workspace.ts';

const IN_FORCE: Rules['in_force'] = {
  ...{ ruleset: 'f00d', version: 1, since: null, author: null, digest: 'd1' },
  files: { 'decision.yaml': 'levels: []', 'a.yaml': 'rules: []', 'old.yaml': 'rules: []' },
};

it('only the files that differ from the rules in force are sent to be checked', () => {
  const { 'old.yaml': _gone, ...rest } = IN_FORCE.files;
  const files = { ...rest, 'a.yaml': 'rules: [one]', 'tests/a.yaml': '[]' };
  expect(judgedOf({ files, version: 3 }, IN_FORCE)).toEqual({
    version: 3,
    changes: {
      files: { 'a.yaml': 'rules: [one]', 'tests/a.yaml': '[]', 'old.yaml': null },
      base_digest: 'd1',
    },
  });
  expect(judgedOf({ files: IN_FORCE.files, version: 4 }, IN_FORCE).changes.files).toEqual({});
});
