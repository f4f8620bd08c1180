import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { aWorld } from '../cli/world.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { startTestService } from '../support/service.ts';
import { fencesOf, readPage } from './markdown.ts';

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const fences = fencesOf(readPage('README.md'));

it.skipIf(!hasCurl)(
  "README's curl line returns the answer that README prints (skipped where there is no curl)",
  async () => {
    const asked = fences.findIndex(({ text }) => text.startsWith('curl '));
    const command = fences[asked]?.text ?? '';
    const printed = JSON.parse(fences[asked + 1]?.text ?? '');
    const service = await startTestService();
    onTestFinished(() => service.stop());

    const line = command
      .replace('data/tls/ca.pem', join(service.dataDir, 'tls/ca.pem'))
      .replace('localhost:8443', `localhost:${service.httpsPort}`);
    expect(line).not.toContain('8443');
    const { stdout } = await run('sh', ['-c', line], { env: { ...process.env, POSTERN_KEY: service.key } });
    expect(JSON.parse(stdout)).toEqual({
      ...printed,
      id: expect.stringMatching(/^chk_/),
      created_at: expect.stringMatching(/Z$/),
    });
  },
);

it("README's sample is the output of the command", async () => {
  const [, command = '', printed] =
    /^\$ npx postern (.+)\n([\s\S]+)$/.exec(fences.find(({ text }) => text.startsWith('$ '))?.text ?? '') ??
    [];
  const dns = await startDnsServer({
    'mailinator.com': { MX: [{ exchange: 'mail.mailinator.com', preference: 1 }] },
    'mail.mailinator.com': { A: ['203.0.113.10'] },
  });
  onTestFinished(() => dns.close());
  const { stdout } = await aWorld().postern(command.split(' '), {
    env: { POSTERN__DNS__SERVERS: JSON.stringify([dns.address]) },
  });
  expect(stdout.trimEnd()).toBe(printed?.trimEnd());
});

it.each(['README.md', 'CONTRIBUTING.md'])('%s names only npm scripts that exist', (page) => {
  const { scripts } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const named = [...readPage(page).matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
    ([, script, short]) => script ?? short,
  );
  expect(named.length).toBeGreaterThan(0);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});

it('README and CONTRIBUTING name only files that exist', () => {
  const named = ['README.md', 'CONTRIBUTING.md'].flatMap((page) =>
    [...readPage(page).matchAll(/`((?:src|\.ci|config|rules)\/[\w./-]+)`/g)].map(([, path = '']) => path),
  );
  expect(named.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
});
