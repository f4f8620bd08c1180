import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUTHORITY_FILE, codeSamples } from '../../../dashboard/src/format/code-samples.ts';
import { startDashboard, type TestDashboard } from '../../support/dashboard.ts';

const run = promisify(execFile);
let dashboard: TestDashboard;
const directory = mkdtempSync(join(tmpdir(), 'postern-samples-'));
beforeAll(async () => {
  dashboard = await startDashboard();
  const viewer = await dashboard.signIn({ [dashboard.accountId]: 'viewer' });
  writeFileSync(join(directory, AUTHORITY_FILE), (await viewer.get('/certificate-authority')).text);
});
afterAll(async () => {
  await dashboard.stop();
  rmSync(directory, { recursive: true });
});

/** Characters that the shells and languages would each interpret. */
const EMAIL = String.raw`"o'hara\"$x \\n"@example.com`;
const TOOLS = { curl: 'curl', Node: 'node', Python: 'python3', PHP: 'php', Go: 'go' } as const;
const isThere = (tool: string) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;
const sampleIn = (language: string, hasOwnAuthority: boolean) => {
  const origin = `https://localhost:${dashboard.service.httpsPort}`;
  const samples = codeSamples({ origin, email: EMAIL, hasOwnAuthority });
  const sample = samples.find((one) => one.language === language);
  if (sample === undefined) throw new Error(`there is no sample in ${language}`);
  return sample;
};

/** In a directory that contains only the authority, as for a user. */
async function runIn(language: string, hasOwnAuthority = true): Promise<string> {
  const { file, text, run: command } = sampleIn(language, hasOwnAuthority);
  if (file !== null) writeFileSync(join(directory, file), text);
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: directory,
    POSTERN_KEY: dashboard.service.key,
  };
  const { stdout } = await run('sh', ['-c', command ?? text], { cwd: directory, env });
  return stdout;
}

describe('a sample', () => {
  for (const [language, tool] of Object.entries(TOOLS)) {
    it.skipIf(!isThere(tool))(
      `in ${language} runs as it is and sends the address as it was typed`,
      async () => {
        expect(JSON.parse(await runIn(language)).normalized.raw).toBe(EMAIL);
      },
    );
  }

  it.skipIf(!isThere('curl'))('without the authority is not trusted by curl', async () => {
    await expect(runIn('curl', false)).rejects.toThrow('SSL certificate problem');
  });

  it('names the authority only where it can be downloaded', () => {
    for (const { language, text, run: command } of codeSamples({
      origin: 'https://postern.example',
      email: 'jane@example.org',
      hasOwnAuthority: false,
    })) {
      expect(text + command, language).not.toContain(AUTHORITY_FILE);
    }
  });

  it('for a key that was just made contains the key', () => {
    const samples = codeSamples({
      ...{ origin: 'https://postern.example', email: 'jane@example.org', hasOwnAuthority: false },
      secret: 'pst_live_abc',
    });
    for (const { text, run: command } of samples) {
      expect(command ?? text).toMatch(/^export POSTERN_KEY=pst_live_abc\n/);
    }
  });
});
