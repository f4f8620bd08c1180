import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aWorld } from './world.ts';

/**
 * Two words with a wrong spelling, which a fix corrects, one fault that it cannot correct, and comments in every place
 * where an editor could lose them.
 */
const BROKEN = `# Head: stays.
group: mine   # behind a key
description: Mine.

max_score: 10
rules:
  # above a rule
  - id: role
    description: A role account.
    owner: risk
    mode: Shadow      # behind a mistake
    conditions: { all: [{ fact: domain.is-role-account, operator: equal, value: true }] }
    event: { type: points, params: { points: many } }
# at the end`;

describe('postern rules lint', () => {
  it('shows the source under each message, with carets below the faulty word', async () => {
    const { stdout } = await aWorld({ 'rules/mine.yaml': BROKEN }).postern(['rules', 'lint']);
    expect(
      stdout,
    ).toContain(`rules/mine.yaml:11:11 error unknown_value "mode" is one of live, shadow, off, not "Shadow" (did you mean "shadow"?)
  11 |     mode: Shadow      # behind a mistake
     |           ^^^^^^
`);
    expect(stdout).toContain(`
  12 |     conditions: { all: [{ fact: domain.is-role-account, operator: equal, value: true }] }
     |                                 ^^^^^^^^^^^^^^^^^^^^^^
`);
  });

  it('names other files from the working directory too, in a message and within the directory itself', async () => {
    const world = aWorld({ 'rules/mine.yaml': BROKEN, 'rules/other.yaml': BROKEN });
    const { stdout } = await world.postern(['rules', 'lint', '--fix']);
    expect(stdout).toMatch(/^rules\/other\.yaml:\d+ fixed /m);
    expect(stdout).toMatch(
      /^rules\/other\.yaml:\d+:\d+ error duplicate_id .* stands also at rules\/mine\.yaml:\d+:\d+$/m,
    );
    expect(stdout).not.toContain(world.cwd);
  });

  it('cuts a long line around the caret, makes control characters visible, and still points at the place', async () => {
    const description = `\u202e${'long '.repeat(60)}`;
    const rule = `- { id: role, description: "${description}", owner: risk, mode: Shadow, ${'x'.repeat(90)}: 1 }`;
    const world = aWorld({
      'rules/mine.yaml': `group: mine\ndescription: M.\nmax_score: 1\nrules:\n  ${rule}\n`,
    });
    const { stdout } = await world.postern(['rules', 'lint']);
    const [shown = '', caret = ''] = /unknown_value.*\n(.*)\n(.*)/.exec(stdout)?.slice(1) ?? [];
    expect(shown.length).toBeLessThan(125);
    expect(shown.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('Shadow');
    expect(stdout).not.toContain('\u202e');
  });

  it('points at the place after a tab, which is shown as a tab', async () => {
    const world = aWorld({ 'rules/mine.yaml': BROKEN.replace('mode: Shadow', 'mode:\tShadow') });
    const { stdout } = await world.postern(['rules', 'lint']);
    const [shown = '', caret = ''] = /unknown_value.*\n(.*)\n(.*)/.exec(stdout)?.slice(1) ?? [];
    expect(shown.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('Shadow');
  });

  it('names the text to write where that is more than the intended word', async () => {
    const world = aWorld({ 'rules/mine.yaml': BROKEN.replace('Mine.', 'Mine: all of it') });
    const { stdout } = await world.postern(['rules', 'lint']);
    expect(stdout).toMatch(
      /^rules\/mine\.yaml:3:14 error yaml_syntax .*\n.*\n.*\^{15}\n {2}fix: "Mine: all of it"$/m,
    );
  });

  it('prints only annotations for GitHub on standard output, escaped', async () => {
    const world = aWorld({
      'rules/a,b:100%.yaml': BROKEN.replace('role\n', 'role 100%\n'),
      'rules/old.yml': 'group: old',
    });
    const { code, stdout, stderr } = await world.postern(['rules', 'lint', '--format', 'github']);
    expect(code).toBe(1);
    const file = 'file=rules/a%2Cb%3A100%25.yaml';
    expect(stdout).toContain(
      `::error ${file},line=8,col=9,title=bad_id::"role 100%25" may hold only a-z, 0-9 and _ (did you mean "role_100_"?)\n`,
    );
    expect(stdout).toContain('::warning file=rules/old.yml,line=1,col=1,title=ignored_file::this file');
    expect(
      stdout
        .trim()
        .split('\n')
        .every((line) => /^::(error|warning) file=/.test(line)),
    ).toBe(true);
    expect(stderr).toMatch(/^rules: 4 errors, [1-9]\d* warnings?\n$/);
  });

  it('accepts json as a format, and no other format beside --json', async () => {
    const world = aWorld({ 'rules/mine.yaml': BROKEN });
    const asked = await world.postern(['rules', 'lint', '--format', 'json']);
    expect(asked.stdout).toBe((await world.postern(['rules', 'lint', '--json'])).stdout);
    expect((await world.postern(['rules', 'lint', '--json', '--format', 'text'])).code).toBe(2);
    expect((await world.postern(['rules', 'lint', '--format', 'xml'])).code).toBe(2);
  });

  it('prints the same for the same files, byte for byte', async () => {
    const world = aWorld({ 'rules/mine.yaml': BROKEN, 'rules/other.yaml': BROKEN });
    const first = await world.postern(['rules', 'lint']);
    expect((await world.postern(['rules', 'lint'])).stdout).toBe(first.stdout);
  });
});

describe('postern rules lint --fix', () => {
  it('cannot run where a file cannot be written', async () => {
    // The name of its temporary file is too long for the file system.
    const name = `${'a'.repeat(245)}.yaml`;
    const text = 'group: long\ndescription: Long.\nmax_score: "10"\nrules: []\n';
    const world = aWorld({ [`rules/${name}`]: text });
    const { code, stderr } = await world.postern(['rules', 'lint', '--fix']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(`^postern: rules/${name} cannot be written: ENAMETOOLONG: `),
    });
    expect(world.read(`rules/${name}`)).toBe(text);
  });

  it('writes the intended word, keeps every other character and the mode of the file, and lints again', async () => {
    const world = aWorld({ 'rules/mine.yaml': BROKEN });
    const path = join(world.cwd, 'rules/mine.yaml');
    chmodSync(path, 0o640);
    const { code, stdout } = await world.postern(['rules', 'lint', '--fix']);
    expect(world.read('rules/mine.yaml')).toBe(
      BROKEN.replace('Shadow', 'shadow').replace('is-role-account', 'is_role_account'),
    );
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(stdout).toMatch(/^rules\/mine\.yaml:11 fixed unknown_value: shadow$/m);
    expect(stdout).toMatch(/^rules\/mine\.yaml:13:46 error wrong_shape /m);
    expect(stdout).toMatch(/^rules: 1 error, /m);
    expect(code).toBe(1);
  });

  it('does not apply a guess that would cause another fault', async () => {
    const text = BROKEN.replace('points: many', 'points: 5')
      .replace('    owner: risk\n', '    owner: risk\n    ownr: other\n')
      .replace('Shadow', 'shadow')
      .replace('is-role-', 'is_role_');
    const world = aWorld({ 'rules/mine.yaml': text });
    const { code, json } = await world.postern(['rules', 'lint', '--fix', '--json']);
    expect(code).toBe(1);
    expect(json()).toMatchObject({
      errors: 1,
      fixed: [],
      problems: [{ code: 'unknown_key', hint: 'owner' }],
    });
    expect(world.read('rules/mine.yaml')).toBe(text);
  });

  it('continues with faults that invalid YAML had hidden', async () => {
    const world = aWorld({ 'rules/mine.yaml': BROKEN.replace('Mine.', 'Mine: all') });
    const { json } = await world.postern(['rules', 'lint', '--fix', '--json']);
    expect(json().fixed.map(({ code }: { code: string }) => code)).toEqual([
      'yaml_syntax',
      'unknown_fact',
      'unknown_value',
    ]);
    expect(json().errors).toBe(1);
  });

  it('writes nothing where nothing can be corrected', async () => {
    const world = aWorld();
    const before = statSync(join(world.cwd, 'rules/domain.yaml')).ino;
    expect((await world.postern(['rules', 'lint', '--fix'])).code).toBe(0);
    expect(statSync(join(world.cwd, 'rules/domain.yaml')).ino).toBe(before);
  });
});
