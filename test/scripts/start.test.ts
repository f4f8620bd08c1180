import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkDependencies, packageCopy, run } from './package-copy.ts';

describe('npm start', () => {
  it('builds, serves with its arguments in the same process, and exits 0 on SIGTERM', async () => {
    const root = packageCopy();
    linkDependencies(root);
    const started = run(process.execPath, ['scripts/start.js', '--port', '0'], root);
    await expect.poll(started.text).toBe(`ready ${started.child.pid} serve --port 0\n`);
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
    expect(started.text()).toMatch(/got SIGTERM\n$/);
  });

  it('receives SIGTERM from npm, and exits with 0 through it', async () => {
    const root = packageCopy();
    linkDependencies(root);
    const started = run('npm', ['start', '--', '--port', '0'], root);
    await expect.poll(started.text).toMatch(/ready \d+ serve --port 0\n$/);
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
    expect(started.text()).toMatch(/got SIGTERM\n$/);
  });

  it('starts with a stale build where there is no compiler, and says so in one line', async () => {
    const root = packageCopy();
    linkDependencies(root);
    expect(await run(process.execPath, ['scripts/build.js'], root).ended).toBe(0);
    rmSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'src/new.ts'), 'export {};\n');
    const started = run(process.execPath, ['scripts/start.js'], root);
    await expect.poll(started.text).toMatch(/^Sources are newer .*\nready \d+ serve\n$/);
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
  });

  it('serves nothing when the build fails', async () => {
    const root = packageCopy({ 'src/wrong.ts': 'export const n: number = "text";\n' });
    linkDependencies(root);
    const started = run(process.execPath, ['scripts/start.js'], root);
    expect(await started.ended).toBe(2);
    expect(started.text()).not.toContain('ready');
  });
});
