import { compileRuleSet } from '../../src/rules/compile.ts';
import { type LintResult, lintRules } from '../../src/rules/lint/lint-rules.ts';
import { formatProblem } from '../../src/rules/problem.ts';
import type { RuleSources } from '../../src/rules/rule-files.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';
import { catalogue } from './catalogue.ts';

export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** A decision.yaml without a fault: medium from 30, high and BLOCK from 70. */
export const DECISION = `
levels:
  - id: level_medium
    description: Raised.
    conditions: { all: [{ fact: risk_score, operator: greaterThanInclusive, value: 30 }] }
    event: { type: level, params: { level: medium } }
  - id: level_high
    description: High.
    conditions: { all: [{ fact: risk_score, operator: greaterThanInclusive, value: 70 }] }
    event: { type: level, params: { level: high } }
actions:
  - id: block
    description: Too high.
    conditions: { all: [{ fact: risk_score, operator: greaterThanInclusive, value: 70 }] }
    event: { type: action, params: { action: BLOCK } }
`;

const DECISION_TESTS = `
- name: quiet
  facts: { mx.host_count: 1 }
  expect: { not_fired: [level_medium, level_high, block] }
- name: loud
  facts: { mx.host_count: 2 }
  expect: { fired: [level_medium, level_high, block] }
`;

const REACH = `group: zz_reach
description: Reaches medium and high.
max_score: 100
rules:
  - id: zz_some
    description: Medium.
    owner: risk
    mode: live
    conditions: { all: [{ fact: reach.far, operator: equal, value: some }] }
    event: { type: points, params: { points: 40 } }
  - id: zz_much
    description: High.
    owner: risk
    mode: live
    conditions: { all: [{ fact: reach.far, operator: equal, value: much }] }
    event: { type: points, params: { points: 80 } }
`;
const REACH_TESTS = `- { name: s, facts: { reach.far: some }, expect: { fired: [zz_some], not_fired: [zz_much] } }
- { name: m, facts: { reach.far: much }, expect: { fired: [zz_much], not_fired: [zz_some] } }
`;

/** The files of a rules directory, `decision.yaml` and its tests given unless they are stated. */
export function directory(files: Readonly<Record<string, string | undefined>>): RuleSources {
  const all = { 'decision.yaml': DECISION, 'tests/decision.yaml': DECISION_TESTS, ...files };
  const paths = Object.keys(all);
  const texts = Object.entries(all).filter(
    ([path, text]) => text !== undefined && /\.(yaml|txt)$/.test(path),
  );
  return {
    dir: 'rules',
    files: Object.fromEntries(texts) as Record<string, string>,
    ignored: paths.filter((path) => path.endsWith('.yml')).map((path) => `rules/${path}`),
  };
}

export function lint(files: Readonly<Record<string, string | undefined>>): LintResult {
  return lintRules(directory(files), catalogue, { now: NOW });
}

/** Files beside a group without a fault, from which every level can be reached: lint would miss that. */
export function reachingDirectory(files: Readonly<Record<string, string | undefined>>): RuleSources {
  return directory({ 'zz_reach.yaml': REACH, 'tests/zz_reach.yaml': REACH_TESTS, ...files });
}

/** Compiles files that must pass lint. */
export function compile(files: Readonly<Record<string, string | undefined>>, now = NOW): RuleSet {
  const { definitions, problems } = lintRules(directory(files), catalogue, { now, onlyErrors: true });
  if (!definitions) throw new Error(problems.map(formatProblem).join('\n'));
  return compileRuleSet(definitions, now);
}

/** A group file with these rules, each given as YAML flow text after its id. */
export function group(id: string, rules: Readonly<Record<string, string>>, maxScore = 100): string {
  const items = Object.entries(rules).map(
    ([rule, rest]) => `  - { id: ${rule}, description: Says something., owner: risk, ${rest} }`,
  );
  return `group: ${id}\ndescription: A group.\nmax_score: ${maxScore}\nrules:\n${items.join('\n')}\n`;
}

export const points = (n: number, mode = 'live') =>
  `mode: ${mode}, event: { type: points, params: { points: ${n} } }`;
export const when = (...comparisons: readonly string[]) => `conditions: { all: [${comparisons.join(', ')}] }`;
export const is = (fact: string, value: unknown) =>
  `{ fact: ${fact}, operator: equal, value: ${JSON.stringify(value)} }`;
