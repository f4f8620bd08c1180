import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { transmit } from '../support/transmit.ts';

interface Demo {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly port: Promise<number>;
  readonly ended: Promise<number | null>;
}

/** The built demo, small, with its temporary directories under `home`. */
function startDemo(home: string, args: readonly string[] = []): Demo {
  const preload = join(packageRoot, 'test/demo/keep-in.js');
  const env = {
    ...process.env,
    TMPDIR: join(home, 'tmp'),
    KEPT_IN_REPORT: join(home, 'left-the-machine'),
    NODE_OPTIONS: `--import ${preload}`,
  };
  mkdirSync(env.TMPDIR);
  const child = spawn(
    process.execPath,
    [join(packageRoot, 'dist/demo/main.js'), '--port', '0', '--checks', '300', ...args],
    { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const port = new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const line = /^ready https:\/\/localhost:(\d+)$/m.exec(out);
      if (line) resolve(Number(line[1]));
    });
    void ended.then((code) => reject(new Error(`the demo ended with ${code}:\n${err}`)));
  });
  port.catch(() => undefined);
  return { child, stdout: () => out, stderr: () => err, port, ended };
}

describe('npm run demo', () => {
  it('serves, says that it is a demo, sends nothing to other machines, and leaves no files', async () => {
    const home = temporaryDirectory();
    const demo = startDemo(home);
    const port = await demo.port;
    expect(demo.stdout()).toContain('This is a demo.');
    const [dataDir] = readdirSync(join(home, 'tmp'));
    const agent = new Agent({ ca: readFileSync(join(home, 'tmp', dataDir ?? '', 'tls/ca.pem')) });
    const key = /pst_live_[0-9a-z]+/.exec(demo.stdout())?.[0];
    const answer = await transmit({
      agent,
      port,
      method: 'POST',
      path: '/v1/',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'jane.doe@some-firm.example' }),
    });
    agent.destroy();
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text).signals.domain.has_mx).toBe(true);
    expect(answer.headers['postern-degraded']).toBeUndefined();

    demo.child.kill('SIGTERM');
    expect(await demo.ended).toBe(0);
    expect(readdirSync(join(home, 'tmp'))).toEqual([]);
    expect(existsSync(join(home, 'left-the-machine'))).toBe(false);
  }, 90_000);

  it('leaves no files either when it is stopped while it makes its data', async () => {
    const home = temporaryDirectory();
    const demo = startDemo(home, ['--checks', '50000']);
    await new Promise<void>((resolve) => demo.child.stderr?.once('data', () => resolve()));
    demo.child.kill('SIGTERM');
    expect(await demo.ended).toBe(130);
    expect(readdirSync(join(home, 'tmp'))).toEqual([]);
  }, 90_000);

  it('reports a port that is taken before it makes anything', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const home = temporaryDirectory();
    const demo = startDemo(home, ['--port', String((taken.address() as AddressInfo).port)]);
    expect(await demo.ended).toBe(2);
    expect(demo.stderr()).toContain('another process listens on port');
    expect(readdirSync(join(home, 'tmp'))).toEqual([]);
  });

  it('keeps a directory that was given, and does not start in one that is not empty', async () => {
    const home = temporaryDirectory();
    const dataDir = join(home, 'kept');
    const demo = startDemo(home, ['--data-dir', 'kept']);
    await demo.port;
    demo.child.kill('SIGTERM');
    expect(await demo.ended).toBe(0);
    expect(readdirSync(dataDir)).toContain('postern.db');

    const again = startDemo(temporaryDirectory(), ['--data-dir', dataDir]);
    expect(await again.ended).toBe(2);
    expect(again.stderr()).toContain('the demo begins with an empty directory');
  }, 90_000);
});
