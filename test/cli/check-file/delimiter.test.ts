import { describe, expect, it } from 'vitest';
import { aWorldWith } from '../recorded-world.ts';
import { aWorld } from '../world.ts';
import { objectsOf, offline } from './offline.ts';

const ROWS = [
  ['Jane', 'jane@gmail.com', 'good'],
  ['Doe, Joe', 'joe@mailinator.com', 'bad'],
];
const written = (delimiter: string, header: readonly string[]) =>
  [header, ...ROWS].map((cells) => cells.join(delimiter)).join('\n');
const HEADER = ['name', 'email', 'label'];

describe('cells between pipe characters', () => {
  it('are read by check --file, which answers with pipe characters too', async () => {
    const { code, stdout } = await offline(aWorld({ 'users.csv': written('|', HEADER) }), 'users.csv');
    expect(code).toBe(1);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'name|email|label|action|risk_score|risk_level|canonical|degraded|fault|position',
      'Jane|jane@gmail.com|good|ALLOW|0|low|jane@gmail.com|||',
      'Doe, Joe|joe@mailinator.com|bad|BLOCK|80|high|joe@mailinator.com|||',
    ]);
  });

  it('are read without a header too, even in a single row', async () => {
    const { stdout } = await offline(aWorld({ 'a.csv': 'Jane|jane@gmail.com\n' }), 'a.csv', '--json');
    expect(objectsOf(stdout)).toMatchObject([{ column_2: 'jane@gmail.com', canonical: 'jane@gmail.com' }]);
  });

  it('are read by labels import', async () => {
    const world = await aWorldWith({ id: 'chk_1', canonical: 'jane@gmail.com' });
    world.write('a.csv', written('|', HEADER));
    const { code, stdout } = await world.postern(['labels', 'import', 'a.csv']);
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'a.csv: 2 rows']);
    expect(stdout).toContain('they are for 1 recorded check; 1 match none');
  });

  it.each(['backtest', 'diff'])('are read by rules %s --file', async (command) => {
    const world = aWorld({ 'a.csv': written('|', HEADER), 'rules/deny.yaml': '' });
    for (const name of ['decision.yaml', 'address.yaml', 'domain.yaml', 'velocity.yaml', 'signals.yaml']) {
      world.write(`draft/${name}`, world.read(`rules/${name}`));
    }
    world.write('draft/deny.yaml', '- { value: jane@gmail.com, reason: r, owner: o }\n');
    const { json } = await world.postern(['rules', command, 'draft', '--file', 'a.csv', '--json']);
    const { cases, caveats } = json().effect ?? json();
    expect(cases).toMatchObject({ total: 2, good: 1, bad: 1 });
    expect(caveats.filter((caveat: string) => caveat.startsWith('left out'))).toEqual([]);
  });
});

describe('--delimiter', () => {
  it.each([':', '^', ' '])(
    'is required where "%s" seems to be the separator, and is used',
    async (delimiter) => {
      const rows = ['Jane', 'Joe'].map((name) => `${name}${delimiter}${name}@gmail.com`);
      const world = aWorld({ 'a.csv': rows.join('\n') });
      const asked = await offline(world, 'a.csv', '--json');
      expect([asked.code, asked.stdout]).toEqual([2, '']);
      expect(asked.stderr).toContain(
        `a.csv: does "${delimiter}" stand between its cells? --delimiter "${delimiter}" says so`,
      );
      const { stdout } = await offline(world, 'a.csv', '--json', '--delimiter', delimiter);
      expect(objectsOf(stdout).map(({ canonical }) => canonical)).toEqual([
        'jane@gmail.com',
        'joe@gmail.com',
      ]);
    },
  );

  it.each(['tab', '\\t', '\t'])('accepts %j', async (word) => {
    const world = aWorld({ 'a.csv': 'a,b\tjane@gmail.com\n' });
    const { stdout } = await offline(world, 'a.csv', '--json', '--delimiter', word);
    expect(objectsOf(stdout)).toMatchObject([{ column_1: 'a,b', canonical: 'jane@gmail.com' }]);
  });

  it.each(['', '||', 'x', '"', '@', '\n'])('is refused where it is %j', async (word) => {
    const { code, stderr } = await offline(aWorld({ 'a.csv': 'a@x.org' }), 'a.csv', '--delimiter', word);
    expect(code).toBe(2);
    expect(stderr).toContain('It is one character such as | or ;, or tab.');
  });

  it('is refused for JSON lines, and without a file', async () => {
    const world = aWorld({ 'a.jsonl': '{"email":"a@x.org"}' });
    expect((await offline(world, 'a.jsonl', '--delimiter', ';')).stderr).toContain(
      'a.jsonl is read as JSON lines',
    );
    const { code, stderr } = await world.postern(['check', 'a@x.org', '--delimiter', ';']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--delimiter goes with --file')]);
  });
});
