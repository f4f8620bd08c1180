import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const PROGRAM = join(packageRoot, 'bin/postern.js');

it('postern providers dev serves what is saved, on the same port, and goes on where code is broken or its folder is away', async () => {
  const cwd = temporaryDirectory();
  expect(spawnSync(process.execPath, [PROGRAM, 'providers', 'new', 'my_signal'], { cwd }).status).toBe(0);
  const code = join(cwd, 'my-signal/index.ts');
  const whole = readFileSync(code, 'utf8');
  const argv = ['providers', 'dev', 'my-signal', '--port', '0', '--data-dir', join(cwd, 'data')];
  const child = spawn(process.execPath, [PROGRAM, ...argv], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGTERM'));
  let [out, remarks] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    remarks += text;
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const ports = () => [...out.matchAll(/^ready https:\/\/127\.0\.0\.1:(\d+)$/gm)].map(([, port]) => port);

  await expect.poll(ports).toHaveLength(1);
  appendFileSync(code, 'this is no code\n');
  await expect.poll(() => remarks).toContain('the service goes on with the code of before');
  expect(remarks).toMatch(/my-signal\/index\.ts:\d+: cannot be loaded/);
  expect(ports()).toHaveLength(1);

  const folder = join(cwd, 'my-signal');
  renameSync(folder, join(cwd, 'away'));
  await expect.poll(() => remarks).toContain('my-signal: is not there');
  renameSync(join(cwd, 'away'), folder);
  writeFileSync(code, whole.replace('How much of the local part is digits.', 'Saved anew.'));
  await expect.poll(ports).toHaveLength(2);
  expect(ports()[1]).toBe(ports()[0]);

  child.kill('SIGTERM');
  expect(await exited).toBe(0);
}, 180_000);

it('postern providers dev leaves no service behind where its output is closed', async () => {
  const cwd = temporaryDirectory();
  expect(spawnSync(process.execPath, [PROGRAM, 'providers', 'new', 'my_signal'], { cwd }).status).toBe(0);
  const argv = ['providers', 'dev', 'my-signal', '--port', '0', '--data-dir', join(cwd, 'data')];
  const child = spawn(process.execPath, [PROGRAM, ...argv], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGTERM'));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  let remarks = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    remarks += text;
  });
  const stopped = () => remarks.split('"service stopped"').length - 1;
  await expect.poll(() => out).toMatch(/^ready /m);
  child.stdout.destroy();
  appendFileSync(join(cwd, 'my-signal/index.ts'), '// Saved anew.\n');
  expect(await exited).toBe(141);
  // The service of before, which the save has ended, and the new one, whose first line could not be written.
  await expect.poll(stopped).toBe(2);
}, 180_000);

it('postern providers dev serves the next save after code that loops forever, as it is loaded or as it serves', async () => {
  const cwd = temporaryDirectory();
  expect(spawnSync(process.execPath, [PROGRAM, 'providers', 'new', 'my_signal'], { cwd }).status).toBe(0);
  const code = join(cwd, 'my-signal/index.ts');
  const whole = readFileSync(code, 'utf8');
  const [begun, wanted] = [join(cwd, 'begun'), join(cwd, 'wanted')];
  const looping = `writeFileSync(${JSON.stringify(begun)}, ''); for (;;);`;
  const withCode = (added: string) =>
    `import { existsSync, writeFileSync } from 'node:fs';\n${whole}\n${added}\n`;
  const argv = ['providers', 'dev', 'my-signal', '--port', '0', '--data-dir', join(cwd, 'data')];
  const child = spawn(process.execPath, [PROGRAM, ...argv], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGTERM'));
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const starts = () => [...out.matchAll(/^ready https:/gm)].length;

  await expect.poll(starts).toBe(1);
  writeFileSync(code, withCode(looping));
  await expect.poll(() => existsSync(begun)).toBe(true);
  rmSync(begun);
  const later = `setInterval(() => { if (existsSync(${JSON.stringify(wanted)})) { ${looping} } }, 10).unref();`;
  writeFileSync(code, withCode(later));
  await expect.poll(starts).toBe(2);
  writeFileSync(wanted, '');
  await expect.poll(() => existsSync(begun)).toBe(true);
  writeFileSync(code, whole);
  await expect.poll(starts).toBe(3);

  child.kill('SIGTERM');
  expect(await exited).toBe(0);
}, 180_000);

it('postern providers dev takes the folder in place of what the configuration names of its id, and the other packages from where they lie', async () => {
  const cwd = temporaryDirectory();
  const modules = join(cwd, 'etc/node_modules');
  for (const id of ['my_signal', 'other']) {
    const name = `postern-provider-${id.replace('_', '-')}`;
    mkdirSync(join(modules, name), { recursive: true });
    writeFileSync(join(modules, name, 'package.json'), '{"type":"module","exports":"./main.js"}');
    writeFileSync(
      join(modules, name, 'main.js'),
      `export default { id: '${id}', apiVersion: 1, description: 'Of a package.', stage: 'local',
        facts: [{ id: '${id}.seen', type: 'boolean', description: 'Yes.', example: true }],
        check: () => ({ facts: { '${id}.seen': true } }) };`,
    );
  }
  writeFileSync(
    join(cwd, 'etc/postern.yaml'),
    'providers: { paths: [copy/my-signal], packages: [postern-provider-my-signal, postern-provider-other] }\n',
  );
  const common = ['--config', 'etc/postern.yaml', '--data-dir', join(cwd, 'data')];
  for (const dir of ['.', 'etc/copy'])
    expect(
      spawnSync(process.execPath, [PROGRAM, 'providers', 'new', 'my_signal', '--dir', dir], { cwd }).status,
    ).toBe(0);
  const argv = ['providers', 'dev', 'my-signal', '--port', '0', ...common];
  const child = spawn(process.execPath, [PROGRAM, ...argv], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGTERM'));
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
  await expect.poll(() => told).toMatch(/^ready https:|the service has ended/m);
  expect(told).toMatch(/^ready https:/m);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
}, 180_000);
