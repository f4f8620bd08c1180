import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openLocalCollector } from '../../src/app/compose/pipeline.ts';
import { loadConfig } from '../../src/app/config/load-config.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { decide } from '../../src/rules/decide.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';
import type { CheckRow } from '../../src/storage/ports.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { aClient, keyOf, spawnPostern } from '../support/postern-process.ts';
import { ZONE } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const SAVES = 60;
const CLIENTS = 8;
const ADDRESSES = [
  'jane@example.com',
  'info@mailinator.com',
  'x@firm.example',
  'qxzvkwpt@gmail.com',
  'root@no-mail.example',
];
const MANY = '1000000000';

it(`answers every check by one set that was in force while ${SAVES} saves, good, bad and half-written, go on`, async () => {
  const directory = temporaryDirectory();
  const [rules, dataDir] = [join(directory, 'rules'), join(directory, 'data')];
  cpSync(join(packageRoot, 'rules'), rules, { recursive: true });
  const dns = await startDnsServer(ZONE);
  onTestFinished(() => dns.close());
  const env = {
    POSTERN__RULES__DIR: rules,
    POSTERN__DNS__SERVERS: JSON.stringify([dns.address]),
    ...{ POSTERN__RATE_LIMIT__REQUESTS: MANY, POSTERN__QUOTA__CHECKS_PER_MONTH: MANY },
  };
  const postern = spawnPostern({ dataDir, env });
  onTestFinished(() => void postern.child.kill('SIGKILL'));
  const { httpsPort } = await postern.ready;

  const failures: unknown[] = [];
  const headers = new Map<string, string>();
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, n) => {
    const client = aClient(dataDir, httpsPort, keyOf(postern));
    for (let turn = n; !isOver; turn++) {
      const answer = await client.check(ADDRESSES[turn % ADDRESSES.length] ?? '').catch((error) => error);
      if (answer.status === 200) headers.set(answer.json.id, String(answer.headers['postern-ruleset']));
      else failures.push(answer.status ?? answer);
      await wait(25);
    }
    client.close();
  });

  const file = join(rules, 'address.yaml');
  const shipped = readFileSync(file, 'utf8');
  /** Each save has a rule of its own, and so a hash of its own. */
  const text = (n: number) =>
    `${shipped}
  - id: saved_${n}
    description: A rule of a test.
    owner: tests
    mode: live
    conditions: { all: [{ fact: local_part.length, operator: equal, value: ${10 + n} }] }
    event: { type: points, params: { points: 1 } }
`;
  const loaded = await loadConfig({ dataDir, files: [], env, cwd: directory });
  const storage = await openSqliteStorage({ file: loaded.config.storage.url, durability: 'commit' });
  onTestFinished(() => storage.close());
  const { ruleVersions } = storage;
  const isInForce = (wanted: string) =>
    expect
      .poll(
        async () => (await ruleVersions.filesOf((await ruleVersions.last())?.version ?? 0))?.['address.yaml'],
      )
      .toBe(wanted);
  const refusals = () => postern.stderr().split('rules not reloaded').length - 1;
  for (let n = 1; n <= SAVES; n++) {
    const whole = text(n);
    if (n % (SAVES / 2) === 0) {
      // The faulty file stays until a reload has refused it.
      const before = refusals();
      writeFileSync(file, n < SAVES ? whole.replace('mode: live', 'mode: lve') : `${whole}    points: 1\n`);
      await expect.poll(refusals).toBeGreaterThan(before);
    } else if (n % 3 === 0) {
      // A file cut off within the last rule: invalid YAML, or an incomplete rule.
      writeFileSync(file, whole.slice(0, -(5 + 3 * (n % 50))));
      await wait(10 * (n % 17));
    }
    writeFileSync(file, whole);
    if (n % 9 === 0) postern.child.kill('SIGHUP');
    // Some saves are replaced before they take effect; others have time to decide checks.
    if (n % 5 === 1) await isInForce(whole);
    else await wait(10 * (n % 14));
  }
  const collector = await openLocalCollector(loaded.config);
  const compile = (files: Readonly<Record<string, string>>): RuleSet => {
    const { definitions } = lintRules({ dir: 'then', files }, collector.catalogue, { now: Date.now() });
    if (!definitions) throw new Error('a set was in force that lint refuses');
    return compileRuleSet(definitions, Date.now());
  };
  await isInForce(text(SAVES));
  isOver = true;
  await Promise.all(clients);
  postern.child.kill('SIGTERM');
  expect(await postern.exited).toEqual({ code: 0, signal: null });

  expect(failures).toEqual([]);
  const sets = new Map<string, RuleSet>();
  for (const { version, hash } of await ruleVersions.list()) {
    const ruleSet = compile((await ruleVersions.filesOf(version)) ?? {});
    expect(ruleSet.hash).toBe(hash);
    sets.set(ruleSet.hash, ruleSet);
  }
  const database = new DatabaseSync(loaded.config.storage.url, { readOnly: true });
  const rows = database.prepare('SELECT * FROM checks').all() as unknown as CheckRow[];
  database.close();
  expect(rows.length).toBe(headers.size);
  for (const row of rows) {
    expect(row.ruleset).toBe(headers.get(row.id));
    const ruleSet = sets.get(row.ruleset);
    if (!ruleSet) throw new Error(`${row.ruleset} decided and was never in force`);
    const { action, score, level, ledger } = await decide(ruleSet, JSON.parse(row.facts));
    expect([action, score, level]).toEqual([row.action, row.risk_score, row.risk_level]);
    expect(ledger).toEqual(JSON.parse(row.ledger));
  }
  // The test proves nothing if all saves were replaced too early, or one set decided all checks.
  expect(sets.size).toBeGreaterThan(10);
  expect(new Set(headers.values()).size).toBeGreaterThan(10);
});
