import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProgram, loadCommands } from '../../src/cli/run.ts';
import { Shell } from '../../src/cli/shell.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { aWorld, sinkOf } from './world.ts';

const page = readFileSync(join(packageRoot, 'docs/cli.md'), 'utf8');
const COMMON = ['--config', '--data-dir', '--json'];

/** By command (`keys create`): the usage in the page's table. */
const documented = new Map(
  [...page.matchAll(/^\| `postern ([^`]+)` \|/gm)].map(([, usage = '']) => {
    const path = /^[a-z]+(?: [a-z]+(?:-[a-z]+)*)*/.exec(usage)?.[0] ?? '';
    return [path, usage];
  }),
);

/** Compared with their commands in test/cli/rule-versions.test.ts and rules-publish.test.ts. */
const OF_VERSIONS = [
  ...['rules-history', 'rules-show', 'rules-status', 'rules-rollback'],
  ...['rules-export', 'rules-publish'],
];

/** Compared with their commands by `expectSample`. */
const IN_OTHER_TESTS = [
  "rules backtest draft --fail-on 'flips > 100'",
  'rules diff draft',
  'rules history --limit 2',
  'rules shadow risky_tld --examples 1',
  'rules upgrade',
];

const sink = sinkOf(() => undefined);
const shell = new Shell({ stdout: sink, stderr: sink, env: {}, cwd: '/' });
const program = createProgram(shell);
for (const group of program.commands) await loadCommands(group, shell);
const leaves = new Map(leavesOf(program));

function leavesOf(command: Command, path: readonly string[] = []): [string, Command][] {
  return command.commands.flatMap((child): [string, Command][] => {
    const name = [...path, child.name()];
    return child.commands.length > 0 ? leavesOf(child, name) : [[name.join(' '), child]];
  });
}

/** The parts of one decision that the documentation shows. */
const samples = [
  ...page.matchAll(/^```\n\$ postern ((?:check --explain|rules explain) .+)\n([\s\S]+?)^```/gm),
].map(([, command = '', printed = '']) => ({ command, printed }));

describe('docs/cli.md', () => {
  it('contains no sample that is not compared with its command, here or in another test', () => {
    const shown = [...page.matchAll(/^\$ postern (.+)$/gm)].map(([, command]) => command);
    expect(shown).toEqual(
      expect.arrayContaining([...samples.map(({ command }) => command), ...IN_OTHER_TESTS]),
    );
    expect(shown).toHaveLength(samples.length + IN_OTHER_TESTS.length + 1);
  });

  it.each(samples)('shows the output of `$command`', async ({ command, printed }) => {
    const dns = await startDnsServer({
      'mailinator.com': { MX: [{ exchange: 'mail.mailinator.com', preference: 1 }] },
      'mail.mailinator.com': { A: ['203.0.113.10'] },
    });
    onTestFinished(() => dns.close());
    const env = { POSTERN__DNS__SERVERS: JSON.stringify([dns.address]) };
    const { stdout } = await aWorld().postern(command.split(' '), { env });
    expect(stdout.trimEnd()).toBe(printed.trimEnd());
  });

  it('shows the output for a file of addresses', async () => {
    const [, command = '', told] = /^```\n\$ postern (check --file .+)\n([\s\S]+?)^```/m.exec(page) ?? [];
    const rows = ['1,jane@gmail.com,x', '2,x@mailinator.com,x', '3,nobody,x', '4,short', '5,joe@gmail.com,x'];
    const world = aWorld({ 'users.csv': ['id,email,note', ...rows].join('\n') });
    const { stdout, stderr } = await world.postern([...command.split(' '), '--offline']);
    expect(stdout).toBe('');
    expect(stderr.replace(/[\d.]+ s$/m, '0.1 s')).toBe(told);
    expect(world.read('answers.csv').trimEnd().split('\n')).toHaveLength(1 + rows.length);
  });

  it('has a row for each command, and no other', () => {
    expect([...documented.keys()].sort()).toEqual([...leaves.keys()].sort());
  });

  it.each([...leaves])(
    'names the arguments and options of `%s`, with those that are optional in brackets',
    (path, command) => {
      const usage = documented.get(path)?.slice(path.length) ?? '';
      const own = command.options.filter(({ long }) => !COMMON.includes(long ?? ''));
      expect([...usage.matchAll(/--[a-z-]+/g)].map(([flag]) => flag).sort()).toEqual(
        own.map(({ long }) => long).sort(),
      );
      const optional = [...usage.matchAll(/\[(--[a-z-]+)/g)].map(([, flag]) => flag);
      expect(optional.sort()).toEqual(
        own
          .filter(({ mandatory }) => !mandatory)
          .map(({ long }) => long)
          .sort(),
      );
      const operands =
        usage
          .replace(/\[--[^\]]*\]/g, '')
          .replace(/--[a-z-]+ [^ ]+/g, '')
          .match(/\[?[A-Z_]+…?\]?/g) ?? [];
      expect(operands).toEqual(
        command.registeredArguments.map((argument) => {
          const name = argument.name().toUpperCase().replaceAll('-', '_');
          const shown = argument.variadic ? `${name}…` : name;
          return argument.required ? shown : `[${shown}]`;
        }),
      );
    },
  );

  it.each([...leaves])('`%s` accepts the options that every command has', (_, command) => {
    const flags = command.options.map(({ long }) => long);
    expect(flags).toEqual(expect.arrayContaining(COMMON));
    expect(command.helpInformation()).toContain('--help');
  });

  it.each([...leaves])('`%s --help` describes every argument and option', (_, command) => {
    const described = [...command.registeredArguments, ...command.options];
    expect(described.filter(({ description }) => !description)).toEqual([]);
  });

  describe('examples of JSON', () => {
    const examples = new Map(
      [...page.matchAll(/^```json (\S+)\n(.+)\n```$/gm)].map(([, name = '', text = '']) => [
        name,
        JSON.parse(text),
      ]),
    );
    const DENY = [
      'lists',
      'deny',
      'add',
      'x.org',
      '--reason',
      'r',
      '--owner',
      'o',
      '--expires',
      '2027-06-30',
    ];
    const commands: Readonly<Record<string, readonly string[]>> = {
      check: ['check', '--offline', 'Jane+x@example.com'],
      'check-refusal': ['check', '--offline', 'nobody'],
      'accounts-create': ['accounts', 'create', 'Third'],
      'accounts-list': ['accounts', 'list'],
      'keys-create': ['keys', 'create', '--account', 'Shop', '--env', 'live', '--name', 'backend'],
      'keys-rotate': ['keys', 'rotate', 'key_…'],
      'people-setup-link': ['people', 'setup-link'],
      'rules-lint': ['rules', 'lint', '--dir', 'broken'],
      'rules-test': ['rules', 'test'],
      'rules-explain': ['rules', 'explain', '--offline', 'jane@example.com'],
      'rules-facts': ['rules', 'facts'],
      'labels-import': ['labels', 'import', 'checks.csv'],
      'labels-list': ['labels', 'list'],
      'labels-remove': ['labels', 'remove', 'x@example.org'],
      'lists-add': DENY,
      'lists-named': ['lists', 'named', 'list'],
      'lists-named-entries': ['lists', 'named', 'entries', 'partners'],
      'lists-status': ['lists', 'status', '--config', 'lists.yaml'],
      // Nothing is looked up: the address belongs to this machine.
      'lists-update': ['lists', 'update', '--config', 'lists.yaml'],
      backup: ['backup', 'b.db'],
      restore: ['restore', 'b.db', '--yes', '--overwrite'],
      verify: ['verify'],
      'providers-list': ['providers', 'list'],
      'providers-new': ['providers', 'new', 'my_signal'],
      'providers-test': ['providers', 'test', 'my-signal'],
      'providers-try': ['providers', 'try', 'my-signal', 'jane@example.com'],
      'providers-docs': ['providers', 'docs', 'my-signal'],
      'config-show': ['config', 'show'],
      'config-check': ['config', 'check', '--config', 'a.yaml'],
    };

    it('are all compared with the program, here or in the tests of their commands', () => {
      expect([...examples.keys()].sort()).toEqual(
        [
          ...Object.keys(commands),
          'serve',
          'checks-forget',
          'checks-list',
          'rules-shadow',
          'rules-upgrade',
          'storage-copy',
          ...OF_VERSIONS,
        ].sort(),
      );
    });

    it.each(Object.entries(commands))('%s has the members that the command prints', async (name, argv) => {
      const world = aWorld({
        'a.yaml': 'http: { prot: 1 }\n',
        'broken/decision.yaml': 'levls: []\n',
        'checks.csv': 'id,label\nchk_1,bad\n',
        'outcomes.csv': 'email,label\nx@example.org,bad\n',
        'lists.yaml': 'lists: { urls: ["https://127.0.0.1/list.txt"] }\n',
      });
      if (name.startsWith('lists-named')) {
        world.write(
          'rules/lists/partners.yaml',
          'description: Ours.\nowner: o\nentries: [{ value: a.example, reason: r, owner: o, expires: 2099-06-30 }]\n',
        );
        world.write(
          'rules/partners.yaml',
          'group: partners\ndescription: Ours.\nmax_score: 5\nrules: [{ id: a, description: A., owner: o, mode: off, conditions: { all: [{ fact: address.domain, operator: in_list, value: partners }] }, event: { type: points, params: { points: 5 } } }]\n',
        );
      }
      if (/^(accounts|keys|labels|people)-|^(backup|restore|verify)$/.test(name))
        await world.postern(['accounts', 'create', 'Shop']);
      if (/^labels-(list|remove)/.test(name)) {
        chmodSync(world.write('data/secrets/hmac.key', '7'.repeat(32)), 0o600);
        await world.postern(['labels', 'import', 'outcomes.csv']);
      }
      if (/^providers-(test|try|docs)$/.test(name)) await world.postern(['providers', 'new', 'my_signal']);
      if (name === 'restore') await world.postern(['backup', 'b.db']);
      const made = ['keys', 'create', '--account', 'Shop', '--env', 'live', '--json'];
      const keyId = argv.includes('key_…') ? (await world.postern(made)).json().key.id : '';
      const { json } = await world.postern([
        ...argv.map((word) => (word === 'key_…' ? keyId : word)),
        '--json',
      ]);
      expect(shapeOf(examples.get(name))).toEqual(shapeOf(json()));
    });

    it.each(['check', 'rules-test', 'rules-explain', 'rules-facts'])(
      "%s is a part of the command's output, word for word",
      async (name) => {
        const { json } = await aWorld().postern([...(commands[name] ?? []), '--json']);
        expect(missingIn(json(), examples.get(name))).toEqual([]);
      },
    );
  });
});

/** Paths of the part that are missing in the whole; of a mapping the part has some members, of a list some items. */
function missingIn(whole: unknown, part: unknown, path = ''): readonly string[] {
  if (Array.isArray(part)) {
    const items: readonly unknown[] = Array.isArray(whole) ? whole : [];
    return part.flatMap((item, place) =>
      items.some((other) => missingIn(other, item).length === 0) ? [] : [`${path}[${place}]`],
    );
  }
  if (typeof part !== 'object' || part === null) return Object.is(whole, part) ? [] : [path];
  const members = Object(whole);
  return Object.entries(part).flatMap(([key, member]) => missingIn(members[key], member, `${path}.${key}`));
}

/** Names of members by path; of a list, the names that its items share; of mappings keyed by facts or revocations, none. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const keys = value.map((item) => (typeof item === 'object' && item !== null ? Object.keys(item) : []));
    return (keys[0] ?? []).filter((key) => keys.every((others) => others.includes(key))).sort();
  }
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      ['signals', 'unknown', 'evidence', 'carried'].includes(key) ? null : shapeOf(member),
    ]),
  );
}
