import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { accountOf, checkOf } from '../storage/rows.ts';
import { aWorldWith } from './recorded-world.ts';
import type { World } from './world.ts';

const CHECKS = [
  { id: 'chk_1', canonical: 'janedoe@gmail.com' },
  { id: 'chk_2', canonical: 'janedoe@gmail.com' },
  { id: 'chk_3', canonical: 'x@mailinator.com' },
  { id: 'chk_4' },
];

async function aWorldWithFile(text: string, file = 'a.csv'): Promise<World> {
  const world = await aWorldWith(...CHECKS);
  world.write(file, text);
  return world;
}

const imported = (world: World, ...argv: string[]) => world.postern(['labels', 'import', ...argv]);
const listed = async (world: World, ...argv: string[]) =>
  (await world.postern(['labels', 'list', '--json', ...argv])).json();
/** Each label by check id, or `person`, unordered. */
const labelsOf = async (world: World) => {
  const { labels } = await listed(world);
  return labels.map((label: { check_id: string | null; label: string }) => [
    label.check_id ?? 'person',
    label.label,
  ]);
};

async function addAccount(world: World): Promise<void> {
  const storage = await openSqliteStorage({ file: join(world.cwd, 'data/postern.db'), durability: 'commit' });
  await storage.accounts.create(accountOf('acc_2', { name: 'Shop' }));
  await storage.checks.append(checkOf('chk_of_2', { account_id: 'acc_2' }));
  await storage.close();
}

