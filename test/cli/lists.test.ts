import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aWorld, type World } from './world.ts';

const add = (world: World, list: string, value: string, ...more: string[]) =>
  world.postern(['lists', list, 'add', value, '--reason', 'Our own.', '--owner', 'risk', ...more]);

describe('postern lists', () => {
  it('adds an entry below the comments of the shipped file, in a form that passes lint', async () => {
    const world = aWorld();
    const before = world.read('rules/deny.yaml');
    const { code, stdout } = await add(world, 'deny', '.throw-away.example', '--expires', '2027-06-30');
    expect(code).toBe(0);
    expect(stdout).toBe(
      '.throw-away.example added to rules/deny.yaml. A running service takes it within seconds.\n',
    );
    expect(world.read('rules/deny.yaml')).toBe(
      `${before}\n- value: .throw-away.example\n  reason: Our own.\n  owner: risk\n  expires: 2027-06-30\n`,
    );
    expect((await world.postern(['rules', 'lint'])).stdout).toContain('0 errors');
  });

  it('changes decisions: a denied address is blocked, also one that is allowed too', async () => {
    const world = aWorld();
    const code = async () => (await world.postern(['check', '--offline', 'jane@shop.example'])).code;
    expect(await code()).toBe(0);
    await add(world, 'deny', 'shop.example');
    expect(await code()).toBe(1);
    const { stderr } = await add(world, 'allow', 'shop.example');
    expect(stderr).toContain('"shop.example" stands in rules/deny.yaml too: at equal rank ALLOW wins');
    expect(await code()).toBe(0);
  });

  it('removes an entry in any case and keeps the rest of the file unchanged', async () => {
    const world = aWorld({
      'rules/allow.yaml':
        '# The head.\n\n# Ours.\n- { value: one.org, reason: r, owner: o }\n# Two.\n- value: "Two.org" # quoted\n  reason: r\n  owner: o\n# The end.\n',
    });
    const { code, stdout } = await world.postern(['lists', 'allow', 'remove', 'two.ORG']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Two.org removed from rules/allow.yaml. A running service takes it within seconds.\n',
    });
    expect(world.read('rules/allow.yaml')).toBe(
      '# The head.\n\n# Ours.\n- { value: one.org, reason: r, owner: o }\n\n# The end.\n',
    );
  });

  it('exits with 1 when the entry to remove does not exist, and does not change the file', async () => {
    const world = aWorld();
    const before = world.read('rules/allow.yaml');
    const { code, stdout, stderr } = await world.postern(['lists', 'allow', 'remove', 'x.org']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('"x.org" does not stand in rules/allow.yaml\n');
    expect(world.read('rules/allow.yaml')).toBe(before);
  });

  it('lists the entries as text and as JSON', async () => {
    const world = aWorld();
    await add(world, 'allow', 'jane@x.org');
    await add(world, 'allow', 'y.org', '--expires', '2027-06-30');
    const { stdout } = await world.postern(['lists', 'allow', 'list']);
    expect(stdout.split('\n')).toEqual([
      'value       reason    owner  expires',
      'jane@x.org  Our own.  risk',
      'y.org       Our own.  risk   2027-06-30',
      '',
    ]);
    expect((await world.postern(['lists', 'allow', 'list', '--json'])).json()).toEqual({
      list: 'allow',
      entries: [
        { value: 'jane@x.org', reason: 'Our own.', owner: 'risk', expires: null },
        { value: 'y.org', reason: 'Our own.', owner: 'risk', expires: '2027-06-30' },
      ],
    });
  });

  it('prints edits as JSON', async () => {
    const world = aWorld();
    const entry = { value: 'x.org', reason: 'Our own.', owner: 'risk', expires: null };
    const added = (await add(world, 'deny', 'x.org', '--json')).json();
    expect(added).toEqual({ list: 'deny', added: entry, stands_for: 'x.org' });
    const { json } = await world.postern(['lists', 'deny', 'remove', 'x.org', '--json']);
    expect(json()).toEqual({ list: 'deny', removed: entry });
  });

  it.each([
    ['jane+spam@gmail.com', 'jane@gmail.com'],
    ['J.Doe@GoogleMail.com', 'jdoe@gmail.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('shows the stored form of an entry that is written differently: %s', async (value, key) => {
    const { code, stdout } = await add(aWorld(), 'deny', value);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `${value} added to rules/deny.yaml. It stands for ${key}, however that is written. A`,
    );
    const { json } = await add(aWorld(), 'deny', value, '--json');
    expect(json()).toMatchObject({ added: { value }, stands_for: key });
    expect((await add(aWorld(), 'deny', key.toUpperCase())).stdout).not.toContain('stands for');
  });

  it('refuses a pattern with the form to use instead, and writes nothing', async () => {
    const world = aWorld();
    const before = world.read('rules/deny.yaml');
    const { code, stderr } = await add(world, 'deny', '*@x.org');
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "x.org"?');
    expect(world.read('rules/deny.yaml')).toBe(before);
  });

  it('warns of an entry that ends before it begins', async () => {
    const { code, stderr } = await add(aWorld(), 'deny', 'x.org', '--expires', '2020-01-01');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'warning: 2020-01-01 is past: the entry does nothing\n',
    });
  });

  it.each([
    ['not a domain', [], 'bad_list_value'],
    ['@x.org', [], 'bad_list_value'],
    ['', [], 'value'],
    ['x.org', ['--expires', 'soon'], 'bad_date'],
    ['x.org', ['--expires', '2027-02-30'], 'bad_date'],
    ['x.org', ['--reason', ''], 'reason'],
  ])('refuses %j %j with 2 and does not change the file', async (value, more, complaint) => {
    const world = aWorld();
    const before = world.read('rules/deny.yaml');
    const { code, stdout, stderr } = await add(world, 'deny', value, ...more);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(complaint);
    expect(world.read('rules/deny.yaml')).toBe(before);
  });

  it('refuses an entry that exists already, in any case', async () => {
    const world = aWorld();
    await add(world, 'deny', 'x.org');
    const { code, stderr } = await add(world, 'deny', 'X.org');
    expect(code).toBe(2);
    expect(stderr).toContain('"x.org" stands in rules/deny.yaml already: Our own.');
  });

  it('warns where the entry of the other list is in force, and not where it has expired', async () => {
    const ended = aWorld({
      'rules/allow.yaml': '- { value: x.org, reason: r, owner: o, expires: 2020-01-01 }\n',
    });
    expect((await add(ended, 'deny', 'x.org')).stderr).toBe('');
    const held = aWorld({ 'rules/allow.yaml': '- { value: x.org, reason: r, owner: o }\n' });
    expect((await add(held, 'deny', 'x.org')).stderr).toContain('stands in rules/allow.yaml too');
  });

  it('says after a removal that the value stands in the list once more', async () => {
    const line = '- { value: x.org, reason: r, owner: o }\n';
    const world = aWorld({ 'rules/deny.yaml': line + line.replace('x.org', 'X.org') });
    const remove = () => world.postern(['lists', 'deny', 'remove', 'x.org']);
    expect((await remove()).stderr).toBe(
      'warning: "X.org" stands in rules/deny.yaml once more: remove that one too\n',
    );
    expect((await remove()).stderr).toBe('');
  });

  it('says that an expired entry must be removed first', async () => {
    const world = aWorld();
    await add(world, 'deny', 'x.org', '--expires', '2020-01-01');
    const { code, stderr } = await add(world, 'deny', 'x.org', '--expires', '2999-01-01');
    expect(code).toBe(2);
    expect(stderr).toContain(
      '"x.org" stands in rules/deny.yaml already, until 2020-01-01: remove that one first: Our own.',
    );
  });

  it('refuses to edit a file with a syntax fault, and shows the place', async () => {
    const world = aWorld({ 'rules/deny.yaml': '- { value: x.org, reason: r, ovner: o }\n' });
    const { code, stderr } = await add(world, 'deny', 'y.org');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^rules\/deny\.yaml:1:30 error unknown_key .*did you mean "owner"/m);
  });

  it('keeps the mode of the file and leaves no temporary file', async () => {
    const world = aWorld();
    chmodSync(join(world.cwd, 'rules/deny.yaml'), 0o640);
    await add(world, 'deny', 'x.org');
    expect(statSync(join(world.cwd, 'rules/deny.yaml')).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(world.cwd, 'rules')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('writes through a link and keeps it', async () => {
    const world = aWorld({ 'shared/deny.yaml': '# Shared.\n' });
    rmSync(join(world.cwd, 'rules/deny.yaml'));
    symlinkSync('../shared/deny.yaml', join(world.cwd, 'rules/deny.yaml'));
    await add(world, 'deny', 'x.org');
    expect(lstatSync(join(world.cwd, 'rules/deny.yaml')).isSymbolicLink()).toBe(true);
    expect(world.read('shared/deny.yaml')).toContain('value: x.org');
  });

  it('keeps all concurrent additions and removals', async () => {
    const world = aWorld({ 'rules/deny.yaml': '- { value: old.example, reason: r, owner: o }\n' });
    const values = Array.from({ length: 8 }, (_, index) => `shop${index}.example`);
    const edits = values.map((value) => add(world, 'deny', value));
    edits.splice(4, 0, world.postern(['lists', 'deny', 'remove', 'old.example']));
    expect((await Promise.all(edits)).map(({ code }) => code)).toEqual(edits.map(() => 0));
    const { entries } = (await world.postern(['lists', 'deny', 'list', '--json'])).json();
    expect(entries.map(({ value }: { value: string }) => value).sort()).toEqual(values);
    expect(readdirSync(join(world.cwd, 'rules')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('adds an entry once when two commands add it at once', async () => {
    const world = aWorld();
    const outcomes = await Promise.all(['x.org', 'X.org'].map((value) => add(world, 'deny', value)));
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 2]);
    expect(world.read('rules/deny.yaml').match(/- value: x\.org/gi)).toHaveLength(1);
  });

  it('refuses to edit a file that is not UTF-8, which would lose its signs', async () => {
    const world = aWorld();
    const file = join(world.cwd, 'rules/deny.yaml');
    const latin1 = Buffer.from('# Für München.\n', 'latin1');
    writeFileSync(file, latin1);
    const { code, stderr } = await add(world, 'deny', 'x.org');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `${file}: cannot be read: it is not UTF-8: save it as UTF-8\n`,
    });
    expect(readFileSync(file)).toEqual(latin1);
  });

  it('creates a list that does not exist yet', async () => {
    const world = aWorld();
    rmSync(join(world.cwd, 'rules/deny.yaml'));
    expect((await add(world, 'deny', 'x.org')).code).toBe(0);
    expect(world.read('rules/deny.yaml')).toBe('- value: x.org\n  reason: Our own.\n  owner: risk\n');
  });

  it('cannot run when the rules directory does not exist', async () => {
    const { code, stderr } = await aWorld().postern(
      ['lists', 'deny', 'add', 'x.org', '--reason', 'r', '--owner', 'o'],
      { env: { POSTERN__RULES__DIR: 'nowhere' } },
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/^postern: .*nowhere\/deny\.yaml cannot be written: ENOENT/);
  });
});
