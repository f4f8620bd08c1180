import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type WatchedParts, watchService } from '../../src/app/compose/watch-service.ts';
import { ERRORS } from '../../src/errors.ts';
import { BUCKETS, METRICS } from '../../src/observability/metric-table.ts';
import { OpenMetrics } from '../../src/observability/open-metrics.ts';
import type { DataList } from '../../src/provider-kit/index.ts';
import { readPage, tableOf } from '../docs/markdown.ts';
import { parseExposition, sampleOf } from './exposition.ts';

function aWatched(lists: readonly (readonly [string, DataList])[] = []) {
  const metrics = new OpenMetrics('1.2.3');
  const memo = { hits: 0, misses: 0 };
  const byId = new Map<string, { lists: DataList[] }>();
  for (const [provider, list] of lists) byId.set(provider, { lists: [list] });
  const policy = {
    ...{ ruleSet: { hash: '0123456789abcdef' }, challenger: { ruleSet: { hash: 'fedcba9876543210' } } },
    providers: { byId },
  };
  watchService(metrics, {
    policies: { current: policy as unknown as WatchedParts['policies']['current'], memoCounts: memo },
    reloader: { complaint: undefined },
    refresher: {
      ages: [
        ['lists_test_00000000', 1_700_000_000_000],
        ['never_test_00000000', null],
      ],
    },
    retention: { waits: undefined },
    config: { storage: { url: fileURLToPath(import.meta.url) } },
    listeners: { connections: () => [['https', 3]], certificateEnd: () => 1_800_000_000_000 },
    storage: { checks: { pending: 7 } },
    state: { memory: () => ({ octets: 26_624, forgotten: 3 }) },
  });
  return { metrics, memo, read: async () => parseExposition(await metrics.expose()) };
}

const FIGURES = ['tld', { name: 'abuse.yaml', date: '2025-10-31', entries: 20 }] as const;

/** The name of a metric family: for a counter, the name of its samples without `_total`. */
const familyOf = (name: string) => name.replace(/_total$/, '');

