import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { verifyPassword } from 'better-auth/crypto';
import { decodeTime } from 'ulid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemoConfig } from '../../demo/demo-config.ts';
import { outageOf } from '../../demo/seed/moments.ts';
import { type Seeded, seedDemo } from '../../demo/seed/seed.ts';
import { openLocalCollector } from '../../src/app/compose/pipeline.ts';
import type { LoadedConfig } from '../../src/app/config/load-config.ts';
import { InProcessJudge } from '../../src/checks/rule-judge.ts';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { MemoizedDecider } from '../../src/rules/memoized-decider.ts';
import type { CheckRow } from '../../src/storage/ports.ts';
import type { RuleVersion } from '../../src/storage/rule-ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const UNTIL = Date.parse('2026-11-20T17:25:00Z');
const DAY_MS = 86_400_000;

/** A small demo, with a hash key that is the same in every run. */
async function seedSmall(dataDir: string, seed = 'test'): Promise<{ loaded: LoadedConfig; seeded: Seeded }> {
  mkdirSync(join(dataDir, 'secrets'), { mode: 0o700 });
  writeFileSync(join(dataDir, 'secrets/hmac.key'), Buffer.alloc(32, 7), { mode: 0o600 });
  const loaded = await loadDemoConfig({ dataDir, dns: '127.0.0.1:9', port: 0, checks: 900 });
  return { loaded, seeded: await seedDemo({ loaded, until: UNTIL, checks: 900, seed }) };
}