describe('postern labels import', () => {
  it('imports labels of people, in any form of their address, and of checks', async () => {
    const world = await aWorldWithFile(
      'check_id,email,label\n,Jane.Doe+promo@gmail.com,BAD\nchk_3,,good\n,nobody@x.org,good\n,b@x.org,\n',
    );
    const { code, stdout, stderr } = await imported(world, 'a.csv');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        'a.csv: 4 rows, 1 without a label',
        'stored: 3 new',
        'they are for 3 recorded checks; 1 match none',
        '',
      ].join('\n'),
    );
    expect(await labelsOf(world)).toEqual(
      expect.arrayContaining([
        ['person', 'bad'],
        ['chk_3', 'good'],
        ['person', 'good'],
      ]),
    );
  });

  it('imports labels that a backtest uses', async () => {
    const world = await aWorldWithFile('email,label\njanedoe@gmail.com,bad\n');
    await imported(world, 'a.csv');
    const { json } = await world.postern(['rules', 'backtest', 'rules', '--json']);
    expect(json().cases).toMatchObject({ total: 4, bad: 2, unlabelled: 2 });
  });

  it('changes no label the second time, and counts the labels that changed', async () => {
    const world = await aWorldWithFile('id;verdict;note\nchk_1;fraud;x\nchk_2;kept;y\n');
    const argv = ['a.csv', '--columns', 'id,verdict', '--bad', 'fraud,chargeback', '--good', 'kept'];
    await imported(world, ...argv);
    const before = await labelsOf(world);
    expect((await imported(world, ...argv)).stdout).toContain('stored: 0 new, 2 the same as before\n');
    expect((await labelsOf(world)).toSorted()).toEqual(before.toSorted());
    world.write('a.csv', 'id;verdict\nchk_1;kept\nchk_2;kept\n');
    expect((await imported(world, ...argv)).stdout).toContain(
      'stored: 0 new, 1 changed, 1 the same as before\n',
    );
    expect(await labelsOf(world)).toEqual(
      expect.arrayContaining([
        ['chk_1', 'good'],
        ['chk_2', 'good'],
      ]),
    );
  });

  it('prints JSON with --json', async () => {
    const world = await aWorldWithFile(
      '{"id":"chk_1","label":"bad"}\n{"id":"chk_1","label":"bad"}\n{"id":"chk_9","label":"bad"}\n{"id":"chk_2"}\n',
      'a.jsonl',
    );
    const { code, json } = await imported(world, 'a.jsonl', '--json');
    expect(code).toBe(0);
    expect(json()).toEqual({
      account_id: 'acc_1',
      stored: true,
      rows: { read: 4, unlabelled: 1, repeated: 1, at_fault: 0 },
      labels: { new: 1, changed: 0, same: 0, older: 0, absent: 1 },
      checks: 1,
      unmatched: 1,
      faults: [],
    });
  });

  it('keeps the source of a label, the person who gave it and its time', async () => {
    const world = await aWorldWithFile('check_id,label,labelled_at\nchk_1,bad,2026-01-02\n', 'in/told.csv');
    await imported(world, 'in/told.csv', '--author', 'ann');
    expect((await listed(world)).labels).toEqual([
      {
        account_id: 'acc_1',
        check_id: 'chk_1',
        address_hmac: null,
        label: 'bad',
        source: 'told.csv',
        labelled_at: '2026-01-02T00:00:00.000Z',
        author: 'ann',
        checks: 1,
      },
    ]);
    world.write('b.csv', 'check_id,label,labelled_at\nchk_1,good,2026-01-01T23:00:00+01:00\nchk_2,good,\n');
    const { stdout } = await imported(world, 'b.csv', '--source', 'support desk');
    expect(stdout).toContain('stored: 1 new, 1 left out: what stands was told later\n');
    expect((await listed(world)).labels[0]).toMatchObject({ check_id: 'chk_2', source: 'support desk' });
  });

  it.each(['check_id', 'id'])('labels the check that a later line of JSON names by %s', async (name) => {
    const first = '{"id":7,"email":"new@firm.example","label":"good"}\n';
    const second = `{"${name}":"chk_1","email":"new@firm.example","label":"bad"}\n`;
    const world = await aWorldWithFile(first.replace(name === 'id' ? '"id":7,' : '', '') + second, 'a.jsonl');
    expect((await imported(world, 'a.jsonl')).stderr).toBe('');
    const { labels } = await listed(world);
    expect(labels).toHaveLength(2);
    expect(labels).toContainEqual(expect.objectContaining({ check_id: 'chk_1', label: 'bad' }));
    expect(labels).toContainEqual(expect.objectContaining({ check_id: null, label: 'good' }));
  });

  it('reads standard input', async () => {
    const world = await aWorldWith(...CHECKS);
    async function* stdin() {
      yield Buffer.from('id,label\nchk_1,bad\n');
    }
    const { code } = await world.postern(['labels', 'import', '-', '--format', 'csv'], { stdin: stdin() });
    expect(code).toBe(0);
    expect((await listed(world)).labels[0]).toMatchObject({ source: 'standard input', label: 'bad' });
  });

  it('reports with the dry-run option what it would do, and writes nothing', async () => {
    const world = await aWorldWithFile('id,label\nchk_1,bad\n');
    const { code, stdout } = await imported(world, 'a.csv', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('would be stored: 1 new\nthey are for 1 recorded check\n');
    expect(await labelsOf(world)).toEqual([]);
  });

  describe('where rows have faults', () => {
    const FAULTY =
      'check_id,email,label,labelled_at\nchk_1,,fraud,\nchk_2,,good,\nchk_2,,bad,\n,nobody,bad,\n17,,bad,\n,,bad,\nchk_3,,bad,20/11/2026\nchk_3,,bad,2999-01-01\nchk_3,,good\n';

    it('reports each with its line and a remedy, and stores nothing', async () => {
      const world = await aWorldWithFile(FAULTY);
      const { code, stdout, stderr } = await imported(world, 'a.csv');
      expect(code).toBe(1);
      expect(stderr.split('\n')).toEqual([
        'a.csv:2 "fraud" is neither good nor bad: --good fraud or --bad fraud says which it means',
        'a.csv:4 it is bad, and line 3 says good of the same check',
        'a.csv:5 it is no address: An email address needs an @ sign.',
        'a.csv:6 "17" is no id of a check (chk_…)',
        'a.csv:7 there is neither a check nor an address',
        'a.csv:8 "20/11/2026" is no time: it is 2026-11-20 or 2026-11-20T08:00:00Z',
        'a.csv:9 it was told at 2999-01-01T00:00:00.000Z, which is to come',
        'a.csv:10 3 cells where the first line has 4',
        'nothing is stored while a row is at fault: mend the file, or --skip-bad-rows',
        '',
      ]);
      expect(stdout).toContain('a.csv: 9 rows, 8 at fault\nwould be stored: 1 new\n');
      expect(await labelsOf(world)).toEqual([]);
    });

    it('reports conflicts with a row that a later label replaces, wherever that row is', async () => {
      const rows = [
        'chk_1,good,2026-01-01',
        'chk_1,bad,2026-01-03',
        'chk_1,bad,2026-01-01',
        'chk_1,good,2026-01-02',
        'chk_1,good,2026-01-02',
        'chk_1,bad,2026-01-02',
      ];
      const world = await aWorldWithFile(['check_id,label,labelled_at', ...rows, ''].join('\n'));
      const { json } = await imported(world, 'a.csv', '--skip-bad-rows', '--json');
      expect(json().faults).toEqual([
        { reason: 'it is bad, and line 2 says good of the same check', rows: 1, lines: [4] },
        { reason: 'it is bad, and line 5 says good of the same check', rows: 1, lines: [7] },
      ]);
      expect(json().rows).toMatchObject({ read: 6, repeated: 3, at_fault: 2 });
      expect(await labelsOf(world)).toEqual([['chk_1', 'bad']]);
    });

    it('offers to skip them only where the command does not do so already', async () => {
      const world = await aWorldWithFile(FAULTY);
      const { stdout, stderr } = await imported(world, 'a.csv', '--skip-bad-rows', '--dry-run');
      expect(stdout).toContain('would be stored: 1 new\n');
      expect(stderr).not.toContain('nothing is stored');
    });

    it('imports the other rows with the option, and still exits with 1', async () => {
      const world = await aWorldWithFile(FAULTY);
      const { code, json } = await imported(world, 'a.csv', '--skip-bad-rows', '--json');
      expect(code).toBe(1);
      expect(json()).toMatchObject({ stored: true, rows: { at_fault: 8 }, labels: { new: 1 } });
      expect(json().faults[0]).toEqual({
        reason: '"fraud" is neither good nor bad: --good fraud or --bad fraud says which it means',
        rows: 1,
        lines: [2],
      });
      expect(await labelsOf(world)).toEqual([['chk_2', 'good']]);
    });
  });

  it('uses the latest label of one check', async () => {
    const world = await aWorldWithFile(
      'id,label,labelled_at\nchk_1,good,2026-02-01\nchk_1,bad,2026-03-01\nchk_1,good,2026-01-01\n',
    );
    const { stdout } = await imported(world, 'a.csv');
    expect(stdout).toContain('a.csv: 3 rows, 2 of a check or person that another row has\n');
    expect((await listed(world)).labels).toMatchObject([
      { label: 'bad', labelled_at: '2026-03-01T00:00:00.000Z' },
    ]);
  });

  it('needs no account name where there is one account, and requires it where there are more', async () => {
    const world = await aWorldWithFile('id,label\nchk_of_2,bad\nchk_1,bad\n');
    await addAccount(world);
    const { code, stderr } = await imported(world, 'a.csv');
    expect(code).toBe(2);
    expect(stderr).toBe(
      'postern: labels belong to an account: --account says which of name of acc_1 (acc_1), Shop (acc_2)\n',
    );
    expect((await imported(world, 'a.csv', '--account', 'Shop')).stdout).toContain(
      'stored: 1 new, 1 left out: no such check is on record\n',
    );
    expect(await labelsOf(world)).toEqual([['chk_of_2', 'bad']]);
    const missing = await imported(world, 'a.csv', '--account', 'Shp');
    expect(missing).toMatchObject({ code: 1, stderr: 'there is no account "Shp" (did you mean Shop?)\n' });
  });

  it.each([
    ['a.txt', 'id,label\n', [], 'a.txt: --format csv or --format jsonl says what it is'],
    ['a.csv', 'id,verdict\n', [], 'a.csv: which column holds the label?'],
    ['a.csv', 'x,y,label\n', [], 'a.csv: which column holds the check or the address?'],
    [
      'a.csv',
      'id,label\n',
      ['--columns', 'id,lable'],
      'a.csv: there is no column "lable" (did you mean label?)',
    ],
    [
      'a.csv',
      'id,label\n',
      ['--columns', 'id,label,id,id'],
      'a.csv: --columns names 4 columns, and takes 3 at most',
    ],
    ['a.csv', 'id,label\n', ['--good', 'x', '--bad', 'x'], '"x" cannot mean good and bad'],
    ['b.csv', 'id,label\n', [], 'a.csv cannot be read'],
  ])('cannot run on %s with %j and %j', async (written, text, argv, message) => {
    const world = await aWorldWithFile(text, written);
    const file = written === 'b.csv' ? 'a.csv' : written;
    const { code, stderr } = await imported(world, file, ...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('cannot label people where records contain no hash of them, and can label checks', async () => {
    const world = await aWorldWithFile('id,email,label\n,jane@x.org,bad\n');
    const env = { POSTERN__PRIVACY__STORE_ADDRESSES: 'none' };
    const first = await world.postern(['labels', 'import', 'a.csv'], { env });
    expect(first.code).toBe(2);
    expect(first.stderr).toMatch(/^postern: privacy\.store_addresses is none: .*label checks by their id/);
    world.write('a.csv', 'id,email,label\nchk_1,jane@x.org,bad\n');
    expect((await world.postern(['labels', 'import', 'a.csv'], { env })).code).toBe(0);
  });

  it('cannot run without the key of the hashes, nor where nothing was ever recorded', async () => {
    const world = await aWorldWithFile('email,label\na@x.org,bad\n');
    rmSync(join(world.cwd, 'data/secrets/hmac.key'));
    const keyless = await imported(world, 'a.csv');
    expect(keyless.stderr).toContain('secrets/hmac.key is not there');
    expect(keyless.stderr).toContain('The first start makes it ("postern serve")');
    rmSync(join(world.cwd, 'data'), { recursive: true });
    const { code, stderr } = await imported(world, 'a.csv');
    expect(code).toBe(2);
    expect(stderr).toContain('there is no database at');
    // Stands for a directory of another user, which would not stop a test that runs as root.
    symlinkSync('data', join(world.cwd, 'data'));
    const closed = await imported(world, 'a.csv');
    expect(closed.code).toBe(2);
    expect(closed.stderr).toContain('cannot look for the database: ELOOP');
  });
});

describe('postern labels list', () => {
  it('shows the latest labels, and how many checks are labelled', async () => {
    const world = await aWorldWithFile(
      'check_id,email,label,labelled_at\n,janedoe@gmail.com,bad,2026-01-01\nchk_1,,good,2026-01-02\nchk_3,,bad,2026-01-03\n',
    );
    await imported(world, 'a.csv', '--author', 'ann');
    const { code, stdout } = await world.postern(['labels', 'list', '--limit', '2']);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^subject +label +source +told +author +checks$/),
      expect.stringMatching(/^chk_3 +bad +a\.csv +2026-01-03T00:00:00\.000Z +ann +1$/),
      expect.stringMatching(/^chk_1 +good +a\.csv +2026-01-02T00:00:00\.000Z +ann +1$/),
      '… the last 2 of 3',
      '1 good, 2 bad; recorded checks: 3 labelled, 1 unlabelled',
      '',
    ]);
    expect((await world.postern(['labels', 'list'])).stdout).toMatch(/^\(hashed\) +bad +a\.csv .* ann +2$/m);
  });

  it('shows the labels of all accounts, or of one', async () => {
    const world = await aWorldWithFile('id,label\nchk_of_2,bad\n');
    await addAccount(world);
    await imported(world, 'a.csv', '--account', 'acc_2');
    expect((await world.postern(['labels', 'list'])).stdout).toMatch(/^Shop +chk_of_2 +bad/m);
    expect(await listed(world, '--account', 'acc_1')).toEqual({
      labels: [],
      summary: { good: 0, bad: 0, checks: 4, labelled: 0, unlabelled: 4 },
    });
    expect((await listed(world, '--account', 'Shop')).summary).toMatchObject({
      bad: 1,
      checks: 1,
      labelled: 1,
    });
    expect((await world.postern(['labels', 'list', '--account', 'none'])).code).toBe(1);
  });

  it('refuses a limit that is not a number of labels', async () => {
    const { code, stderr } = await (await aWorldWith()).postern(['labels', 'list', '--limit', '0']);
    expect(code).toBe(2);
    expect(stderr).toContain('It is a number from 1 to 999999.');
  });
});

