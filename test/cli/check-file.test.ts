import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { chunksOf } from '../support/chunks.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { objectsOf, offline } from './check-file/offline.ts';
import { aWorld, sinkOf } from './world.ts';

const USERS = [
  'id;E-Mail;note',
  '1;Jane.Doe+x@gmail.com;=cmd()',
  '2;x@mailinator.com;"a; b"',
  '3;nobody;',
  '4;short',
  '5;"jane"@example.com;fine',
].join('\n');

describe('postern check --file', () => {
  it('answers each row, in order, with the columns of the file and the columns of the answer', async () => {
    const { code, stdout, stderr } = await offline(aWorld({ 'users.csv': USERS }), 'users.csv');
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        'id;E-Mail;note;action;risk_score;risk_level;canonical;degraded;fault;position',
        "1;Jane.Doe+x@gmail.com;'=cmd();ALLOW;0;low;janedoe@gmail.com;;;",
        '2;x@mailinator.com;"a; b";BLOCK;80;high;x@mailinator.com;;;',
        '3;nobody;;;;;;;no_at;6',
        '4;short;;;;;;;broken_line;',
        '5;"""jane""@example.com";fine;ALLOW;25;low;jane@example.com;;;',
        '',
      ].join('\n'),
    );
    expect(stderr).toMatch(
      /^users\.csv:5 2 cells where the first line has 3\n5 rows: 1 BLOCK, 2 unparseable \(1 broken line\), \d+\.\d s\n$/,
    );
  });

  it('decides nothing about an address in another encoding, and names the lines', async () => {
    const world = aWorld({});
    const file = join(world.cwd, 'latin1.csv');
    writeFileSync(file, Buffer.from('email,name\nren\xe9@gmail.com,Andr\xe9\njane@gmail.com,J\n', 'latin1'));
    const { code, stdout, stderr } = await offline(world, 'latin1.csv');
    expect(code).toBe(1);
    expect(stdout.split('\n')[1]).toMatch(/^ren\ufffd@gmail\.com,Andr\ufffd,,,,,,broken_line,$/);
    expect(stdout.split('\n')[2]).toBe('jane@gmail.com,J,ALLOW,0,low,jane@gmail.com,,,');
    expect(stderr).toContain('latin1.csv:2 the line is not UTF-8');
  });

  it('exits with 0 when every row is allowed, and when there are no rows', async () => {
    const world = aWorld({
      'a.csv': 'email\njane@example.com\n',
      'b.csv': '',
      'c.csv': 'email\n',
      'd.jsonl': '',
    });
    expect((await offline(world, 'a.csv')).code).toBe(0);
    for (const [file, head] of [
      ['b.csv', ''],
      ['c.csv', 'email,action,risk_score,risk_level,canonical,degraded,fault,position\n'],
      ['d.jsonl', ''],
    ]) {
      const { code, stdout, stderr } = await offline(world, file ?? '');
      expect({ code, stdout }).toEqual({ code: 0, stdout: head });
      expect(stderr).toMatch(/^0 rows: 0 BLOCK/);
    }
  });

  it('reads JSON lines and keeps all their members; a broken line or one without an address is a row too', async () => {
    const lines = [
      '{"id":1,"email":"jane@example.com","tags":["a"]}',
      '{"id":2,',
      '',
      '{"id":3}',
      '[]',
      '{"id":4,"email":7}',
      '{"id":5,"email":"a@b","more":true}',
    ];
    const { code, stdout, stderr } = await offline(aWorld({ 'u.ndjson': lines.join('\n') }), 'u.ndjson');
    expect(code).toBe(1);
    const refused = { action: null, risk_score: null, risk_level: null, canonical: null, degraded: [] };
    expect(objectsOf(stdout)).toEqual([
      expect.objectContaining({
        id: 1,
        tags: ['a'],
        action: 'ALLOW',
        risk_score: 0,
        fault: null,
        position: null,
      }),
      { ...refused, fault: 'broken_line', position: null },
      { id: 3, ...refused, fault: 'missing_email', position: null },
      { ...refused, fault: 'broken_line', position: null },
      { id: 4, email: 7, ...refused, fault: 'missing_email', position: null },
      expect.objectContaining({ id: 5, more: true, canonical: 'a@b' }),
    ]);
    expect(stderr).toContain('u.ndjson:2 the line is no JSON object (so is line 5)\n');
  });

  it('keeps only the wanted columns, in the given order', async () => {
    const world = aWorld({ 'users.csv': 'id,contact,note\n1,jane@example.com,x\n' });
    const { stdout } = await offline(world, 'users.csv', '--columns', 'contact,id');
    expect(stdout).toMatch(/^contact,id,action,.*\njane@example\.com,1,ALLOW,/);
    const asked = await offline(world, 'users.csv');
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain('users.csv: which column holds the address? --columns names it');
  });

  it('reads an address column of JSON lines that the first line does not have', async () => {
    const world = aWorld({ 'a.jsonl': '{"id":1}\n{"email":"x@mailinator.com"}\n' });
    const { stdout } = await offline(world, 'a.jsonl');
    expect(objectsOf(stdout)).toMatchObject([{ fault: 'missing_email' }, { action: 'BLOCK' }]);
  });

  it('reads a file without a header', async () => {
    const { stdout } = await offline(
      aWorld({ 'a.csv': '1,jane@example.com\n2,x@mailinator.com\n' }),
      'a.csv',
    );
    expect(stdout).toMatch(
      /^column_1,column_2,action,.*\n1,jane@example\.com,ALLOW,.*\n2,x@mailinator\.com,BLOCK,/,
    );
  });

  it('reads standard input when the file is -', async () => {
    const argv = ['check', '--offline', '--file', '-'];
    const stdin = () => chunksOf('email\njane@example.com\n');
    const { code, stdout } = await aWorld().postern([...argv, '--format', 'csv'], { stdin: stdin() });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\njane@example\.com,ALLOW/),
    });
    const unnamed = await aWorld().postern(argv, { stdin: stdin() });
    expect(unnamed).toMatchObject({ code: 2, stdout: '' });
    expect(unnamed.stderr).toContain('--format csv or --format jsonl says what it is');
  });

  it('counts broken lines by reason', async () => {
    const { stderr } = await offline(aWorld({ 'a.csv': `id,email\n${'x\n'.repeat(13)}` }), 'a.csv');
    expect(stderr).toContain(
      'a.csv:2 1 cells where the first line has 2 (so are lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more)\n' +
        '13 rows: 0 BLOCK, 13 unparseable (13 broken lines)',
    );
  });

  it('writes nothing to the disk: no data directory, no record', async () => {
    const world = aWorld({ 'a.csv': 'email\njane@example.com\n' });
    await offline(world, 'a.csv');
    expect(readdirSync(world.cwd).sort()).toEqual(['a.csv', 'config', 'rules', 'src']);
  });

  it.each([
    [['none.csv'], 'none.csv cannot be read: ENOENT'],
    [['rules', '--format', 'csv'], 'rules is a directory'],
    [['a.csv', '--columns', 'emial'], 'a.csv: there is no column "emial" (did you mean email?)'],
    [['a.csv', '--out', 'none/b.csv'], 'none/b.csv cannot be written: ENOENT'],
    [['a.csv', '--out', 'rules'], 'rules cannot be written: it is a directory'],
    [['a.csv', '--out', 'link.csv'], 'link.csv is being read: --out must be another file'],
    [['a.csv', 'jane@example.com'], 'addresses and --file do not go together'],
    [['a.csv', '--explain'], "option '--file <file>' cannot be used with option '--explain'"],
    [['a.csv', '--json', '--output-format', 'csv'], '--json and --output-format csv do not go together'],
    [['a.csv', '--format', 'xlsx'], 'Allowed choices are csv, jsonl'],
    [['latin.csv'], 'latin.csv:2 the line is not UTF-8, and names the columns'],
    [['quote.csv'], 'quote.csv:1 a quote is not closed, and names the columns'],
    [['long.csv'], 'long.csv:1 the line is too long, and names the columns'],
    [['a.csv', '--columns', 'email,EMAIL'], 'a.csv: --columns names "email" twice'],
    [['a.csv', '--columns', '7'], 'a.csv: there is no column "column_7"; there are column_1'],
    [['prose.jsonl'], 'prose.jsonl: the first 1000 lines are no JSON objects'],
  ])('cannot run with %j and says why', async (argv, complaint) => {
    const address = 'email\njane@example.com\n';
    const world = aWorld({
      ...{ 'a.csv': address, 'prose.jsonl': 'prose\n'.repeat(1_000) },
      'quote.csv': 'email,"note\na@gmail.com,1\n',
      'long.csv': `email,${'x'.repeat(2 ** 21)}\na@gmail.com,1\n`,
    });
    writeFileSync(join(world.cwd, 'latin.csv'), '\nemail,stra\xdfe\na@gmail.com,1\n', 'latin1');
    symlinkSync('a.csv', join(world.cwd, 'link.csv'));
    const { code, stdout, stderr } = await offline(world, ...argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(complaint);
    expect(world.read('a.csv')).toBe(address);
  });

  it.each(['--columns=x', '--format=csv', '--out=b.csv', '--output-format=csv'])(
    'refuses %s without --file',
    async (option) => {
      const { code, stderr } = await aWorld().postern(['check', 'jane@example.com', option]);
      expect(code).toBe(2);
      expect(stderr).toContain(`${option.split('=')[0]} goes with --file`);
    },
  );

  it('exits with 2 when the input breaks off', async () => {
    async function* stdin() {
      yield* chunksOf('email\njane@example.com\n');
      throw new Error('unplugged');
    }
    const { code, stderr } = await aWorld().postern(
      ['check', '--offline', '--file', '-', '--format', 'csv'],
      { stdin: stdin() },
    );
    expect(code).toBe(2);
    expect(stderr).toBe('postern: standard input cannot be read: unplugged\n');
  });

  describe('of many rows', () => {
    const ROWS = 20_000;
    const PER_CHUNK = 500;
    const rowOf = (index: number) =>
      `${index},jane${index}@${index % 10 === 0 ? 'mailinator.com' : 'example.com'}\n`;

    async function* manyRows(onChunk: () => void) {
      for (let from = 0; from < ROWS; from += PER_CHUNK) {
        onChunk();
        const rows = Array.from({ length: PER_CHUNK }, (_, index) => rowOf(from + index)).join('');
        yield Buffer.from(from === 0 ? `id,email\n${rows}` : rows);
      }
    }

    it('reads no faster than it can write, and loses no row', async () => {
      const { cwd } = aWorld();
      let chunks = 0;
      let stdout = '';
      let stderr = '';
      let resume: (() => void) | undefined;
      const code = run(['check', '--offline', '--file', '-', '--format', 'csv'], {
        // Never ready for more until it has written.
        stdout: new Writable({
          highWaterMark: 1,
          decodeStrings: false,
          write(text, _encoding, done) {
            stdout += text;
            resume = done;
          },
        }),
        stderr: sinkOf((text) => {
          stderr += text;
        }),
        stdin: () => manyRows(() => chunks++),
        env: {},
        cwd,
        configDir: join(cwd, 'config'),
      });
      const isDone = code.then(() => true);
      let furthest = 0;
      let rowsRead = 0;
      for (;;) {
        const next = await Promise.race([isDone, turn(false)]);
        if (next) break;
        if (!resume) continue;
        // Long enough for an implementation that reads on without being asked.
        for (let wait = 0; wait < 20; wait++) await turn();
        rowsRead = chunks * PER_CHUNK;
        furthest = Math.max(furthest, rowsRead - stdout.split('\n').length);
        const drain = resume;
        resume = undefined;
        drain();
      }
      expect(await code).toBe(1);
      // What the buffers hold: two chunks of input and some pieces of output, whatever the file's size.
      expect(furthest).toBeLessThan(5 * PER_CHUNK);
      expect(rowsRead).toBe(ROWS);
      const [, ...rows] = stdout.trimEnd().split('\n');
      expect(rows.map((row) => row.split(',', 1)[0])).toEqual(
        Array.from({ length: ROWS }, (_, index) => `${index}`),
      );
      expect(stderr).toMatch(/^20,000 rows: 2,000 BLOCK, 0 unparseable/);
    });
  });

  describe('that asks DNS', () => {
    let dns: DnsServer;
    beforeAll(async () => {
      dns = await startDnsServer({
        'example.com': { MX: [{ exchange: 'mx.example.com', preference: 10 }] },
        'mx.example.com': { A: ['203.0.113.10'] },
        'silent.example': {},
      });
      dns.setBehaviour('silent', 'silent.example');
    });
    afterAll(() => dns.close());

    it('names the failed providers, in the row and in the summary', async () => {
      const file = 'email\njane@silent.example\njane@example.com\njoe@example.com\n';
      const { code, stdout, stderr } = await aWorld({ 'a.csv': file }).postern(
        ['check', '--file', 'a.csv', '--json'],
        {
          env: {
            POSTERN__DNS__SERVERS: JSON.stringify([dns.address]),
            POSTERN__CHECK__DEADLINE_MS: '2000',
            POSTERN__DNS__TIMEOUT_MS: '500',
          },
        },
      );
      expect(code).toBe(0);
      expect(objectsOf(stdout).map(({ email, degraded }) => [email, degraded])).toEqual([
        ['jane@silent.example', ['mx']],
        ['jane@example.com', []],
        ['joe@example.com', []],
      ]);
      expect(stderr).toMatch(/^3 rows: 0 BLOCK, 0 unparseable \(0 broken lines\), 1 degraded, /);
    });
  });
});
