import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ActivePolicy } from '../../src/checks/active-policy.ts';
import { Assessor, RolloutBuckets } from '../../src/checks/assessor.ts';
import { InProcessJudge } from '../../src/checks/rule-judge.ts';
import { RulesDirectory } from '../../src/checks/rules-directory.ts';
import { RulesReloader } from '../../src/checks/rules-reloader.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { decide } from '../../src/rules/decide.ts';
import type { Decision, Facts } from '../../src/rules/decision.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { DECISION, group, is, points, when } from '../rules/rules-directory.ts';
import { aCollector, aFact, aLocalProvider, aNetworkProvider } from '../support/providers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { times } from '../support/times.ts';

/** Every kind of change occurs within twenty reloads, both with bad files that stay and with bad files that are repaired. */
const RELOADS = 20 * times(15);
/** Concurrent checks at any time. */
const LOAD = 8;

/** The rules with this number: a rule that fires only on the fact that thresholds of the same files set. */
const filesOf = (n: number) => ({
  'signals.yaml': `dial: { position: ${n} }\n`,
  'a.yaml': group('a', { r: `${points((n % 90) + 1)}, ${when(is('dial.position', n))}` }),
  'tests/a.yaml': `- { name: t, facts: { dial.position: ${n} }, expect: { score: ${(n % 90) + 1} } }\n`,
});

/** Answers from its thresholds, after some iterations of the event loop, so that sets are swapped during a check. */
const dial = aLocalProvider('dial', {
  facts: [aFact('dial.position', { type: 'integer', example: 1, never_unknown: true })],
  thresholds: {
    type: 'object',
    additionalProperties: false,
    properties: { position: { type: 'integer', default: 0 } },
  },
  check: (_, { thresholds }) => ({ facts: { 'dial.position': Number(thresholds.position) } }),
});
const slow = aNetworkProvider('slow', {
  check: async () => {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    return { facts: { 'slow.seen': true } };
  },
});

it(`${RELOADS} good, bad and half-written reloads under load: every decision is made by one set that was in force`, async () => {
  const dir = temporaryDirectory();
  mkdirSync(join(dir, 'tests'));
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  };
  write({ 'decision.yaml': DECISION, ...filesOf(0) });
  const { collector } = await aCollector([dial, slow]);
  const clock = { now: () => Date.now() };
  const log = createLogger('silent');
  const policies = await ActivePolicy.open({
    ...{
      source: new RulesDirectory(dir),
      challengerSource: null,
      providerOptions: {},
      collector,
      clock,
      log,
    },
    ...{ downloads: async () => [], metrics: noMetrics },
  });
  const storage = await openSqliteStorage({ file: join(dir, 'data', 'postern.db'), durability: 'commit' });
  onTestFinished(() => storage.close());
  // Files that are first read half written are complete some reads later.
  let heal: { after: number; files: Readonly<Record<string, string>> } | undefined;
  const versions = storage.ruleVersions;
  const reloader = new RulesReloader({
    ...{ policies, clock, log, versions },
    judge: new InProcessJudge({ collector, providerOptions: {} }),
    pause: async () => {
      if (heal && --heal.after === 0) write(heal.files);
      await setImmediate();
    },
  });
  await reloader.begin();

  const seen = new Map<string, { facts: Facts; decision: Decision; count: number }>();
  const assessor = new Assessor(collector, policies, noMetrics, new RolloutBuckets());
  let isOver = false;
  const load = Array.from({ length: LOAD }, async (_, client) => {
    for (let n = 0; !isOver; n++) {
      const { signals, decision } = await assessor.assess(`user${client}.${n}@host${n % 7}.example`);
      const key = JSON.stringify([decision.ruleset, decision.score, decision.ledger]);
      const known = seen.get(key);
      if (known) known.count++;
      else seen.set(key, { facts: signals.facts, decision, count: 1 });
      // Not faster than requests arrive: the event loop has other work too.
      await setTimeout(1);
    }
  });

  const outcomes = { good: 0, refused: 0, healed: 0 };
  for (let n = 1; n <= RELOADS; n++) {
    const files = filesOf(n);
    const before = policies.current.ruleSet.hash;
    heal = undefined;
    const kind = n % 10;
    // A bad set that stays is read most often.
    const isBad = (kind === 3 || kind === 6) && n % 20 < 10;
    const isHalf = kind === 2 || kind === 5 || kind === 8;
    if (isBad && kind === 3)
      write({ ...files, 'a.yaml': files['a.yaml'].replace('mode: live', 'mode: lve') });
    else if (isBad) write({ ...files, 'tests/a.yaml': filesOf(n + 1)['tests/a.yaml'] });
    else if (isHalf) {
      // Truncated, empty, or one file new and the others old: the last is valid except for its tests.
      const half = files['a.yaml'].slice(0, kind === 2 ? files['a.yaml'].length / 2 : 0);
      write(kind === 8 ? { 'tests/a.yaml': files['tests/a.yaml'] } : { 'a.yaml': half });
      heal = { after: 1 + (n % 7), files };
    } else write(files);
    if (n % 4 === 0) await reloader.reload();
    else reloader.changed();
    await reloader.idle();
    expect(policies.current.ruleSet.hash !== before, `reload ${n}`).toBe(!isBad);
    expect(reloader.complaint?.kind).toBe(isBad ? 'refused' : undefined);
    outcomes[isBad ? 'refused' : isHalf ? 'healed' : 'good']++;
  }
  isOver = true;
  await Promise.all(load);
  await reloader.close();
  policies.close();

  expect(outcomes).toEqual({ good: RELOADS * 0.6, refused: RELOADS * 0.1, healed: RELOADS * 0.3 });
  // Every set that was in force is recorded, in order, and can be rebuilt from its files.
  const sets = new Map<string, RuleSet>();
  for (const { version, hash } of await versions.list()) {
    const sources = { dir: 'then', files: (await versions.filesOf(version)) ?? {} };
    const { definitions } = lintRules(sources, collector.catalogue, { now: clock.now() });
    if (!definitions || hash === null) throw new Error(`version ${version} is not sound`);
    const ruleSet = compileRuleSet(definitions, clock.now());
    expect(ruleSet.hash).toBe(hash);
    sets.set(hash, ruleSet);
  }
  expect(sets.size).toBe(outcomes.good + outcomes.healed + 1);

  let decisions = 0;
  for (const { facts, decision, count } of seen.values()) {
    decisions += count;
    const ruleSet = sets.get(decision.ruleset);
    if (!ruleSet) throw new Error(`${decision.ruleset} decided and was never in force`);
    // The facts come from this set's thresholds, so its rule has fired.
    expect(decision.score).toBe(ruleSet.points[0]?.points);
    expect(await decide(ruleSet, facts)).toEqual(decision);
  }
  // A run that saw few sets would prove little.
  expect(new Set([...seen.values()].map(({ decision }) => decision.ruleset)).size).toBeGreaterThan(
    RELOADS * 0.4,
  );
  expect(decisions).toBeGreaterThan(RELOADS);
});