describe('postern labels remove', () => {
  it('removes the label of a check, or of a person in any form of the address', async () => {
    const world = await aWorldWithFile('check_id,email,label\n,janedoe@gmail.com,bad\nchk_3,,bad\n');
    await imported(world, 'a.csv');
    const byCheck = await world.postern(['labels', 'remove', 'chk_3']);
    expect(byCheck).toMatchObject({ code: 0, stdout: 'label removed\n' });
    const byPerson = await world.postern(['labels', 'remove', 'Jane.Doe@gmail.com', '--json']);
    expect(byPerson.json()).toEqual({ removed: true });
    expect(await labelsOf(world)).toEqual([]);
    const again = await world.postern(['labels', 'remove', 'chk_3']);
    expect(again).toMatchObject({ code: 1, stdout: 'there is no such label\n' });
  });

  it('cannot run on a text that is neither a check nor an address', async () => {
    const { code, stderr } = await (await aWorldWith(...CHECKS)).postern(['labels', 'remove', 'nobody']);
    expect(code).toBe(2);
    expect(stderr).toBe('postern: "nobody": it is no address: An email address needs an @ sign.\n');
  });

  it('requires a check or an address', async () => {
    const world = await aWorldWith(...CHECKS);
    await addAccount(world);
    expect((await world.postern(['labels', 'remove', 'chk_1'])).code).toBe(2);
    expect((await world.postern(['labels', 'remove', 'chk_1', '--account', 'none'])).code).toBe(1);
  });
});

describe('postern checks forget', () => {
  it('erases the labels of a person with the records, and also where no record is left', async () => {
    const world = await aWorldWithFile('email,label\njanedoe@gmail.com,bad\nnobody@x.org,bad\n');
    await imported(world, 'a.csv');
    const first = await world.postern(['checks', 'forget', 'jane.doe@gmail.com']);
    expect(first).toMatchObject({ code: 0, stdout: '2 records and 1 label erased\n' });
    const second = await world.postern(['checks', 'forget', 'nobody@x.org']);
    expect(second).toMatchObject({ code: 0, stdout: '0 records and 1 label erased\n' });
    expect(await labelsOf(world)).toEqual([]);
  });
});
