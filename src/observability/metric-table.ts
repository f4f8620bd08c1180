import { ENVIRONMENTS } from '../accounts/key.ts';
import { CONDITION_IDS } from '../attention/conditions.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { PORT_NAMES } from '../http/server/listeners.ts';
import { LIST_RESULTS } from '../lists/list-store.ts';
import { HTTP_OUTCOMES, SMTP_OUTCOMES, UNKNOWN_REASONS } from '../provider-kit/index.ts';
import { ACTIONS, LEVELS } from '../rules/decision.ts';
import { PROVIDER_FAULTS } from '../signals/signals.ts';

/** The values of each label; null where they are known at run time only, such as the ids of providers. */
type Labels = Readonly<Record<string, readonly string[] | null>>;

/** `help` is a sentence, as it stands in the exposition and in docs/metrics.md. */
const declare =
  <const Type extends 'counter' | 'gauge' | 'histogram'>(type: Type) =>
  <const L extends Labels = Readonly<Record<never, never>>>(help: string, labels?: L) => ({
    type,
    help,
    labels: labels ?? ({} as L),
  });
const counter = declare('counter');
const gauge = declare('gauge');
const histogram = declare('histogram');

const OUTCOMES = ['known', ...UNKNOWN_REASONS] as const;
const RESULTS = ['success', 'failure'] as const;

/**
 * Every metric that Postern makes itself. `docs/metrics.md` holds the same rows; a test keeps the two equal.
 * Base units (seconds, rows); every label takes its values from a short list, and none says whose check it was.
 */
export const METRICS = {
  postern_build_info: gauge('Always 1; the version that runs.', { version: null }),
  postern_checks_total: counter('Answered checks.', { environment: ENVIRONMENTS }),
  postern_check_duration_seconds: histogram('Time of answered live checks, by stage.', {
    stage: ['parse', 'collect', 'decide', 'record', 'whole'],
  }),
  postern_decisions_total: counter('Decisions of answered live checks.', { action: ACTIONS, level: LEVELS }),
  postern_refusals_total: counter('Refused requests, by error code.', {
    code: Object.keys(ERRORS) as ErrorCode[],
    // `none`: refused before the key is known.
    environment: [...ENVIRONMENTS, 'none'],
  }),
  postern_limit_denials_total: counter('Requests refused because a limit was reached.', {
    limit: ['key', 'account', 'failed_auth'],
  }),
  postern_provider_answers_total: counter('What live checks got from each provider.', {
    provider: null,
    outcome: OUTCOMES,
  }),
  postern_provider_duration_seconds: histogram('Time of each question that a provider was asked.', {
    provider: null,
  }),
  postern_provider_faults_total: counter('Faults in the code of providers, by what went wrong.', {
    provider: null,
    fault: PROVIDER_FAULTS,
  }),
  postern_answer_cache_reads_total: counter('Looks into the kept answers of network providers.', {
    provider: null,
    result: ['hit', 'joined', 'miss'],
  }),
  postern_dns_server_changes_total: counter(
    'DNS servers that stopped replying and are left alone, and those that reply again.',
    { state: ['out', 'back'] },
  ),
  postern_smtp_probes_total: counter('Mail hosts asked about made-up names, by what came of it.', {
    outcome: SMTP_OUTCOMES,
  }),
  postern_http_requests_total: counter('Requests of providers over HTTP, by what came of them.', {
    provider: null,
    outcome: HTTP_OUTCOMES,
  }),
  postern_http_origins_left_alone: gauge(
    'Servers that a provider asks and that are left alone because they fail again and again.',
    { provider: null },
  ),
  postern_memo_reads_total: counter('Decisions, by whether one with the same truth values was remembered.', {
    result: ['hit', 'miss'],
  }),
  postern_memo_mismatches_total: counter(
    "Remembered decisions that differed from the engine's. Each is a bug.",
  ),
  postern_ruleset_info: gauge('Always 1; the rule set in force.', { ruleset: null }),
  postern_challenger_info: gauge("Always 1; the challenger's rule set, where there is one.", {
    ruleset: null,
  }),
  postern_challenger_decisions_total: counter(
    'Answered live checks by what the challenger would have made of them.',
    { result: ['agree', 'would_block', 'would_allow', 'failed'] },
  ),
  postern_challenger_loads_total: counter('Attempts to read rules.challenger_dir, the start included.', {
    result: RESULTS,
  }),
  postern_rules_loads_total: counter('Attempts to put rules and lists in force, the start included.', {
    result: RESULTS,
  }),
  postern_rules_last_load_timestamp_seconds: gauge(
    'When rules and lists were last put in force, and when that last failed.',
    { result: RESULTS },
  ),
  postern_rules_complaint: gauge(
    '1 while the rules that are published were refused, or fail their tests; else 0.',
  ),
  postern_change_listener_down: gauge(
    '1 while changes by other instances are not announced to this one, which looks for them every second; else 0.',
  ),
  postern_retention_waits: gauge('1 while records past their retention wait for a person; else 0.'),
  postern_list_timestamp_seconds: gauge('The day that a list tells of, where it says so itself.', {
    provider: null,
    list: null,
  }),
  postern_list_entries: gauge('Entries of each list that a provider answers from.', {
    provider: null,
    list: null,
  }),
  postern_list_refreshes_total: counter('Attempts of the service to update a list of lists.urls.', {
    list: null,
    result: LIST_RESULTS,
  }),
  postern_list_confirmed_timestamp_seconds: gauge(
    'When the source of a list of lists.urls was last seen to hold what is in force.',
    { list: null },
  ),
  postern_attention: gauge(
    'What each condition that wants a person finds now, looked at once a minute; 0 while it does not hold.',
    { condition: CONDITION_IDS.filter((id) => id !== 'provider_unknowns_risen') },
  ),
  postern_connections: gauge('Open connections, TLS handshakes included.', { port: PORT_NAMES }),
  postern_certificate_end_timestamp_seconds: gauge('When the certificate that is served ends.'),
  postern_database_bytes: gauge('Size of the database and of its log on the disk.', {
    file: ['database', 'log'],
  }),
  postern_commit_queue_rows: gauge('Checks that are not on the disk yet.'),
  postern_counts_bytes: gauge('Memory that the counts of earlier checks take.'),
  postern_counts_forgotten_total: counter('Counts given up early because their memory was full.'),
  postern_shared_state_failures_total: counter(
    'Times that Valkey did not answer in time: this instance limited by itself, or velocity was unknown.',
    { part: ['rate_limit', 'attempts', 'velocity'] },
  ),
  postern_records_deleted_total: counter('Records deleted because their days were over.'),
};

export type MetricName = keyof typeof METRICS;

/** The labels of one metric, each with a value of its list. */
export type LabelsOf<Name extends MetricName> = {
  readonly [Label in keyof (typeof METRICS)[Name]['labels']]: (typeof METRICS)[Name]['labels'][Label] extends readonly (infer Value)[]
    ? Value
    : string;
};

/** Upper bounds of histograms, in seconds: a local provider takes one to twenty microseconds, a look-up up to its deadline. */
export const BUCKETS = [
  1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1,
  0.25, 0.5, 1, 2.5,
];
