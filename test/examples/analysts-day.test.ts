import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { startTestService, type TestService } from '../support/service.ts';

const run = promisify(execFile);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const RECORDED = 100_000;

const mail = { MX: [{ exchange: 'mx.example.com', preference: 10 }] };
/** By the shipped rules: no points, a high risk for its ending, a disposable domain. */
const DOMAINS = ['example.com', 'shop.top', 'mailinator.com'];
/** At shop.top the second gets 65 points: below the threshold in force, and not below the draft's. */
const NAMES = ['anna.meier', 'xqzvkjwp', 'info', 'j.doe'];
const ADDRESSES = DOMAINS.flatMap((domain) => NAMES.map((name) => `${name}@${domain}`));

/** Checks that the service has made, repeated at other times and with other ids. */
function recordMore(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'postern.db'), { timeout: 10_000 });
  const columns = database
    .prepare('SELECT * FROM checks LIMIT 1')
    .columns()
    .map(({ name }) => name);
  const rest = columns.filter((name) => name !== 'id' && name !== 'created_at').join(', ');
  database.exec(`
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECORDED / ADDRESSES.length})
    INSERT INTO checks (id, created_at, ${rest})
    SELECT id || '-' || i, strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-' || (1 + i % 28) || ' days'), ${rest}
    FROM checks, n`);
  database.close();
}

async function aServiceWithRecords(cwd: string): Promise<TestService> {
  for (const name of ['rules', 'challenger']) {
    cpSync(join(packageRoot, 'rules'), join(cwd, name), { recursive: true });
  }
  const service = await startTestService(
    { rules: { dir: join(cwd, 'rules'), challenger_dir: join(cwd, 'challenger') } },
    { zone: { 'shop.top': mail, 'mailinator.com': mail } },
  );
  const answers = await Promise.all(ADDRESSES.map((email) => service.check(email)));
  expect(answers.map(({ status }) => status)).toEqual(ADDRESSES.map(() => 200));
  recordMore(service.dataDir);
  writeFileSync(
    join(cwd, 'known.csv'),
    'email,label\nxqzvkjwp@mailinator.com,bad\nanna.meier@example.com,good\nxqzvkjwp@shop.top,good\n',
  );
  return service;
}

/** The output of the script, step by step, without the headings. */
function stepsOf(stdout: string): readonly string[] {
  return stdout.split(/^## .*\n/m).slice(1);
}

describe.skipIf(!hasCurl)('examples/05-analysts-day.sh', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'postern-day-'));
  afterAll(() => rmSync(cwd, { recursive: true }));
  let steps: readonly string[] = [];
  beforeAll(async () => {
    const service = await aServiceWithRecords(cwd);
    const env = {
      ...process.env,
      no_proxy: '*',
      POSTERN: `${process.execPath} ${join(packageRoot, 'bin/postern.js')}`,
      POSTERN_DATA_DIR: service.dataDir,
      POSTERN__RULES__DIR: join(cwd, 'rules'),
      POSTERN__RULES__CHALLENGER_DIR: join(cwd, 'challenger'),
      POSTERN_URL: `https://localhost:${service.httpsPort}`,
      POSTERN_CA: join(service.dataDir, 'tls/ca.pem'),
      POSTERN_KEY: service.key,
    };
    try {
      const { stdout } = await run('sh', [join(packageRoot, 'examples/05-analysts-day.sh')], { cwd, env });
      steps = stepsOf(stdout);
    } finally {
      await service.stop();
    }
  }, 180_000);

  it('finds a mistake, fixes it, and shows what a threshold that is too low would break', () => {
    const [linted, tested] = steps;
    expect(linted).toMatch(/domain\.yaml:\d+:\d+ error \w+ .*\n.*points: 3O/);
    expect(linted).toMatch(/fixed unknown_value: shadow\n/);
    expect(tested).toMatch(/the look of an address never blocks alone\n.*expected ALLOW, was BLOCK/);
    expect(tested).toMatch(/\d+ passed, 0 failed\s*$/);
  });

  it('explains a signup that was refused', () => {
    expect(steps[2]).toMatch(/^BLOCK +\d+ +high +chk_/);
    expect(steps[2]).toContain('domain.is_known_disposable=false');
  });

  it('computes from 100,000 recorded checks and some labels the effect of a lower threshold', () => {
    const [, , , labelled, tried] = steps;
    expect(labelled).toMatch(/3 labels|3 new|new 3/i);
    expect(tried).toContain('threshold block_score  (block_high_score)\n      value 70 → 65');
    expect(tried).toMatch(/^1\d\d,\d{3} recorded checks, /m);
    expect(tried).toMatch(/^ALLOW → BLOCK: [1-9][\d,]* \([1-9][\d,]* good, 0 bad/m);
    expect(tried).toContain('× BLOCK from 65, not 70');
    expect(tried).toMatch(/--fail-on new_false_positives > 0: breached/);
    expect(readFileSync(join(cwd, 'report.md'), 'utf8')).toMatch(/^\| BLOCK from 65, not 70 \| [1-9]/m);
  });

  it('tries it on live traffic, activates it under load, and rolls it back', () => {
    const [, , , , , watched, inForce, takenBack] = steps;
    expect(watched).toMatch(/challenger/);
    expect(inForce).toMatch(/customers are judged by [0-9a-f]{16}, no longer by [0-9a-f]{16}/);
    expect(takenBack).toMatch(/customers are judged by [0-9a-f]{16} again/);
    expect(takenBack).toMatch(/rollback/);
    expect(steps).toHaveLength(8);
  });
});
