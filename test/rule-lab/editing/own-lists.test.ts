import { applyPatch } from 'diff';
import { describe, expect, it, vi } from 'vitest';
import { RulesNotWritten } from '../../../src/checks/rule-source.ts';
import type { ListChange } from '../../../src/lists/own-lists.ts';
import { OwnLists } from '../../../src/rule-lab/editing/own-lists.ts';
import { someRuleEditing } from '../../rule-lab/editing/some-rule-editing.ts';

const entry = (value: string, more: object = {}) => ({ value, reason: 'r', owner: 'o', ...more });
const ALLOW =
  '# Whom we know.\n\n- value: Friend.example # since 2019\n  reason: ours\n  owner: ann\n  expires: 2026-12-01\n';

async function start(files: Readonly<Record<string, string>> = { 'allow.yaml': ALLOW }) {
  const world = await someRuleEditing();
  for (const [path, text] of Object.entries(files)) world.write(path, text);
  const lists = new OwnLists(world);
  const of = async (list: 'allow' | 'deny') => {
    const found = (await lists.read()).find((each) => each.list === list);
    if (!found) throw new Error('both are always there');
    return found;
  };
  const change = async (list: 'allow' | 'deny', what: ListChange) =>
    lists.change(list, (await of(list)).version, what, 'Ann');
  return { ...world, lists, of, change };
}

