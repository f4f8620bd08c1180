import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/lib/paths.ts';
import { anchorsOf, codeIn, readPage, tableOf } from '../docs/markdown.ts';
import { findPrograms } from '../support/programs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { faultsOf, queriedSeries } from './promql.ts';

const run = promisify(execFile);
const { promtool } = findPrograms('promtool');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const FILE = 'deploy/prometheus/postern.rules.yml';
const { groups } = parse(readPage(FILE)) as { groups: { rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);

/** Series over two hours, in promtool's notation: `0+1x120` grows by one a minute. */
type Series = Readonly<Record<string, string>>;

const QUIET: Series = {
  'up{job="postern"}': '1x120',
  'process_start_time_seconds{job="postern"}': '0x120',
  'process_open_fds{job="postern"}': '60x120',
  'process_max_fds{job="postern"}': '65536x120',
  'postern_refusals_total{code="unavailable",environment="live"}': '0x120',
  'postern_refusals_total{code="internal_error",environment="test"}': '0+60x120',
  'postern_refusals_total{code="rate_limited",environment="live"}': '0+60x120',
  'postern_check_duration_seconds_bucket{stage="whole",le="0.5"}': '0+60x120',
  'postern_check_duration_seconds_bucket{stage="whole",le="1"}': '0+60x120',
  'postern_check_duration_seconds_bucket{stage="whole",le="+Inf"}': '0+60x120',
  postern_commit_queue_rows: '20x120',
  'postern_attention{condition="seen_in_clear"}': '0x120',
  'postern_attention{condition="dns_out"}': '0 1x50 0x69',
  // These have alerts of their own.
  'postern_attention{condition="certificate_ends"}': '1x120',
  'postern_limit_denials_total{limit="key"}': '0+60x120',
  'postern_limit_denials_total{limit="account"}': '0x120',
  'postern_limit_denials_total{limit="failed_auth"}': '0x120',
  'postern_checks_total{environment="live"}': '0+100x120',
  'postern_checks_total{environment="test"}': '0x120',
  postern_change_listener_down: '0 1 1 0x117',
  'postern_shared_state_failures_total{part="velocity"}': '0+1x120',
  'postern_shared_state_failures_total{part="rate_limit"}': '0+1x120',
  postern_rules_complaint: '0 1 1 1 0x116',
  postern_certificate_end_timestamp_seconds: `${100 * 86_400}x120`,
  'postern_challenger_loads_total{result="success"}': '0+1x120',
  'postern_challenger_loads_total{result="failure"}': '0x120',
  'postern_challenger_decisions_total{result="failed"}': '0x120',
  postern_memo_mismatches_total: '0x120',
  'postern_provider_answers_total{provider="mx",outcome="known"}': '0+100x120',
  'postern_provider_answers_total{provider="mx",outcome="timeout"}': '0+1x120',
  'postern_dns_server_changes_total{state="out"}': '0x120',
  'postern_provider_faults_total{provider="own",fault="failed"}': '0x120',
  'postern_smtp_probes_total{outcome="no_such_mailbox"}': '0+2x120',
  'postern_smtp_probes_total{outcome="timeout"}': '0+8x120',
  'postern_list_confirmed_timestamp_seconds{list="a"}': '0+60x120',
  'postern_list_refreshes_total{list="a",result="refused"}': '0x120',
  'postern_list_timestamp_seconds{provider="tld",list="a"}': '0x120',
};

/** The series that differ from quiet times when each alert fires. */
const TROUBLES: Readonly<Record<string, Series>> = {
  PosternDown: { 'up{job="postern"}': '1x110 0x10' },
  PosternRestarts: { 'process_start_time_seconds{job="postern"}': '0x100 1x5 2x5 3x10' },
  PosternChecksFail: { 'postern_refusals_total{code="unavailable",environment="live"}': '0x110 0+1x10' },
  PosternChecksSlow: { 'postern_check_duration_seconds_bucket{stage="whole",le="0.5"}': '0+59x120' },
  PosternDiskSlow: { postern_commit_queue_rows: '20x110 2000x10' },
  PosternFilesNearLimit: { 'process_open_fds{job="postern"}': '60x110 60000x10' },
  PosternQuotaUsedUp: { 'postern_limit_denials_total{limit="account"}': '0x110 5x10' },
  PosternWrongKeys: { 'postern_limit_denials_total{limit="failed_auth"}': '0x110 5x10' },
  PosternKeySeenInClear: { 'postern_attention{condition="seen_in_clear"}': '0x110 1x10' },
  PosternWantsAttention: { 'postern_attention{condition="dns_out"}': '0x50 1x70' },
  PosternChangesNotAnnounced: { postern_change_listener_down: '0x100 1x20' },
  PosternSharedStateFails: { 'postern_shared_state_failures_total{part="velocity"}': '0+1x100 0+100x20' },
  PosternRulesRefused: { postern_rules_complaint: '0x100 1x20' },
  PosternCertificateEnds: { postern_certificate_end_timestamp_seconds: `${10 * 86_400}x120` },
  PosternRetentionWaits: { postern_retention_waits: '0x100 1x20' },
  PosternChallengerNotLoaded: { 'postern_challenger_loads_total{result="failure"}': '0x110 1x10' },
  PosternChallengerFails: { 'postern_challenger_decisions_total{result="failed"}': '0x110 1x10' },
  PosternMemoWrong: { postern_memo_mismatches_total: '0x110 1x10' },
  PosternDnsDegraded: { 'postern_provider_answers_total{provider="mx",outcome="timeout"}': '0+10x120' },
  PosternDnsServerOut: { 'postern_dns_server_changes_total{state="out"}': '0x110 1x10' },
  PosternProviderFaults: { 'postern_provider_faults_total{provider="own",fault="failed"}': '0x100 0+1x20' },
  PosternMailHostsUnreachable: { 'postern_smtp_probes_total{outcome="timeout"}': '0+80x120' },
  // The clock of promtool starts at 0.
  PosternListStale: { 'postern_list_confirmed_timestamp_seconds{list="a"}': `${-4 * 86_400}x120` },
  PosternListRefused: { 'postern_list_refreshes_total{list="a",result="refused"}': '0x110 1x10' },
  PosternListOld: { 'postern_list_timestamp_seconds{provider="tld",list="a"}': `${-500 * 86_400}x120` },
};

/** Promtool compares the alerts that fire after two hours with these. */
async function expectFiring(name: string, changed: readonly Series[], firing: readonly string[]) {
  const series: Series = Object.assign({}, QUIET, ...changed);
  const test = {
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([series, values]) => ({ series, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: '120m',
        exp_samples: firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  };
  const file = join(temporaryDirectory(), 'tests.json');
  const rule_files = [join(packageRoot, FILE)];
  writeFileSync(file, JSON.stringify({ rule_files, evaluation_interval: '1m', tests: [test] }));
  await run(promtool ?? '', ['test', 'rules', file]).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`);
  });
}

describe(FILE, () => {
  it('query only metrics that the service exposes', async () => {
    const series = await queriedSeries();
    expect(alerts.flatMap(({ expr }) => faultsOf(expr, series))).toEqual([]);
  });

  it('have a meaning, a severity, and a link to the remedy in the documentation', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(['critical', 'warning', 'info'], alert).toContain(labels.severity);
      expect(annotations.summary, alert).toMatch(/^.{10,100}\.$/);
      const [page = '', anchor] = annotations.runbook.split('#');
      expect(page, alert).toBe('docs/operations.md');
      expect(anchorsOf(readPage(page)), alert).toContain(anchor);
    }
  });

  it('are the alerts that docs/metrics.md lists, in that order', () => {
    const rows = tableOf(readPage('docs/metrics.md'), 'alert', 'severity', 'it means');
    expect(rows.map(([alert = '', severity]) => [codeIn(alert)[0], severity])).toEqual(
      alerts.map(({ alert, labels }) => [alert, labels.severity]),
    );
  });

  it.skipIf(promtool === null)('are accepted by Prometheus', async () => {
    const { stdout } = await run(promtool ?? '', ['check', 'rules', join(packageRoot, FILE)]);
    expect(stdout).toContain(`SUCCESS: ${alerts.length} rules found`);
  });

  it.skipIf(promtool === null)('do not fire in quiet times, and each fires in its trouble', async () => {
    expect(Object.keys(TROUBLES)).toEqual(alerts.map(({ alert }) => alert));
    await expectFiring('quiet times', [], []);
    await expectFiring('trouble', Object.values(TROUBLES), Object.keys(TROUBLES));
  });
});

describe('faultsOf', () => {
  it.each([
    ['rate(postern_check_total[5m])', 'no metric postern_check_total'],
    ['postern_refusals_total{status="500"}', 'no label status of postern_refusals_total'],
    ['postern_refusals_total{code=~"unavailable|broken"}', 'postern_refusals_total has no code="broken"'],
    [
      'sum by (zone) (postern_commit_queue_rows)',
      'no label zone in sum by (zone) (postern_commit_queue_rows)',
    ],
  ])('finds the fault in %s', async (expression, fault) => {
    expect(faultsOf(expression, await queriedSeries())).toEqual([fault]);
  });
});