function rowsOf(dataDir: string, sql: string): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(join(dataDir, 'postern.db'), { readOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}

describe('the demo', () => {
  let dataDir: string;
  let loaded: LoadedConfig;
  let seeded: Seeded;
  let checks: readonly CheckRow[];

  beforeAll(async () => {
    // For all tests of this group.
    dataDir = mkdtempSync(join(tmpdir(), 'postern-test-'));
    ({ loaded, seeded } = await seedSmall(dataDir));
    checks = rowsOf(dataDir, 'SELECT * FROM checks ORDER BY id') as unknown as readonly CheckRow[];
  }, 60_000);
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('ends its thirty days now, with ids in the order of the checks', () => {
    expect(checks).toHaveLength(seeded.checks);
    const instants = checks.map(({ created_at }) => created_at);
    expect(instants).toEqual(instants.toSorted());
    for (const { id, created_at } of checks) {
      expect(decodeTime(id.slice('chk_'.length))).toBe(Date.parse(created_at));
    }
    const [first, last] = [Date.parse(instants[0] ?? ''), Date.parse(instants.at(-1) ?? '')];
    expect(last).toBeLessThan(UNTIL);
    expect(UNTIL - last).toBeLessThan(DAY_MS / 6);
    expect(UNTIL - first).toBeGreaterThan(29 * DAY_MS);
  });

  it('makes records that replay exactly, each by the rules that were in force then', async () => {
    const storage = await openSqliteStorage({ file: loaded.config.storage.url, durability: 'commit' });
    const { catalogue } = await openLocalCollector(loaded.config);
    const deciders = new Map<string, MemoizedDecider>();
    for (const { version, at } of await storage.ruleVersions.list()) {
      const files = await storage.ruleVersions.filesOf(version);
      const { definitions } = lintRules({ dir: 'rules', files: files ?? {} }, catalogue, {
        now: Date.parse(at),
        onlyErrors: true,
      });
      if (!definitions) throw new Error(`version ${version} is at fault`);
      const ruleSet = compileRuleSet(definitions, Date.parse(at));
      deciders.set(ruleSet.hash, new MemoizedDecider(ruleSet));
    }
    await storage.close();
    expect(new Set(checks.map(({ ruleset }) => ruleset)).size).toBe(3);
    for (const row of checks) {
      const decision = await deciders.get(row.ruleset)?.decide(JSON.parse(row.facts));
      expect(decision).toMatchObject({ action: row.action, score: row.risk_score, level: row.risk_level });
      expect(JSON.stringify(decision?.ledger)).toBe(row.ledger);
    }
  });

  it('activates nothing that lint or a test would refuse, in the end without a warning, and leaves the last edition in the directory', async () => {
    const storage = await openSqliteStorage({ file: loaded.config.storage.url, durability: 'commit' });
    const collector = await openLocalCollector(loaded.config);
    const judge = new InProcessJudge({ collector, providerOptions: {} });
    const versions: readonly RuleVersion[] = await storage.ruleVersions.list();
    expect(versions.map(({ reason }) => reason)).toEqual([
      'change',
      'rollback',
      'change',
      'change',
      'change',
      'start',
    ]);
    for (const { version, at } of versions) {
      const files = (await storage.ruleVersions.filesOf(version)) ?? {};
      const judgement = await judge.judge({ dir: 'rules', files }, Date.parse(at));
      expect([judgement.problems, judgement.failing]).toEqual([[], []]);
      expect(judgement.definitions?.tests.length).toBeGreaterThan(30);
    }
    const files = (await storage.ruleVersions.filesOf(versions.length)) ?? {};
    const { problems } = lintRules({ dir: 'rules', files }, collector.catalogue, { now: UNTIL });
    expect(problems).toEqual([]);
    await storage.close();
  });

  it('contains an outage, bad weeks, and shadow rules with a challenger', () => {
    const { from, until } = outageOf(UNTIL);
    const during = checks.filter(({ created_at }) => {
      const at = Date.parse(created_at);
      return at >= from && at < until;
    });
    expect(during.some(({ unknown }) => unknown.includes('"timeout"'))).toBe(true);
    expect(checks.some(({ challenger }) => challenger !== null)).toBe(true);
    expect(checks.some(({ ledger }) => ledger.includes('"shadow"'))).toBe(true);
    expect(checks.some(({ environment }) => environment === 'test')).toBe(true);
    const blocked = checks.filter(({ action }) => action === 'BLOCK').length;
    expect(blocked / checks.length).toBeGreaterThan(0.05);
    expect(blocked / checks.length).toBeLessThan(0.3);
  });

  it('labels a part of the checks, some of them wrongly, and never before the check or after the end', () => {
    const labels = rowsOf(
      dataDir,
      `SELECT label, labelled_at, created_at, action FROM labels JOIN checks ON checks.id = check_id`,
    );
    expect(labels).toHaveLength(seeded.labels);
    const counts = (label: string, action: string) =>
      labels.filter((row) => row.label === label && row.action === action).length;
    expect(counts('bad', 'BLOCK')).toBeGreaterThan(counts('good', 'BLOCK'));
    expect(counts('good', 'ALLOW')).toBeGreaterThan(counts('bad', 'ALLOW'));
    for (const { labelled_at, created_at } of labels) {
      expect(String(labelled_at) > String(created_at)).toBe(true);
      expect(Date.parse(String(labelled_at))).toBeLessThanOrEqual(UNTIL);
    }
  });

  it('has a person for every role, who can sign in with the printed password, and an audit trail', async () => {
    const people = rowsOf(dataDir, 'SELECT email, operator_role FROM people ORDER BY created_at');
    expect(people.map(({ email }) => email).sort()).toEqual(seeded.people.emails.toSorted());
    expect(people[0]).toEqual({ email: seeded.people.emails[0], operator_role: 'owner' });
    const hashes = rowsOf(dataDir, 'SELECT password FROM credentials');
    const { password } = seeded.people;
    expect(await verifyPassword({ hash: String(hashes[0]?.password), password })).toBe(true);
    const acts = rowsOf(dataDir, 'SELECT action, at FROM audit_trail ORDER BY id');
    expect(acts.map(({ at }) => at)).toEqual(acts.map(({ at }) => at).toSorted());
    const actions = new Set(acts.map(({ action }) => action));
    for (const action of ['person.joined', 'key.rotated', 'rules.published', 'rules.rolled_back']) {
      expect(actions).toContain(action);
    }
  });

  it('is the same again for the same seed and end, and different for another seed', async () => {
    const [again, other] = [temporaryDirectory(), temporaryDirectory()];
    await seedSmall(again);
    await seedSmall(other, 'another');
    const questions = [
      'SELECT * FROM checks ORDER BY id',
      'SELECT * FROM labels ORDER BY check_id',
      'SELECT * FROM rule_versions ORDER BY version',
      'SELECT * FROM accounts ORDER BY id',
      'SELECT * FROM audit_trail ORDER BY id',
    ];
    for (const sql of questions) expect(rowsOf(again, sql)).toEqual(rowsOf(dataDir, sql));
    expect(rowsOf(other, 'SELECT * FROM checks ORDER BY id')).not.toEqual(checks);
  }, 60_000);
});