describe('the exposition', () => {
  it('is OpenMetrics text of exactly the declared metrics and those of the process', async () => {
    const { metrics, read } = aWatched([FIGURES]);
    expect(metrics.contentType).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    const families = await read();
    const own = [...families].filter(([name]) => name.startsWith('postern_'));
    expect(Object.fromEntries(own.map(([name, { type, help }]) => [name, { type, help }]))).toEqual(
      Object.fromEntries(
        Object.entries(METRICS).map(([name, { type, help }]) => [familyOf(name), { type, help }]),
      ),
    );
    const others = [...families.keys()].filter((name) => !name.startsWith('postern_'));
    expect(others).toEqual(expect.arrayContaining(['process_cpu_seconds', 'nodejs_eventloop_lag_seconds']));
    expect(others.filter((name) => !/^(process|nodejs)_/.test(name))).toEqual([]);
  });

  it('has the same form however often it is read', async () => {
    const { read } = aWatched();
    const first = await read();
    expect([...(await read()).keys()]).toEqual([...first.keys()]);
  });

  it('gives every sample the labels of the table, and no other', async () => {
    const { metrics, read } = aWatched([FIGURES]);
    metrics.took('postern_check_duration_seconds', { stage: 'whole' }, 1);
    metrics.count('postern_provider_answers_total', { provider: 'mx', outcome: 'known' });
    metrics.took('postern_provider_duration_seconds', { provider: 'mx' }, 1);
    metrics.count('postern_answer_cache_reads_total', { provider: 'mx', result: 'hit' });
    metrics.set('postern_rules_last_load_timestamp_seconds', { result: 'success' }, 0);
    metrics.count('postern_http_requests_total', { provider: 'register', outcome: 'ok' });
    metrics.set('postern_http_origins_left_alone', { provider: 'register' }, 0);
    metrics.set('postern_attention', { condition: 'dns_out' }, 0);
    const families = await read();
    for (const [name, { labels }] of Object.entries(METRICS)) {
      const { samples } = families.get(familyOf(name)) ?? { samples: new Map<string, number>() };
      expect(samples.size, name).toBeGreaterThan(0);
      for (const id of samples.keys()) {
        const written = [...id.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
        expect(written.filter((label) => label !== 'le').sort(), id).toEqual(Object.keys(labels).sort());
      }
    }
  });

  it('shows declared values at zero before the first event', async () => {
    const { read } = aWatched();
    const families = await read();
    for (const code of Object.keys(ERRORS)) {
      expect(sampleOf(families, `postern_refusals_total{code="${code}",environment="none"}`), code).toBe(0);
    }
    expect(sampleOf(families, 'postern_decisions_total{action="BLOCK",level="high"}')).toBe(0);
    expect(sampleOf(families, 'postern_limit_denials_total{limit="account"}')).toBe(0);
    expect(sampleOf(families, 'postern_memo_mismatches_total')).toBe(0);
  });

  it('counts the events that it receives', async () => {
    const { metrics, memo, read } = aWatched();
    metrics.count('postern_checks_total', { environment: 'live' });
    metrics.count('postern_decisions_total', { action: 'BLOCK', level: 'high' });
    metrics.count('postern_refusals_total', { code: 'unavailable', environment: 'live' });
    metrics.count('postern_refusals_total', { code: 'unavailable', environment: 'live' });
    metrics.count('postern_limit_denials_total', { limit: 'failed_auth' });
    metrics.count('postern_provider_answers_total', { provider: 'mx', outcome: 'timeout' });
    metrics.count('postern_answer_cache_reads_total', { provider: 'mx', result: 'joined' });
    metrics.count('postern_dns_server_changes_total', { state: 'out' });
    metrics.count('postern_memo_mismatches_total', {});
    metrics.count('postern_rules_loads_total', { result: 'success' });
    metrics.set('postern_rules_last_load_timestamp_seconds', { result: 'success' }, 1_000.5);
    metrics.set('postern_rules_last_load_timestamp_seconds', { result: 'failure' }, 2_000);
    metrics.count('postern_records_deleted_total', {}, 40);
    metrics.count('postern_records_deleted_total', {}, 2);
    Object.assign(memo, { hits: 5, misses: 3 });
    const families = await read();
    expect(
      Object.fromEntries(
        [
          'postern_build_info{version="1.2.3"}',
          'postern_checks_total{environment="live"}',
          'postern_checks_total{environment="test"}',
          'postern_decisions_total{action="BLOCK",level="high"}',
          'postern_refusals_total{code="unavailable",environment="live"}',
          'postern_limit_denials_total{limit="failed_auth"}',
          'postern_provider_answers_total{provider="mx",outcome="timeout"}',
          'postern_answer_cache_reads_total{provider="mx",result="joined"}',
          'postern_dns_server_changes_total{state="out"}',
          'postern_dns_server_changes_total{state="back"}',
          'postern_memo_reads_total{result="hit"}',
          'postern_memo_reads_total{result="miss"}',
          'postern_memo_mismatches_total',
          'postern_ruleset_info{ruleset="0123456789abcdef"}',
          'postern_rules_loads_total{result="success"}',
          'postern_rules_last_load_timestamp_seconds{result="success"}',
          'postern_rules_last_load_timestamp_seconds{result="failure"}',
          'postern_connections{port="https"}',
          'postern_certificate_end_timestamp_seconds',
          'postern_database_bytes{file="log"}',
          'postern_commit_queue_rows',
          'postern_counts_bytes',
          'postern_counts_forgotten_total',
          'postern_records_deleted_total',
        ].map((id) => [id, sampleOf(families, id)]),
      ),
    ).toMatchInlineSnapshot(`
      {
        "postern_answer_cache_reads_total{provider="mx",result="joined"}": 1,
        "postern_build_info{version="1.2.3"}": 1,
        "postern_certificate_end_timestamp_seconds": 1800000000,
        "postern_checks_total{environment="live"}": 1,
        "postern_checks_total{environment="test"}": 0,
        "postern_commit_queue_rows": 7,
        "postern_connections{port="https"}": 3,
        "postern_counts_bytes": 26624,
        "postern_counts_forgotten_total": 3,
        "postern_database_bytes{file="log"}": 0,
        "postern_decisions_total{action="BLOCK",level="high"}": 1,
        "postern_dns_server_changes_total{state="back"}": 0,
        "postern_dns_server_changes_total{state="out"}": 1,
        "postern_limit_denials_total{limit="failed_auth"}": 1,
        "postern_memo_mismatches_total": 1,
        "postern_memo_reads_total{result="hit"}": 5,
        "postern_memo_reads_total{result="miss"}": 3,
        "postern_provider_answers_total{provider="mx",outcome="timeout"}": 1,
        "postern_records_deleted_total": 42,
        "postern_refusals_total{code="unavailable",environment="live"}": 2,
        "postern_rules_last_load_timestamp_seconds{result="failure"}": 2000,
        "postern_rules_last_load_timestamp_seconds{result="success"}": 1000.5,
        "postern_rules_loads_total{result="success"}": 1,
        "postern_ruleset_info{ruleset="0123456789abcdef"}": 1,
      }
    `);
  });

  it('shows the size of each list, and the date of a list that has one', async () => {
    const { read } = aWatched([
      FIGURES,
      ['disposable', { name: 'disposable-domains', version: '2.0.1', entries: 100_000 }],
      ['odd', { name: 'odd.txt', date: 'last week', entries: 1 }],
    ]);
    const families = await read();
    const samples = (family: string) => Object.fromEntries(families.get(family)?.samples ?? []);
    expect(samples('postern_list_timestamp_seconds')).toEqual({
      'postern_list_timestamp_seconds{provider="tld",list="abuse.yaml"}': Date.parse('2025-10-31') / 1000,
    });
    expect(samples('postern_list_entries')).toEqual({
      'postern_list_entries{provider="tld",list="abuse.yaml"}': 20,
      'postern_list_entries{provider="disposable",list="disposable-domains"}': 100_000,
      'postern_list_entries{provider="odd",list="odd.txt"}': 1,
    });
  });

  it('puts each duration into its bucket, including the upper bound, and longer ones into the last', async () => {
    const { metrics, read } = aWatched();
    for (const ms of [0, 0.001, 0.0011, 500, 60_000]) {
      metrics.took('postern_check_duration_seconds', { stage: 'whole' }, ms);
    }
    const { samples } = (await read()).get('postern_check_duration_seconds') ?? {};
    const upTo = (le: string) =>
      samples?.get(`postern_check_duration_seconds_bucket{le="${le}",stage="whole"}`);
    expect([
      upTo('0.000001'),
      upTo('0.0000025'),
      upTo('0.25'),
      upTo('0.5'),
      upTo('2.5'),
      upTo('+Inf'),
    ]).toEqual([2, 3, 3, 4, 4, 5]);
    expect(samples?.get('postern_check_duration_seconds_count{stage="whole"}')).toBe(5);
    expect(samples?.get('postern_check_duration_seconds_sum{stage="whole"}')).toBeCloseTo(60.5, 4);
    const buckets = [...(samples ?? [])].filter(([id]) => id.includes('_bucket')).map(([, value]) => value);
    expect(buckets).toHaveLength(BUCKETS.length + 1);
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
  });
});

it('docs/metrics.md lists every metric with the values of the table, and no other', () => {
  const rows = tableOf(readPage('docs/metrics.md'), 'metric', 'type', 'labels', 'tells');
  expect(rows).toEqual(
    Object.entries(METRICS).map(([name, { type, labels, help }]) => [
      `\`${name}\``,
      type,
      Object.keys(labels)
        .map((label) => `\`${label}\``)
        .join(' '),
      help,
    ]),
  );
});