describe('the lists of the operator', () => {
  it('are shown with expired and expiring entries, conflicts with the other list and duplicates', async () => {
    const { of } = await start({
      'allow.yaml': [
        ALLOW,
        '- { value: old.example, reason: r, owner: o, expires: 2026-11-19 }',
        '- { value: both.example, reason: r, owner: o, expires: 2027-11-19 }',
        '- { value: BOTH.example, reason: again, owner: o }\n',
      ].join('\n'),
      'deny.yaml':
        '- { value: both.Example, reason: r, owner: o }\n- { value: old.example, reason: r, owner: o }\n',
    });
    const marks = async (list: 'allow' | 'deny') =>
      (await of(list)).entries.map(({ value, state, is_contested, is_repeated }) =>
        [value, state, is_contested && 'contested', is_repeated && 'repeated'].filter(Boolean).join(' '),
      );
    expect(await marks('allow')).toEqual([
      'Friend.example soon',
      'old.example expired',
      'both.example holds contested',
      'BOTH.example holds contested repeated',
    ]);
    expect(await marks('deny')).toEqual(['both.Example holds contested', 'old.example holds']);
  });

  it('are empty where there is no file, and show the fault of a file that cannot be read', async () => {
    const { of } = await start({ 'deny.yaml': '- { value: "*.x.org", reason: r, owner: o }\n' });
    expect(await of('allow')).toMatchObject({ entries: [], faults: [] });
    expect(await of('deny')).toMatchObject({
      entries: [],
      faults: [expect.stringContaining('deny.yaml:1:12')],
    });
  });

  it('are shown as they are in the directory, whoever has written them since the last read', async () => {
    const { of, write } = await start();
    expect((await of('allow')).entries).toHaveLength(1);
    write('allow.yaml', `${ALLOW}- { value: new.example, reason: r, owner: o }\n`);
    write('deny.yaml', '- { value: new.example, reason: r, owner: o }\n');
    expect((await of('allow')).entries).toMatchObject([{}, { value: 'new.example', is_contested: true }]);
    write('deny.yaml', '');
    expect((await of('allow')).entries).toMatchObject([{}, { value: 'new.example', is_contested: false }]);
  });

  it('are read once while they do not change, and again after a failed read', async () => {
    const { jobs, ...world } = await start();
    const readList = vi.fn(jobs.readList);
    readList.mockRejectedValueOnce(new Error('the queue is busy'));
    const lists = new OwnLists({ ...world, jobs: { ...jobs, readList } });
    await expect(lists.read()).rejects.toThrow('the queue is busy');
    readList.mockClear();
    expect((await lists.read()).map(({ entries }) => entries.length)).toEqual([1, 0]);
    await lists.read();
    expect(readList.mock.calls.map(([{ file }]) => file)).toEqual(['allow.yaml']);
  });

  it('accept an entry, in force at once, with the name of the person who added it', async () => {
    const { change, inForce, versions, read } = await start();
    const published = await change('deny', {
      kind: 'add',
      entry: entry('bad.example', { expires: '2027-01-31' }),
    });
    expect(published).toEqual({
      is: 'in_force',
      ruleset: inForce().hash,
      version: (await versions.last())?.version,
    });
    expect(inForce().files['deny.yaml']).toContain('bad.example');
    expect(await versions.last()).toMatchObject({ author: 'Ann' });
    expect(read('deny.yaml')).toBe('- value: bad.example\n  reason: r\n  owner: o\n  expires: 2027-01-31\n');
  });

  it('change an entry at its place, with its comments', async () => {
    const { change, read } = await start();
    await change('allow', {
      ...{ kind: 'replace', value: 'friend.EXAMPLE' },
      entry: { value: 'friend.example', reason: 'still ours', owner: 'bob' },
    });
    expect(read('allow.yaml')).toBe(
      '# Whom we know.\n\n- value: friend.example # since 2019\n  reason: still ours\n  owner: bob\n',
    );
  });

  it('remove an entry', async () => {
    const { change, read } = await start();
    await change('allow', { kind: 'remove', value: 'friend.example' });
    expect(read('allow.yaml')).toBe('# Whom we know.\n\n[]\n');
  });

  it.each<[string, ListChange, string]>([
    ['no value of a list', { kind: 'add', entry: entry('*.x.org') }, 'none of user@x.org, x.org and .x.org'],
    [
      'there already',
      { kind: 'add', entry: entry('FRIEND.example') },
      'it stands in allow.yaml already: ours',
    ],
    ['over', { kind: 'add', entry: entry('x.org', { expires: '2026-11-19' }) }, 'that day is over'],
    ['no day', { kind: 'add', entry: entry('x.org', { expires: '2026-02-30' }) }, 'expires'],
    [
      'not there to be changed',
      { kind: 'replace', value: 'y.org', entry: entry('x.org') },
      'does not stand in',
    ],
    ['not there to be removed', { kind: 'remove', value: 'y.org' }, 'it does not stand in allow.yaml'],
  ])('refuse an entry that is %s, and do not change', async (_what, what, message) => {
    const { change, read } = await start();
    await expect(change('allow', what)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ message: expect.stringContaining(message) }],
    });
    expect(read('allow.yaml')).toBe(ALLOW);
  });

  it('name the faulty member of an entry, and the intended value', async () => {
    const { change } = await start();
    const given = entry('*.x.org', { expires: '2026-02-30' });
    await expect(change('allow', { kind: 'add', entry: given })).rejects.toMatchObject({
      details: [
        { path: 'body/change/entry/value', meant: '.x.org' },
        { path: 'body/change/entry/expires', message: expect.stringContaining('must be a date') },
      ],
    });
  });

  it('hash every address of both lists for an effect, and the new one', async () => {
    const { jobs, ...world } = await start({
      'allow.yaml': `${ALLOW}- { value: Ann+1@gmail.com, reason: r, owner: o }\n`,
      'deny.yaml': '- { value: bob@x.org, reason: r, owner: o }\n',
    });
    const listEffect = vi.fn(jobs.listEffect);
    const lists = new OwnLists({ ...world, jobs: { ...jobs, listEffect } });
    const [allow] = await lists.read();
    const asked = { list: 'allow', version: allow?.version ?? '' } as const;
    const change: ListChange = { kind: 'add', entry: entry('cem@x.org') };
    await lists.effectOf({ ...asked, change }, { asker: 'per_1' });
    const [[order] = []] = listEffect.mock.calls;
    expect(order?.addresses).toEqual(
      new Map(['ann@gmail.com', 'bob@x.org', 'cem@x.org'].map((text) => [`hash of ${text}`, text])),
    );
    expect(order?.candidate['allow.yaml']).toContain('cem@x.org');
    expect(order?.base).toBe(world.inForce().files);
  });

  it('refuse a change that was based on another version of the list, but not for the other list', async () => {
    const { lists, of, write, read } = await start();
    const [allow, deny] = [await of('allow'), await of('deny')];
    write('allow.yaml', `${ALLOW}# Somebody was here.\n`);
    const add: ListChange = { kind: 'add', entry: entry('x.org') };
    await expect(lists.change('allow', allow.version, add, 'Ann')).rejects.toMatchObject({
      code: 'list_changed',
    });
    expect(read('allow.yaml')).toContain('Somebody was here');
    expect(await lists.change('deny', deny.version, add, 'Ann')).toMatchObject({ is: 'in_force' });
  });

  it('refuse an entry with which tests of the rules fail', async () => {
    const { change, write } = await start();
    write('tests/a.yaml', '- { name: seen, facts: { x.seen: true }, expect: { score: 1 } }\n');
    await expect(change('deny', { kind: 'add', entry: entry('x.org') })).rejects.toMatchObject({
      code: 'rules_refused',
    });
  });

  it('offer a patch where the service may not write', async () => {
    const { read, ...parts } = await start();
    // Root may always write: the publisher answers in place of the disk.
    const world = await someRuleEditing([], {
      publish: () => Promise.reject(new RulesNotWritten('not writable', true)),
    });
    const lists = new OwnLists({ ...parts, publisher: world.publisher });
    world.write('allow.yaml', ALLOW);
    const [allow] = await lists.read();
    const published = await lists.change(
      'allow',
      allow?.version ?? '',
      { kind: 'remove', value: 'friend.example' },
      'Ann',
    );
    if (published.is !== 'patch') throw new Error(`it is ${published.is}`);
    expect(applyPatch(read('allow.yaml'), published.patch)).toBe('# Whom we know.\n\n[]\n');
    expect(read('allow.yaml')).toBe(ALLOW);
  });
});
