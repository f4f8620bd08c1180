import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { KINDS } from '../../src/cli/providers/new-provider.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { START_PATIENCE_MS } from '../../src/lib/time.ts';
import { eventually } from '../support/eventually.ts';
import { aWorld } from './world.ts';

describe.each(KINDS)('postern providers new --%s', (kind) => {
  it('writes a provider that passes its tests at once, in less than five minutes from the command', async () => {
    const started = performance.now();
    const world = aWorld();
    const made = await world.postern(['providers', 'new', 'my_signal', `--${kind}`, '--dir', 'own']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const tested = await world.postern(['providers', 'test', 'own/my-signal', '--json']);
    expect(tested.json()).toMatchObject({ provider: 'my_signal', failed: 0 });
    expect(tested.code).toBe(0);
    const docs = await world.postern(['providers', 'docs', 'own/my-signal', '--check']);
    expect([docs.code, docs.stdout]).toEqual([0, 'own/my-signal/README.md is up to date\n']);
    expect(performance.now() - started).toBeLessThan(300_000);
  });
});

describe('postern providers new', () => {
  it("writes a package that tsc compiles, Node's own modules included", async () => {
    const world = aWorld();
    await world.postern(['providers', 'new', 'my_signal']);
    const { devDependencies } = JSON.parse(world.read('my-signal/package.json'));
    for (const name of Object.keys(devDependencies)) {
      const link = join(world.cwd, 'my-signal/node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      const isKit = name === '@postern/provider-kit';
      symlinkSync(join(packageRoot, isKit ? 'provider-kit' : `node_modules/${name}`), link);
    }
    const source = world.read('my-signal/index.ts');
    const hashing = "import { hash } from 'node:crypto';\nexport const EMPTY: string = hash('sha256', '');\n";
    world.write('my-signal/index.ts', `${hashing}${source}`);
    const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
    const built = spawnSync(tsc, { cwd: join(world.cwd, 'my-signal'), encoding: 'utf8' });
    expect([built.status, built.stdout]).toEqual([0, '']);
  });

  it.each([
    ['Bad-Id', '"Bad-Id" is no id: snake_case, such as my_signal (did you mean bad_id?)\n'],
    ['my-network', '"my-network" is no id: snake_case, such as my_signal (did you mean my_network?)\n'],
    ['é', '"é" is no id: snake_case, such as my_signal\n'],
    ['mx', '"mx" is a built-in provider: choose another id'],
    ['rollout', 'facts under "rollout." are reserved: choose another id'],
    ['paths', 'providers.paths is a key of the configuration: choose another id'],
    ['my_signal', 'my-signal is not empty'],
  ])('refuses %s', async (id, says) => {
    const { code, stderr } = await aWorld({ 'my-signal/kept.txt': 'x' }).postern(['providers', 'new', id]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  it('reports at once where no folder can be made, also where the system calls that ENOENT', async () => {
    const { code, stderr } = await aWorld().postern(['providers', 'new', 'my_signal', '--dir', '/proc/own']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('/proc/own/my-signal cannot be written: ENOENT: '),
    ]);
  });

  it('makes a folder that providers.paths can name, and whose facts rules can read', async () => {
    const world = aWorld({ 'a.yaml': 'providers: { paths: [my-signal] }\n' });
    await world.postern(['providers', 'new', 'my_signal']);
    const { json } = await world.postern(['providers', 'list', '--json', '--config', 'a.yaml']);
    expect(json().providers).toContainEqual(expect.objectContaining({ id: 'my_signal', enabled: true }));
  });
});

describe('postern providers test', () => {
  it('exits with 1 and reports the failed expectations, with a seed to repeat the run', async () => {
    const world = aWorld();
    await world.postern(['providers', 'new', 'my_signal']);
    const cases = world
      .read('my-signal/cases.ts')
      .replace("'my_signal.share': 0.5", "'my_signal.share': 0.7");
    world.write('my-signal/cases.ts', cases);
    const { code, stdout } = await world.postern(['providers', 'test', 'my-signal', '--seed', '7']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^failed answers as expected: jane1987@example\.com\n +my_signal\.share is 0\.5, not 0\.7$/m,
    );
    expect(stdout).toMatch(/^holds {2}never throws.*\(seed 7\)$/m);
    expect(stdout).toMatch(/\d+ hold, 1 failed\n$/);
  });

  it('reports that there are no cases, and what they are for', async () => {
    const world = aWorld({
      'bare/index.js': `export default { id: 'bare', apiVersion: 1, description: 'Bare.', stage: 'local',
        facts: [{ id: 'bare.seen', type: 'boolean', description: 'Yes.', example: true }],
        check: () => ({ facts: { 'bare.seen': true } }) };`,
      'bare/package.json': '{"type":"module"}',
    });
    const { code, stdout, stderr } = await world.postern(['providers', 'test', 'bare']);
    expect(code).toBe(1);
    expect(stderr).toContain('bare has no cases.ts: nothing is known of what it should answer');
    expect(stdout).toContain('no case has bare.seen: add one whose answer is known');
  });

  it('fails a provider that leaves a rejected promise unhandled, as the tests of the kit do', async () => {
    const world = aWorld({
      'rejects/index.js': `export default { id: 'rejects', apiVersion: 1, description: 'Rejects.', stage: 'local',
        facts: [{ id: 'rejects.seen', type: 'boolean', description: 'Yes.', example: true }],
        check: () => { Promise.reject(new Error('left alone')); return { facts: { 'rejects.seen': true } }; } };`,
      'rejects/package.json': '{"type":"module"}',
      'rejects/cases.js':
        "export default { cases: [{ email: 'jane@example.com', expect: { 'rejects.seen': true } }] };",
    });
    const { code, stdout } = await world.postern(['providers', 'test', 'rejects']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^failed answers as expected: jane@example\.com\n +failed outside of its answer, \d+ times?: threw Error: left alone at \S+rejects\/index\.js:3:39$/m,
    );
    expect(stdout).toMatch(
      /^failed never throws.*\n +failed outside of its answer, [\d,]+ times: threw Error: left alone at \S+rejects\/index\.js:3:39$/m,
    );
  });

  it.each([
    ['export default 1;', 'has no default export { cases: [ … ] }'],
    ['throw new Error("bang");', 'cannot be loaded: bang'],
  ])('cannot use cases such as %s', async (source, says) => {
    const world = aWorld();
    await world.postern(['providers', 'new', 'my_signal']);
    world.write('my-signal/cases.ts', source);
    const { code, stderr } = await world.postern(['providers', 'test', 'my-signal']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  it.each([
    ['loops as it is loaded', 'begun(); for (;;);', '', 'its module has not finished loading'],
    [
      'awaits what never comes as it is loaded',
      'begun(); await new Promise(() => {});',
      '',
      'its module has not finished loading',
    ],
    [
      'loops as it is asked',
      '',
      'check: () => { begun(); for (;;); }',
      '"never throws, .*" has not come to an end',
    ],
    [
      'awaits what never comes as it is prepared',
      '',
      'prepare: () => { begun(); return new Promise(() => {}); }',
      '"never throws, .*" has not come to an end',
    ],
  ])(
    'ends after thirty seconds a provider that %s, once it has told what held',
    async (_what, ahead, asked, says) => {
      const world = aWorld({ 'hangs/package.json': '{"type":"module"}' });
      world.write(
        'hangs/index.js',
        `import { writeFileSync } from 'node:fs';
      const begun = () => writeFileSync(${JSON.stringify(join(world.cwd, 'begun'))}, '');
      ${ahead}
      export default { id: 'hangs', apiVersion: 1, description: 'Hangs.', stage: 'local',
        facts: [{ id: 'hangs.seen', type: 'boolean', description: 'Yes.', example: true }],
        check: () => ({ facts: { 'hangs.seen': true } }), ${asked} };`,
      );
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const ran = world.postern(['providers', 'test', 'hangs']);
        await eventually(() => readFileSync(join(world.cwd, 'begun')));
        await vi.advanceTimersByTimeAsync(START_PATIENCE_MS);
        const { code, stdout, stderr } = await ran;
        expect(code).toBe(2);
        expect(stdout).toMatch(asked === '' ? /^$/ : /^holds {2}the declaration has no fault\n/);
        expect(stdout).not.toContain('never throws');
        expect(stderr).toMatch(new RegExp(`^warning: still waiting for provider hangs: ${says}$`, 'm'));
        expect(stderr).toMatch(
          new RegExp(
            `^postern: provider hangs: ${says} after 30 seconds: it loops, or awaits what never comes$`,
            'm',
          ),
        );
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends a provider that loops forever, at %s',
    async (signal) => {
      const world = aWorld({ 'hangs/package.json': '{"type":"module"}' });
      const begun = join(world.cwd, 'begun');
      world.write(
        'hangs/index.js',
        `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(begun)}, String(process.pid));
      for (;;);`,
      );
      const host = Object.assign(new EventEmitter(), { exit: vi.fn() });
      const ran = world.postern(['providers', 'test', 'hangs'], { process: host });
      const pid = Number(await vi.waitUntil(() => existsSync(begun) && readFileSync(begun, 'utf8'), 60_000));
      host.emit(signal);
      await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
      expect(host.exit).toHaveBeenCalledExactlyOnceWith(128 + constants.signals[signal]);
      await ran;
      expect(host.listenerCount(signal)).toBe(0);
    },
  );

  it('ends a provider that loops forever, where the command is killed', async () => {
    const world = aWorld({ 'hangs/package.json': '{"type":"module"}' });
    const begun = join(world.cwd, 'begun');
    world.write(
      'hangs/index.js',
      `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(begun)}, String(process.pid));
      for (;;);`,
    );
    const command = spawn(
      process.execPath,
      [join(packageRoot, 'bin/postern.js'), 'providers', 'test', 'hangs'],
      { cwd: world.cwd },
    );
    const pid = Number(await vi.waitUntil(() => existsSync(begun) && readFileSync(begun, 'utf8'), 60_000));
    command.kill('SIGKILL');
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
  });

  it.each([
    ['the module itself', 'index.js', { 'index.js': 'export default 1;\nconst two = ;\n' }],
    [
      'a module that it imports',
      'helper.js',
      { 'index.js': "import './helper.js';\n", 'helper.js': '\nconst two = ;\n' },
    ],
  ])('reports file and line of a syntax error in the JavaScript of %s', async (_what, file, files) => {
    const world = aWorld({ 'broken/package.json': '{"type":"module"}' });
    for (const [name, text] of Object.entries(files)) world.write(`broken/${name}`, text);
    const { code, stderr } = await world.postern(['providers', 'test', 'broken']);
    const place = join(world.cwd, 'broken', file);
    // A machine under load adds that it still waits.
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`postern: provider ${place}:2: cannot be loaded: Unexpected token ';'\n`),
    ]);
  });

  it('reports the faults of a declaration as the start does', async () => {
    const world = aWorld({
      'my-signal/index.js': 'export default {};',
      'my-signal/package.json': '{"type":"module"}',
    });
    const { code, stderr } = await world.postern(['providers', 'test', 'my-signal']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/provider .*my-signal\/index\.js: id must be snake_case/);
  });
});

describe('a provider that ends the process', () => {
  it.each([
    ['as it is loaded', 'process.exit(0);', '', ['rules', 'test'], 2],
    ['as it is prepared', '', 'prepare: () => process.exit(0)', ['providers', 'list'], 2],
    ['as it is asked', '', 'check: () => process.exit(0)', ['check', 'a@b.org', '--offline'], 2],
    ['as it is tested', '', 'check: () => process.exit(0)', ['providers', 'test', 'ends'], 2],
    ['later', '', 'prepare: () => { setTimeout(() => process.exit(0), 1); }', ['serve', '--port', '0'], 1],
  ])('is never reported as passing: %s', (_when, ahead, member, command, code) => {
    const world = aWorld({ 'ends/package.json': '{"type":"module"}' });
    world.write(
      'ends/index.js',
      `${ahead} export default { id: 'ends', apiVersion: 1, description: 'Ends.', stage: 'local',
        facts: [{ id: 'ends.seen', type: 'boolean', description: 'Yes.', example: true }],
        check: () => ({ facts: { 'ends.seen': true } }), ${member} };`,
    );
    const env = { ...process.env, POSTERN__PROVIDERS__PATHS: '["ends"]', POSTERN_DATA_DIR: 'data' };
    const ended = spawnSync(process.execPath, [join(packageRoot, 'bin/postern.js'), ...command], {
      ...{ cwd: world.cwd, env, encoding: 'utf8' },
    });
    expect(ended.status).toBe(code);
    expect(ended.stderr).toMatch(/^postern: provider ends has ended the process$/m);
  });
});

describe('postern providers try', () => {
  it('shows facts, evidence and time of this provider alone', async () => {
    const world = aWorld();
    await world.postern(['providers', 'new', 'my_signal', '--counting']);
    const { code, json } = await world.postern([
      'providers',
      'try',
      'my-signal',
      'jane@example.com',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(json()).toEqual({
      provider: 'my_signal',
      email: 'jane@example.com',
      facts: [
        { id: 'my_signal.checks_1h', value: null, unknown: 'not_run' },
        { id: 'my_signal.addresses_24h', value: null, unknown: 'not_run' },
      ],
      evidence: { unknown: 'nothing is counted here' },
      took_ms: expect.any(Number),
      degraded: false,
    });
    const { stdout } = await world.postern(['providers', 'try', 'my-signal', 'jane@example.com']);
    expect(stdout).toMatch(/^my_signal\.checks_1h +unknown: not_run$/m);
    expect(stdout).toMatch(/^my_signal took [\d.]+ ms$/m);
  });

  it('loads no other plugin of the configuration', async () => {
    const world = aWorld();
    await world.postern(['providers', 'new', 'my_signal']);
    // Not created by the command, which loads it: Node loads a module once.
    const source = world.read('my-signal/index.ts').replaceAll('my_signal', 'other');
    const noting = '{ thresholds }) => {\n    Reflect.set(globalThis, "otherWasAsked", true);';
    world.write('other/index.ts', source.replace('{ thresholds }) => {', noting));
    world.write('two.yaml', 'providers: { paths: [other] }');
    const wasAsked = async (name: string) => {
      Reflect.deleteProperty(globalThis, 'otherWasAsked');
      const argv = ['providers', 'try', name, 'jane@example.com', '--config', 'two.yaml'];
      const { code, stderr } = await world.postern(argv);
      expect([code, stderr]).toEqual([0, '']);
      return Reflect.has(globalThis, 'otherWasAsked');
    };
    expect([await wasAsked('my-signal'), await wasAsked('other')]).toEqual([false, true]);
  });

  it('uses the folder in place of the configured provider with the same id', async () => {
    const world = aWorld();
    await world.postern(['providers', 'new', 'my_signal']);
    world.write('copy/my-signal/index.ts', world.read('my-signal/index.ts'));
    world.write('two.yaml', 'providers: { paths: [copy/my-signal] }');
    const argv = ['my-signal', 'jane@example.com', '--config', 'two.yaml'];
    const { code, stderr } = await world.postern(['providers', 'try', ...argv]);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('reports that it uses the default thresholds, where there are none', async () => {
    const world = aWorld();
    await world.postern(['providers', 'new', 'my_signal']);
    const source = world.read('my-signal/index.ts').replaceAll('my_signal', 'strict');
    world.write(
      'strict/index.ts',
      source
        .replace('properties: {\n      high', "required: ['high_from'],\n    properties: {\n      high")
        .replace('default: 0.6,', ''),
    );
    const { code, stderr } = await world.postern(['providers', 'try', 'strict', 'jane@example.com']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("not all have one: must have required property 'high_from'"),
    ]);
  });

  it('gives the provider an address that it cannot change, as the service does', async () => {
    const world = aWorld({
      'changes/index.js': `export default { id: 'changes', apiVersion: 1, description: 'Changes.', stage: 'local',
        facts: [{ id: 'changes.seen', type: 'boolean', description: 'Yes.', example: true }],
        check: (address) => { address.canonical.localPart = 'x'; return { facts: { 'changes.seen': true } }; } };`,
      'changes/package.json': '{"type":"module"}',
    });
    const { json } = await world.postern(['providers', 'try', 'changes', 'jane@example.com', '--json']);
    expect(json()).toMatchObject({
      facts: [{ id: 'changes.seen', value: null, unknown: 'error' }],
      evidence: { unknown: 'TypeError' },
    });
  });

  it('refuses a text that is not an address', async () => {
    const world = aWorld();
    await world.postern(['providers', 'new', 'my_signal']);
    const { code, stderr } = await world.postern(['providers', 'try', 'my-signal', 'nobody']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('"nobody" is no address: An email address needs an @'),
    ]);
  });
});

it('postern providers docs warns of an option without a description, and leaves its cell empty', async () => {
  const world = aWorld();
  await world.postern(['providers', 'new', 'my_signal']);
  const described = "description: 'From which share on it is high.',";
  world.write(
    'bare/index.ts',
    world.read('my-signal/index.ts').replaceAll('my_signal', 'bare').replace(described, ''),
  );
  const { code, stderr } = await world.postern(['providers', 'docs', 'bare']);
  expect([code, stderr]).toEqual([0, 'warning: threshold "high_from" has no description\n']);
  expect(world.read('bare/README.md')).toMatch(/^\| `high_from` \| `0\.6` \| {2}\|$/m);
});

it('postern providers docs writes the tables and keeps the text around them', async () => {
  const world = aWorld();
  await world.postern(['providers', 'new', 'my_signal']);
  const readme = world.read('my-signal/README.md');
  world.write(
    'my-signal/README.md',
    readme.replace('| number |', '| integer |').replace('Say here', 'Said here'),
  );
  const stale = await world.postern(['providers', 'docs', 'my-signal', '--check']);
  expect([stale.code, stale.stdout]).toEqual([
    1,
    'my-signal/README.md is not up to date: run "postern providers docs my-signal"\n',
  ]);
  expect((await world.postern(['providers', 'docs', 'my-signal'])).stdout).toBe(
    'my-signal/README.md written\n',
  );
  expect(world.read('my-signal/README.md')).toBe(readme.replace('Say here', 'Said here'));
});
