import { describe, expect, it } from 'vitest';
import { aWorld } from './world.ts';

describe('the command line', () => {
  it('prints its help and exits with 0 when asked', async () => {
    const { code, stdout, stderr } = await aWorld().postern(['--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: postern/);
    expect(stderr).toBe('');
  });

  it('prints its help on standard error and exits with 2 when no command is named', async () => {
    const { code, stdout, stderr } = await aWorld().postern([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: postern/);
  });

  it('prints what a command, a group or the program takes after "help", and exits with 0', async () => {
    for (const words of [[], ['keys'], ['rules', 'lint']]) {
      const [asked, same] = [
        ['help', ...words],
        [...words, '--help'],
      ];
      const { code, stdout } = await aWorld().postern(asked);
      expect({ code, stdout }).toEqual({ code: 0, stdout: (await aWorld().postern(same)).stdout });
      expect(stdout).toMatch(new RegExp(`^Usage: ${['postern', ...words].join(' ')} `));
    }
  });

  it('prints the help of a group without a command, and exits with 2', async () => {
    const { code, stderr } = await aWorld().postern(['keys']);
    expect(code).toBe(2);
    expect(stderr).toContain('revoke [options] <key-id>');
  });

  it('prints the version of the package', async () => {
    const { code, stdout } = await aWorld().postern(['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [['kyes', 'list'], 'Did you mean keys?'],
    [['keys', 'lst'], 'Did you mean list?'],
    [['check', '--explian', 'a@b.org'], 'Did you mean --explain?'],
    [['check'], "missing required argument 'email'"],
    [['checks', 'show', 'one', 'two'], 'too many arguments'],
    [['keys', 'create', '--account', 'a', '--env', 'prod'], 'Allowed choices are live, test'],
    [['keys', 'create', '--env', 'live'], "required option '--account"],
    [['lists', 'deny', 'add', 'x.org', '--owner', 'o'], "required option '--reason"],
    [['serve', '--port', '65536'], 'a number from 0 to 65535'],
    [['serve', '--port', '-1'], 'a number from 0 to 65535'],
    [['config', 'show', '--data-dir', ''], 'It is empty.'],
    [['rules', 'lint', '--dir', ''], 'It is empty.'],
    [['rules', 'test', '--dir', ''], 'It is empty.'],
    [['rules', 'publish', ''], 'It is empty.'],
    [['rules', 'export', ''], 'It is empty.'],
    [['rules', 'diff', ''], 'It is empty.'],
    [['providers', 'new', 'my_signal', '--dir', ''], 'It is empty.'],
    [['providers', 'docs', ''], 'It is empty.'],
    [['check', '--file', ''], 'It is empty.'],
    [['check', '--file', 'a.csv', '--out', ''], 'It is empty.'],
    [['check', 'a@b.org', '--config', ''], 'It is empty.'],
    [['rules', 'explain', '--facts', ''], 'It is empty.'],
    [['rules', 'backtest', 'draft', '--file', ''], 'It is empty.'],
    [['rules', 'rollback', '1', '--author', ''], 'It is empty.'],
    [['rules', 'shadow', '--days', '7', '--since', '2026-11-01'], "cannot be used with option '--since"],
    [['labels', 'import', ''], 'It is empty.'],
    [['labels', 'import', 'a.csv', '--source', ''], 'It is empty.'],
    [['backup', ''], 'It is empty.'],
    [['restore', ''], 'It is empty.'],
    [['check', '--file', 'a.csv', '--file', 'b.csv'], 'One file at a time.'],
  ])('exits %j with 2 and reports what is wrong', async (argv, complaint) => {
    const { code, stdout, stderr } = await aWorld().postern(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(complaint);
    expect(stderr).toContain('--help');
  });

  it('lists every fault of the configuration on standard error and exits with 2', async () => {
    const world = aWorld({ 'bad.yaml': 'http: { prot: 1 }\ncheck: { deadline_ms: soon }\n' });
    const { code, stdout, stderr } = await world.postern(['check', 'a@b.org', '--config', 'bad.yaml']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^bad\.yaml:1:9 http\.prot .*did you mean port/m);
    expect(stderr).toMatch(/^bad\.yaml:2:10 check\.deadline_ms /m);
  });

  it('uses the last of several --config files', async () => {
    const world = aWorld({ 'a.yaml': 'log: { level: warn }\n', 'b.yaml': 'log: { level: error }\n' });
    const { json } = await world.postern([
      ...['config', 'show', '--json'],
      ...['--config', 'a.yaml', '--config', 'b.yaml'],
    ]);
    expect(json().settings).toContainEqual({ key: 'log.level', value: 'error', origin: 'b.yaml:1' });
  });

  it('shows warnings of the configuration only on standard error', async () => {
    const env = { POSTERN_HTTP_PORT: '1' };
    const { code, stdout, stderr } = await aWorld().postern(['config', 'check'], { env });
    expect(code).toBe(0);
    expect(stdout).not.toContain('POSTERN_HTTP_PORT');
    expect(stderr).toContain('warning: POSTERN_HTTP_PORT: is not read');
  });

  describe('after a bug', () => {
    // A shipped file without a required key is not a user's fault: the loader throws a plain error.
    const brokenWorld = () => aWorld({ 'config/default.yaml': 'http: {}\n' });

    it('prints one line and exits with 2', async () => {
      const { code, stderr } = await brokenWorld().postern(['config', 'show']);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^postern: internal error: [^\n]+ \(POSTERN_DEBUG=1 shows where\)\n$/);
    });

    it('also prints the stack with POSTERN_DEBUG=1', async () => {
      const { code, stderr } = await brokenWorld().postern(['config', 'show'], {
        env: { POSTERN_DEBUG: '1' },
      });
      expect(code).toBe(2);
      expect(stderr).toMatch(/^postern: internal error: .*\n\s+at .*load-config/);
    });
  });

  describe('colours', () => {
    const hasColours = async (isTTY: boolean, env: Record<string, string>) =>
      /\u001b\[/.test((await aWorld().postern(['providers', 'list'], { isTTY, env })).stdout);

    it('are used only on a terminal', async () => {
      expect(await hasColours(true, {})).toBe(true);
      expect(await hasColours(false, {})).toBe(false);
    });

    it('are off when NO_COLOR is set, unless it is empty', async () => {
      expect(await hasColours(true, { NO_COLOR: '1' })).toBe(false);
      expect(await hasColours(true, { NO_COLOR: '' })).toBe(true);
    });
  });
});
