import { type Mock, onTestFinished, vi } from 'vitest';
import { ActivePolicy, rulesInForce } from '../../src/checks/active-policy.ts';
import { InProcessJudge, type RuleJudge } from '../../src/checks/rule-judge.ts';
import { publishedVersions, RulesDatabase } from '../../src/checks/rules-database.ts';
import { RulesReloader } from '../../src/checks/rules-reloader.ts';
import type { createLogger } from '../../src/observability/logger.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { digestOf, type RuleFiles } from '../../src/rules/rule-files.ts';
import type { ChangeFeed, Storage } from '../../src/storage/ports.ts';
import type { RuleVersionStore } from '../../src/storage/rule-ports.ts';
import { DECISION, group, is, points, when } from '../rules/rules-directory.ts';
import { aCollector, aFact, aLocalProvider } from '../support/providers.ts';

export const NOON = Date.parse('2026-11-20T12:00:00Z');

/** Rules in which `x.seen` is worth so many points. */
export const rulesOf = (amount: number, { fact = 'x.seen', expires = '' } = {}): RuleFiles => {
  const rule = `${points(amount)}, ${when(is(fact, true))}${expires && `, expires: ${expires}`}`;
  const tests = expires ? '' : `- { name: seen, facts: { ${fact}: true }, expect: { score: ${amount} } }\n`;
  return { 'decision.yaml': DECISION, 'a.yaml': group('a', { r: rule }), 'tests/a.yaml': tests };
};

interface InstanceParts {
  readonly storage: Pick<Storage, 'ruleVersions'>;
  readonly feed: ChangeFeed;
  readonly clock?: { now(): number };
  /** Each tells `<id>.seen`. */
  readonly providers?: readonly string[];
  readonly versions?: Partial<RuleVersionStore>;
}

/** What an instance that reads its rules from the database has of them; the first publishes `rulesOf(10)`. */
export async function startInstance({ storage, feed, providers = ['x'], ...more }: InstanceParts) {
  const { clock = { now: () => NOON } } = more;
  const { collector } = await aCollector(
    providers.map((id) => aLocalProvider(id, { facts: [aFact(`${id}.seen`, { never_unknown: true })] })),
  );
  const stored: RuleVersionStore = { ...storage.ruleVersions, ...more.versions };
  const files = rulesOf(10);
  const hashOf = (of: RuleFiles) => {
    const { definitions } = lintRules({ dir: '.', files: of }, collector.catalogue, { now: clock.now() });
    return definitions ? compileRuleSet(definitions, clock.now()).hash : null;
  };
  const first = { hash: hashOf(files), digest: digestOf(files), author: null, restores: null };
  const at = '2026-11-20T11:00:00.000Z';
  await storage.ruleVersions.publish({ ...first, reason: 'start', at }, files, null);
  const spies: Readonly<Record<'error' | 'info' | 'warn', Mock>> = {
    error: vi.fn(),
    info: vi.fn(),
    warn: vi.fn(),
  };
  const log = spies as unknown as ReturnType<typeof createLogger>;
  const source = new RulesDatabase({ versions: stored, clock, feed });
  const policies = await ActivePolicy.open({
    ...{ source, challengerSource: null, providerOptions: {}, collector, clock, log, metrics: noMetrics },
    downloads: async () => [],
  });
  const real = new InProcessJudge({ collector, providerOptions: {} });
  const judged: Mock<RuleJudge['judge']> = vi.fn((sources, at) => real.judge(sources, at));
  const judge = { judge: judged, close: () => undefined };
  const versions = publishedVersions(stored);
  const reloader = new RulesReloader({ policies, versions, clock, log, judge });
  await reloader.begin();
  await reloader.watch();
  onTestFinished(async () => {
    await reloader.close();
    policies.close();
  });
  return {
    ...{ source, reloader, policies, versions, log: spies, judged, collector },
    inForce: () => rulesInForce(policies),
    score: () => policies.current.ruleSet.points.map((rule) => rule.points),
    /** As a publisher does that has judged it with this instance's providers. */
    async publish(after: RuleFiles, author = 'jo') {
      const before = await source.read();
      if (!before.files) throw new Error(before.faults.join());
      await source.publish(before.files, after, { author, restores: null, hash: hashOf(after) });
    },
  };
}
