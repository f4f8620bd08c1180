import { ENVIRONMENTS } from '../accounts/key.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { LIST_RESULTS } from '../lists/list-store.ts';
import { SMTP_OUTCOMES, UNKNOWN_REASONS } from '../provider-kit/index.ts';
import { ACTIONS, LEVELS } from '../rules/decision.ts';

interface MetricDeclaration {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** What each label can be; null where that is known at run time only, such as the ids of providers. */
  readonly labels: Readonly<Record<string, readonly string[] | null>>;
  /** A sentence, as it stands in the exposition and in docs/metrics.md. */
  readonly help: string;
}

const OUTCOMES = ['known', ...UNKNOWN_REASONS] as const;
const RESULTS = ['success', 'failure'] as const;

/**
 * Every metric that Postern makes itself. `docs/metrics.md` holds the same rows; a test keeps the two equal.
 * Base units (seconds, rows); every label takes its values from a short list, and none says whose check it was.
 */
export const METRICS = {
  postern_build_info: { type: 'gauge', labels: { version: null }, help: 'Always 1; the version that runs.' },
  postern_checks_total: { type: 'counter', labels: { environment: ENVIRONMENTS }, help: 'Answered checks.' },
  postern_check_duration_seconds: {
    type: 'histogram',
    labels: { stage: ['parse', 'collect', 'decide', 'record', 'whole'] },
    help: 'Time of answered live checks, by stage.',
  },
  postern_decisions_total: {
    type: 'counter',
    labels: { action: ACTIONS, level: LEVELS },
    help: 'Decisions of answered live checks.',
  },
  postern_refusals_total: {
    type: 'counter',
    labels: {
      code: Object.keys(ERRORS) as ErrorCode[],
      // None before the key is known.
      environment: [...ENVIRONMENTS, 'none'],
    },
    help: 'Refused requests, by error code.',
  },
  postern_limit_denials_total: {
    type: 'counter',
    labels: { limit: ['key', 'account', 'failed_auth'] },
    help: 'Requests refused because a limit was reached.',
  },
  postern_provider_answers_total: {
    type: 'counter',
    labels: { provider: null, outcome: OUTCOMES },
    help: 'What live checks got from each provider.',
  },
  postern_provider_duration_seconds: {
    type: 'histogram',
    labels: { provider: null },
    help: 'Time of each question that a provider was asked.',
  },
  postern_answer_cache_reads_total: {
    type: 'counter',
    labels: { provider: null, result: ['hit', 'joined', 'miss'] },
    help: 'Looks into the kept answers of network providers.',
  },
  postern_dns_server_changes_total: {
    type: 'counter',
    labels: { state: ['out', 'back'] },
    help: 'DNS servers that stopped replying and are left alone, and those that reply again.',
  },
  postern_smtp_probes_total: {
    type: 'counter',
    labels: { outcome: SMTP_OUTCOMES },
    help: 'Mail hosts asked about made-up names, by what came of it.',
  },
  postern_memo_reads_total: {
    type: 'counter',
    labels: { result: ['hit', 'miss'] },
    help: 'Decisions, by whether one with the same truth values was remembered.',
  },
  postern_memo_mismatches_total: {
    type: 'counter',
    labels: {},
    help: "Remembered decisions that differed from the engine's. Each is a bug.",
  },
  postern_ruleset_info: {
    type: 'gauge',
    labels: { ruleset: null },
    help: 'Always 1; the rule set in force.',
  },
  postern_challenger_info: {
    type: 'gauge',
    labels: { ruleset: null },
    help: "Always 1; the challenger's rule set, where there is one.",
  },
  postern_challenger_decisions_total: {
    type: 'counter',
    labels: { result: ['agree', 'would_block', 'would_allow', 'failed'] },
    help: 'Answered live checks by what the challenger would have made of them.',
  },
  postern_challenger_loads_total: {
    type: 'counter',
    labels: { result: RESULTS },
    help: 'Attempts to read rules.challenger_dir, the start included.',
  },
  postern_rules_loads_total: {
    type: 'counter',
    labels: { result: RESULTS },
    help: 'Attempts to put rules and lists in force, the start included.',
  },
  postern_rules_last_load_timestamp_seconds: {
    type: 'gauge',
    labels: { result: RESULTS },
    help: 'When rules and lists were last put in force, and when that last failed.',
  },
  postern_rules_complaint: {
    type: 'gauge',
    labels: {},
    help: '1 while the rules directory holds a set that was refused, or that fails its tests; else 0.',
  },
  postern_list_timestamp_seconds: {
    type: 'gauge',
    labels: { provider: null, list: null },
    help: 'The day that a list tells of, where it says so itself.',
  },
  postern_list_entries: {
    type: 'gauge',
    labels: { provider: null, list: null },
    help: 'Entries of each list that a provider answers from.',
  },
  postern_list_refreshes_total: {
    type: 'counter',
    labels: { list: null, result: LIST_RESULTS },
    help: 'Attempts of the service to update a list of lists.urls.',
  },
  postern_list_confirmed_timestamp_seconds: {
    type: 'gauge',
    labels: { list: null },
    help: 'When the source of a list of lists.urls was last seen to hold what is in force.',
  },
  postern_commit_queue_rows: { type: 'gauge', labels: {}, help: 'Checks that are not on the disk yet.' },
  postern_counts_bytes: {
    type: 'gauge',
    labels: {},
    help: 'Memory that the counts of earlier checks take.',
  },
  postern_counts_forgotten_total: {
    type: 'counter',
    labels: {},
    help: 'Counts given up early because their memory was full.',
  },
  postern_records_deleted_total: {
    type: 'counter',
    labels: {},
    help: 'Records deleted because their days were over.',
  },
} as const satisfies Readonly<Record<string, MetricDeclaration>>;

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
