import type { Range } from '../../../insights/hours.ts';
import type { Decisions, Overview } from '../../../insights/overview.ts';
import type { Percentiles } from '../../../insights/tally.ts';
import type { Usage } from '../../../insights/usage.ts';
import { ACTIONS, LEVELS } from '../../../rules/decision.ts';

export function presentOverview(overview: Overview) {
  const { since, until, decisions, bucket, buckets, providers, rules, domains, scores } = overview;
  const counts = presentDecisions(decisions);
  return {
    since,
    until,
    checks: sum(counts),
    blocked: sum(counts.filter(({ action }) => action === 'BLOCK')),
    test_checks: overview.testChecks,
    counted_share: overview.countedShare,
    decisions: counts,
    latency: presentPercentiles(overview.latency),
    bucket,
    buckets: buckets.map(({ begins, decisions, ...latency }) => ({
      begins_at: instantOf(begins),
      decisions: presentDecisions(decisions),
      latency: presentPercentiles(latency),
    })),
    providers: providers.map(({ id, anew, unknown, reasons, ...timing }) => ({
      id,
      anew: presentPercentiles(anew),
      timing: presentPercentiles(timing),
      unknown,
      reasons: [...reasons],
    })),
    rules: rules.map(({ id, fires, blocks, points, stoodAside }) => ({
      id,
      fires,
      points,
      blocked: blocks,
      stood_aside: stoodAside,
    })),
    domains: domains.map(({ domain, checks, blocks }) => ({ domain, checks, blocked: blocks })),
    different_domains: overview.differentDomains,
    scores: scores.map(({ score, ALLOW, BLOCK }) => ({ score, allowed: ALLOW, blocked: BLOCK })),
  };
}

export function presentUsage({ since, until }: Range, { days, keys }: Usage) {
  return {
    since,
    until,
    days: days.map(({ day, accountId, live, test, keys }) => ({
      day,
      account_id: accountId,
      live,
      test,
      keys,
    })),
    keys: keys.map(({ accountId, keyId, checks, lastUsedAt }) => ({
      account_id: accountId,
      key_id: keyId,
      checks,
      last_used_at: lastUsedAt,
    })),
  };
}

function presentDecisions(decisions: Decisions) {
  return ACTIONS.flatMap((action) =>
    LEVELS.map((level) => ({ action, level, checks: decisions[action][level] })),
  ).filter(({ checks }) => checks > 0);
}

function presentPercentiles({ measured, p50, p95, p99 }: Percentiles) {
  return { measured, p50_us: p50, p95_us: p95, p99_us: p99 };
}

function instantOf(begins: string): string {
  return new Date(begins.length === 10 ? begins : `${begins}:00Z`).toISOString();
}

function sum(counts: readonly { readonly checks: number }[]): number {
  return counts.reduce((total, { checks }) => total + checks, 0);
}
