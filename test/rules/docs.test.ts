import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { LONGEST_INLINE_LIST } from '../../src/rules/lint/read-operand.ts';
import { PROBLEM_SEVERITIES } from '../../src/rules/problem.ts';
import { runRuleTests } from '../../src/rules/rule-tests.ts';
import { discoverProviders } from '../../src/signals/discover-providers.ts';
import { planCollection } from '../../src/signals/plan-collection.ts';
import { directory, NOW } from './rules-directory.ts';

const text = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8');
/** Files of the page, by path: a block that begins with ```yaml and a name. */
const files = Object.fromEntries(
  [...text.matchAll(/```(?:yaml|txt) (\S+)\n([\s\S]*?)```/g)].map(([, path = '', block]) => [path, block]),
);

describe('docs/rules.md', () => {
  it('has a paragraph for each code of lint, with its severity, and for no other', () => {
    const entries = [...text.matchAll(/^- `([a-z_]+)`( \(warning\))? [A-Z`].{20,}$/gm)];
    const documented = entries.map(([, code, warning]) => [code, warning ? 'warning' : 'error']);
    expect(Object.fromEntries(documented)).toEqual(PROBLEM_SEVERITIES);
    expect(documented).toHaveLength(Object.keys(PROBLEM_SEVERITIES).length);
  });

  it('shows every file of a rules directory, which passes lint and its own tests with the shipped providers', async () => {
    const { enabled } = await discoverProviders({ enabled: null, paths: [] });
    const { catalogue } = planCollection(enabled);
    expect(Object.keys(files).sort()).toEqual([
      'decision.yaml',
      'deny.yaml',
      'form.yaml',
      'hosting.yaml',
      'invitations.yaml',
      'lists/partners.yaml',
      'lists/rented.txt',
      'mailbox.yaml',
      'rollout.yaml',
      'signals.yaml',
      'tests/decision.yaml',
      'tests/form.yaml',
      'tests/hosting.yaml',
      'tests/invitations.yaml',
      'tests/mailbox.yaml',
      'tests/rollout.yaml',
    ]);
    const { problems, definitions } = lintRules(directory(files), catalogue, { now: NOW });
    // The page shows the effect of an expired rule, about which lint warns.
    expect(problems.map(({ code, file }) => [code, file])).toEqual([['expired', 'rules/form.yaml']]);
    if (!definitions) throw new Error('the page has an error');
    const report = await runRuleTests(
      (at) => compileRuleSet(definitions, at ?? NOW, { forEveryone: true }),
      definitions.tests,
      catalogue,
    );
    expect(
      report.results.flatMap(({ name, failures }) => failures.map((failure) => [name, failure])),
    ).toEqual([]);
    expect(report.passed).toBe(27);
  });

  it('has each feature of the language in an example', () => {
    const yaml = Object.values(files).join('\n');
    const words = [
      ...[
        'max_score',
        'absorbs',
        'starts',
        'expires',
        'at:',
        'thresholds',
        'threshold.',
        'mode: shadow',
        'mode: off',
        'points: -',
      ],
      ...['rollout:', 'in_list', 'not_in_list', 'ends_with', 'entries:'],
      ...[
        'all:',
        'any:',
        'not:',
        'at_least:',
        '{ condition: ',
        'in, value: [',
        'notEqual',
        'lessThan',
        'greaterThan,',
        'value: { fact: disposable',
      ],
      ...[
        'type: level',
        'type: action',
        'type: force',
        'action: ALLOW',
        'null',
        'min:',
        'max:',
        'fired',
        'not_fired',
      ],
    ];
    expect(words.filter((word) => !yaml.includes(word))).toEqual([]);
  });

  it('names the limit of an inline list that the code uses', () => {
    expect(text).toContain(`up to ${LONGEST_INLINE_LIST} for`);
  });
});
