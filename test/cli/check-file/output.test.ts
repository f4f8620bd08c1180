import { EventEmitter } from 'node:events';
import { chmodSync, existsSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { chunksOf } from '../../support/chunks.ts';
import { eventually } from '../../support/eventually.ts';
import { aWorld } from '../world.ts';
import { objectsOf, offline } from './offline.ts';

const partsIn = (dir: string) => readdirSync(dir).filter((file) => file.endsWith('.part'));

describe('the answer of postern check --file', () => {
  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['-9007199254740993', "'-9007199254740993"],
    ['0.12345678901234567891', '0.12345678901234567891'],
    ['1e400', '1e400'],
    ['1.0', '1.0'],
    ['0.0000001', '0.0000001'],
    ['-0', "'-0"],
    ['[{"a":9007199254740993,"b":7}]', '"[{""a"":9007199254740993,""b"":7}]"'],
  ])('keeps %s of JSON lines as it is written; %s in CSV', async (value, cell) => {
    const world = aWorld({ 'a.jsonl': `{"email":"jane@example.com","id":${value}}\n` });
    const { stdout } = await offline(world, 'a.jsonl');
    expect(stdout).toMatch(/^\{"email":"jane@example\.com","id":/);
    expect(stdout).toContain(`"id":${value},"action":"ALLOW"`);
    const csv = await offline(world, 'a.jsonl', '--output-format', 'csv', '--columns', 'email,id');
    expect(csv.stdout).toContain(`\njane@example.com,${cell},ALLOW`);
  });

  it('converts between the formats by --output-format, by --json and by the name of --out', async () => {
    const world = aWorld({ 'a.csv': 'id,email\n1,jane@example.com\n' });
    const expected = expect.objectContaining({ id: '1', email: 'jane@example.com', action: 'ALLOW' });
    for (const option of [['--output-format', 'jsonl'], ['--json']]) {
      expect(objectsOf((await offline(world, 'a.csv', ...option)).stdout)).toEqual([expected]);
    }
    const { stdout } = await offline(world, 'a.csv', '--out', 'b.jsonl');
    expect(stdout).toBe('');
    expect(objectsOf(world.read('b.jsonl'))).toEqual([expected]);
    await offline(world, 'b.jsonl', '--out', 'c.csv', '--columns', 'email,id');
    expect(world.read('c.csv')).toMatch(/^email,id,action,.*\njane@example\.com,1,ALLOW,0,low,/);
  });

  it('goes to standard output by --out -, as the file comes from standard input by --file -', async () => {
    const world = aWorld({ 'a.csv': 'email\njane@example.com\n' });
    const { stdout } = await offline(world, 'a.csv', '--out', '-');
    expect(stdout).toMatch(/^email,action,.*\njane@example\.com,ALLOW/);
    expect(existsSync(join(world.cwd, '-'))).toBe(false);
  });

  it('uses tabs where the name of --out ends with .tsv, else the separator of the file', async () => {
    const world = aWorld({
      'a.jsonl': '{"id":"1,2","email":"jane@example.com"}\n',
      'a.csv': 'id;email\n1;jane@example.com\n',
    });
    await offline(world, 'a.jsonl', '--out', 'b.tsv');
    expect(world.read('b.tsv')).toMatch(/^id\temail\taction\t.*\n1,2\tjane@example\.com\tALLOW\t0\tlow\t/);
    await offline(world, 'a.csv', '--out', 'c.TSV', '--output-format', 'csv');
    expect(world.read('c.TSV')).toMatch(/^id\temail\taction\t.*\n1\tjane@example\.com\tALLOW\t/);
    await offline(world, 'b.tsv', '--out', 'd.csv');
    expect(world.read('d.csv')).toMatch(/^id\temail\tinput_action\t/);
    await offline(world, 'a.csv', '--out', 'e.csv');
    expect(world.read('e.csv')).toMatch(/^id;email;action;/);
  });

  it('warns of rows with more members than there are columns', async () => {
    const world = aWorld({ 'a.jsonl': '{"email":"a@example.com"}\n{"email":"b@example.com","id":2}\n' });
    const { stderr } = await offline(world, 'a.jsonl', '--output-format', 'csv');
    expect(stderr).toContain('a.jsonl: 1 row with members that the first has not: they have no column\n');
  });

  it('writes --out readable only by its owner, also when it replaces a file that all could read', async () => {
    const world = aWorld({ 'a.csv': 'email\njane@example.com\n', 'old.csv': 'old' });
    chmodSync(join(world.cwd, 'old.csv'), 0o644);
    symlinkSync('old.csv', join(world.cwd, 'b.csv'));
    for (const out of ['b.csv', 'c.csv']) await offline(world, 'a.csv', '--out', out);
    for (const file of ['old.csv', 'c.csv']) {
      expect(statSync(join(world.cwd, file)).mode & 0o777, file).toBe(0o600);
      expect(world.read(file)).toMatch(/^email,action,.*\njane@example\.com,ALLOW/);
    }
    expect(partsIn(world.cwd)).toEqual([]);
  });

  it('keeps the previous file when it breaks off, and leaves the rows so far as FILE.part', async () => {
    const world = aWorld({ 'b.csv': 'older' });
    async function* stdin() {
      yield* chunksOf(`email\n${'jane@example.com\n'.repeat(1_000)}`);
      await eventually(() => expect(world.read('b.csv.part')).not.toBe(''));
      throw new Error('unplugged');
    }
    const { code, stderr } = await world.postern(
      ['check', '--offline', '--file', '-', '--format', 'csv', '--out', 'b.csv'],
      { stdin: stdin() },
    );
    expect(code).toBe(2);
    expect(world.read('b.csv')).toBe('older');
    expect(world.read('b.csv.part')).toMatch(/^email,action,.*\njane@example\.com,ALLOW/);
    expect(stderr).toMatch(/^b\.csv is left as it was: the rows so far are in b\.csv\.part\n/);
  });

  it.each([
    [1_000, 'b.csv is left as it was: the rows so far are in b.csv.part\n', ['b.csv.part']],
    [1, '', []],
  ])(
    'leaves FILE.part after Ctrl-C only where rows are in it, and says so (%i)',
    async (rows, said, parts) => {
      const world = aWorld();
      const host = Object.assign(new EventEmitter(), { exit: vi.fn() });
      async function* stdin() {
        yield* chunksOf(`email\n${'jane@example.com\n'.repeat(rows)}`);
        await eventually(() => expect(host.listenerCount('SIGINT')).toBe(1));
        if (parts.length > 0) await eventually(() => expect(world.read('b.csv.part')).not.toBe(''));
        host.emit('SIGINT');
        throw new Error('unplugged');
      }
      const argv = ['check', '--offline', '--file', '-', '--format', 'csv', '--out', 'b.csv'];
      const { stderr } = await world.postern(argv, { stdin: stdin(), process: host });
      expect(host.exit).toHaveBeenCalledExactlyOnceWith(130);
      expect(stderr).toBe(`${said}postern: standard input cannot be read: unplugged\n`);
      expect(partsIn(world.cwd)).toEqual(parts);
      expect(host.listenerCount('SIGINT')).toBe(0);
    },
  );

  it('does not overwrite an existing FILE.part, also where that is the input, and names the file with the rows', async () => {
    const people = 'email\njane@example.com\n';
    const world = aWorld({ 'b.csv.part': people });
    const { code, stderr } = await offline(world, 'b.csv.part', '--format', 'csv', '--out', 'b.csv');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^b\.csv\.part is there already: the rows are in b\.csv\.[0-9a-f]{8}\.part until all are written\n/,
    );
    expect(world.read('b.csv')).toMatch(/^email,action,.*\njane@example\.com,ALLOW/);
    expect(world.read('b.csv.part')).toBe(people);
    expect(partsIn(world.cwd)).toEqual(['b.csv.part']);
  });

  it('is complete and from one run when two write the same file, and each replaces it when it is done', async () => {
    const world = aWorld({});
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    async function* slow() {
      yield* chunksOf('email\nslow@example.com\n');
      begun.resolve();
      await goOn.promise;
      yield* chunksOf(`${'slow@example.com\n'.repeat(1_000)}`);
    }
    const argv = ['check', '--offline', '--file', '-', '--format', 'csv', '--out', 'b.csv'];
    const first = world.postern(argv, { stdin: slow() });
    await begun.promise;
    await eventually(() => expect(partsIn(world.cwd)).toEqual(['b.csv.part']));
    const second = await world.postern(argv, { stdin: chunksOf('email\nfast@example.com\n') });
    expect(second.code).toBe(0);
    expect(world.read('b.csv')).toMatch(/^email,action,.*\nfast@example\.com,ALLOW.*\n$/);
    goOn.resolve();
    expect((await first).code).toBe(0);
    expect(world.read('b.csv').match(/^slow@/gm)).toHaveLength(1_001);
    expect(world.read('b.csv')).not.toContain('fast@');
    expect(partsIn(world.cwd)).toEqual([]);
  });

  it.skipIf(!existsSync('/dev/full'))('stops with an error when the disk is full', async () => {
    const world = aWorld({ 'a.csv': 'email\njane@example.com\n' });
    const { code, stderr } = await offline(world, 'a.csv', '--out', '/dev/full');
    expect(code).toBe(2);
    expect(stderr).toBe('postern: /dev/full cannot be written: ENOSPC: no space left on device, write\n');
  });
});
