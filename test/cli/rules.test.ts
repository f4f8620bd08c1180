import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aWorld } from './world.ts';

const GROUP = `group: mine
description: Mine.
max_score: 10
rules:
  - id: role
    description: A role account.
    owner: risk
    mode: shadow
    conditions: { all: [{ fact: domain.is_role_account, operator: equal, value: true }] }
    event: { type: points, params: { points: 5 } }
`;
const TESTS = `- name: a role account
  email: info@example.org
  expect: { fired: [role] }
- name: anyone else
  email: jane.doe@example.org
  expect: { not_fired: [role] }
`;

describe('postern rules facts', () => {
  it('lists every fact with its type and whether it may be unknown', async () => {
    const { code, stdout } = await aWorld().postern(['rules', 'facts']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^syntax\.valid_format +boolean +no +\S/m);
    expect(stdout).toMatch(/^domain\.has_mx +boolean +yes +\S/m);
    expect(stdout).toMatch(/^domain\.tld_risk_level +low \| medium \| high +no +\S/m);
  });

  it('prints JSON with operators, slot and example', async () => {
    const { json } = await aWorld().postern(['rules', 'facts', '--json']);
    expect(json().facts).toContainEqual({
      id: 'domain.is_role_account',
      type: 'boolean',
      values: [],
      operators: ['equal', 'notEqual'],
      description: expect.any(String),
      example: expect.any(Boolean),
      provider: 'role_account',
      never_unknown: true,
      personal: false,
      disabled: false,
      slot: 'domain.is_role_account',
    });
  });

  it('works without valid rules', async () => {
    const world = aWorld({ 'rules/decision.yaml': 'what: now\n' });
    expect((await world.postern(['rules', 'facts'])).code).toBe(0);
  });
});

describe('postern rules lint', () => {
  it('exits with 0 for the shipped rules', async () => {
    const { code, stdout } = await aWorld().postern(['rules', 'lint']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rules: 0 errors, \d+ warnings?$/m);
  });

  it('prints each error with file, line, column and the intended word, and exits with 1', async () => {
    const world = aWorld({
      'rules/mine.yaml': GROUP.replace('is_role_account', 'is_roll_account').replace(
        'value: true',
        'value: 1',
      ),
      'rules/tests/mine.yaml': TESTS,
    });
    const { code, stdout, stderr } = await world.postern(['rules', 'lint']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(
      /^rules\/mine\.yaml:9:33 error unknown_fact .*\(did you mean "domain\.is_role_account"\?\)$/m,
    );
    expect(stdout).toMatch(/^rules: [1-9]\d* errors?, \d+ warnings?$/m);
  });

  it('exits with 0 when there are only warnings', async () => {
    const world = aWorld({ 'rules/mine.yaml': GROUP.replace('shadow', 'live') });
    const { code, stdout } = await world.postern(['rules', 'lint']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rules\/mine\.yaml:\d+:\d+ warning untested_rule /m);
  });

  it('prints JSON with --json', async () => {
    const world = aWorld({ 'rules/mine.yaml': GROUP.replace('mode: shadow', 'mode: Shadow') });
    const { code, json } = await world.postern(['rules', 'lint', '--json']);
    expect(code).toBe(1);
    expect(json()).toMatchObject({ errors: 1, warnings: expect.any(Number) });
    expect(json().problems).toContainEqual({
      code: 'unknown_value',
      severity: 'error',
      file: 'rules/mine.yaml',
      line: 8,
      column: 11,
      message: expect.any(String),
      hint: 'shadow',
      fix: { line: 8, column: 11, end_column: 17, replacement: 'shadow' },
      snippet: '    mode: Shadow',
    });
  });

  it.each(['lint', 'test'])('%s uses the directory that --dir names instead', async (command) => {
    const world = aWorld({ 'rules/mine.yaml': 'group: broken\n' });
    cpSync(join(world.cwd, 'rules'), join(world.cwd, 'draft'), { recursive: true });
    world.write('draft/mine.yaml', GROUP);
    world.write('draft/tests/mine.yaml', TESTS);
    expect((await world.postern(['rules', command, '--dir', 'draft'])).code).toBe(0);
    expect((await world.postern(['rules', command])).code).not.toBe(0);
  });

  it.each(['lint', 'test'])('%s cannot run on a directory that does not exist', async (command) => {
    const { code, stdout, stderr } = await aWorld().postern(['rules', command, '--dir', 'nowhere']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/nowhere.*ENOENT/);
  });
});

describe('postern rules test', () => {
  it('counts what the tests cover, and lists with an option what no test covers', async () => {
    const world = aWorld({
      'rules/mine.yaml': GROUP.replace(
        'domain.is_role_account, operator: equal, value: true',
        'syntax.fault_count, operator: greaterThan, value: 50',
      ),
    });
    const { stdout } = await world.postern(['rules', 'test']);
    expect(stdout).toMatch(
      /^coverage: (\d+) of (?!\1\b)\d+ rules seen to fire and to keep quiet, .* \(--coverage lists the rest\)$/m,
    );
    const listed = await world.postern(['rules', 'test', '--coverage', '--dir', 'rules']);
    expect(listed.stdout).toMatch(/^not seen rules\/mine\.yaml:5:\d+ role: never to fire$/m);
    expect(listed.stdout).toMatch(
      /^not seen rules\/mine\.yaml:9:\d+ role: syntax\.fault_count greaterThan 50: never true$/m,
    );
  });

  it("lists a comparison of a named condition once, by the condition's name", async () => {
    const condition = `conditions:
  role_like:
    description: Says so.
    conditions: { all: [{ fact: syntax.fault_count, operator: greaterThan, value: 50 }] }
`;
    const rule = GROUP.slice(GROUP.indexOf('  - id: role')).replace(
      /\{ fact: [^}]* \}/,
      '{ condition: role_like }',
    );
    const head = GROUP.slice(0, GROUP.indexOf('  - id: role'));
    const world = aWorld({
      'rules/mine.yaml': `${condition}${head}${rule}${rule.replace('id: role', 'id: other')}`,
    });
    const { stdout } = await world.postern(['rules', 'test', '--coverage']);
    expect(stdout.match(/^not seen .*fault_count.*$/gm)).toEqual([
      expect.stringMatching(
        /^not seen rules\/mine\.yaml:4:\d+ condition role_like: syntax\.fault_count greaterThan 50: never true$/,
      ),
    ]);
    const { coverage } = (await world.postern(['rules', 'test', '--json'])).json();
    expect(coverage.gaps).toContainEqual({
      rule: null,
      condition: 'role_like',
      comparison: 'syntax.fault_count greaterThan 50',
      never: [true],
      file: 'rules/mine.yaml',
      line: 4,
      column: expect.any(Number),
    });
  });

  it('uses a fact that a test states in place of the look-up that a local signal needs', async () => {
    const rules = GROUP.replace('role', 'owner')
      .replace('mode: shadow', 'mode: live')
      .replace(
        'domain.is_role_account, operator: equal, value: true',
        'owner_cluster.changes, operator: greaterThan, value: 0',
      );
    const tests = `- name: dots at Google
  email: j.a.ne@firm.example
  facts: { mx.provider: google }
  expect: { fired: [owner] }
- name: dots at Microsoft
  email: j.a.ne@firm.example
  facts: { mx.provider: microsoft }
  expect: { not_fired: [owner] }
- name: dots at nobody knows whose
  email: j.a.ne@firm.example
  facts: { mx.provider: null }
  expect: { not_fired: [owner] }
`;
    const world = aWorld({ 'rules/mine.yaml': rules, 'rules/tests/mine.yaml': tests });
    const { code, stdout } = await world.postern(['rules', 'test']);
    expect(code, stdout).toBe(0);
    // The guarantee about unknown facts is proved for this fact as for any other.
    expect(stdout).toMatch(/^unknown facts: .* none scores more .*owner_cluster\.changes/m);
  });

  it('passes the shipped tests', async () => {
    const { code, stdout } = await aWorld().postern(['rules', 'test']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^unknown facts: all [1-9][\d,]* cases, none scores more than with an answer \(.*domain\.has_mx.*\)\ncoverage: (\d+) of \1 rules .*, (\d+) of \2 comparisons seen true and false\n[1-9]\d* passed, 0 failed\n$/,
    );
  });

  it('computes the local signals of a test that names an address', async () => {
    const world = aWorld({ 'rules/mine.yaml': GROUP, 'rules/tests/mine.yaml': TESTS });
    const { code, json } = await world.postern(['rules', 'test', '--json']);
    expect(code).toBe(0);
    expect(json().results).toContainEqual({
      name: 'a role account',
      file: 'rules/tests/mine.yaml',
      line: 1,
      column: 3,
      passed: true,
      failures: [],
      summary: expect.objectContaining({ action: 'ALLOW' }),
      ledger: expect.arrayContaining([expect.objectContaining({ kind: 'shadow', id: 'role', would_add: 5 })]),
    });
  });

  it('shows the expected and actual result of a failed test, and the ledger; exits with 1', async () => {
    const world = aWorld({
      'rules/mine.yaml': GROUP,
      'rules/tests/mine.yaml': `${TESTS}- name: too hopeful\n  email: jane.doe@example.org\n  expect: { action: BLOCK, fired: [role] }\n`,
    });
    const { code, stdout } = await world.postern(['rules', 'test']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed rules\/tests\/mine\.yaml:7:3 too hopeful$/m);
    expect(stdout).toMatch(/^ {2}action: expected BLOCK, was ALLOW$/m);
    expect(stdout).toMatch(/^ {2}fired: expected role, was /m);
    expect(stdout).toMatch(/^ {2}sum +0$/m);
    expect(stdout).toMatch(/^[1-9]\d* passed, 1 failed$/m);
  });

  it('fails a test whose address cannot be parsed, without a ledger', async () => {
    const world = aWorld({
      'rules/mine.yaml': GROUP,
      'rules/tests/mine.yaml': '- name: nobody\n  email: nobody\n  expect: { action: BLOCK }\n',
    });
    const { code, json } = await world.postern(['rules', 'test', '--json']);
    expect(code).toBe(1);
    const failed = json().results.find((result: { passed: boolean }) => !result.passed);
    expect(failed).toMatchObject({
      name: 'nobody',
      failures: [{ what: 'error' }],
      summary: null,
      ledger: null,
    });
  });

  it('cannot run while the rules have errors, and shows them', async () => {
    const world = aWorld({ 'rules/mine.yaml': 'group: broken\n' });
    const { code, stderr } = await world.postern(['rules', 'test']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^rules\/mine\.yaml:1:1 error missing_key/m);
    expect(stderr).toContain('the rules in rules have errors');
  });
});
