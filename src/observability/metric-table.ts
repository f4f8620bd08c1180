export interface MetricDeclaration {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** A sentence, as it stands in the exposition and in docs/metrics.md. */
  readonly help: string;
}

/**
 * Every metric that Postern makes itself. `docs/metrics.md` holds the same rows; a test keeps the two equal.
 * Base units (seconds, rows); every label takes its values from a short list, and none says whose check it was.
 */
export const METRICS = {
  postern_build_info: { type: 'gauge', labels: ['version'], help: 'Always 1; the version that runs.' },
  postern_checks_total: { type: 'counter', labels: ['environment'], help: 'Answered checks.' },
  postern_check_duration_seconds: {
    type: 'histogram',
    labels: ['stage'],
    help: 'Time of answered live checks, by stage.',
  },
  postern_decisions_total: {
    type: 'counter',
    labels: ['action', 'level'],
    help: 'Decisions of answered live checks.',
  },
  postern_refusals_total: {
    type: 'counter',
    labels: ['code', 'environment'],
    help: 'Refused requests, by error code.',
  },
  postern_limit_denials_total: {
    type: 'counter',
    labels: ['limit'],
    help: 'Requests refused because a limit was reached.',
  },
  postern_provider_answers_total: {
    type: 'counter',
    labels: ['provider', 'outcome'],
    help: 'What live checks got from each provider.',
  },
  postern_provider_duration_seconds: {
    type: 'histogram',
    labels: ['provider'],
    help: 'Time of each question that a provider was asked.',
  },
  postern_answer_cache_reads_total: {
    type: 'counter',
    labels: ['provider', 'result'],
    help: 'Looks into the kept answers of network providers.',
  },
  postern_dns_server_changes_total: {
    type: 'counter',
    labels: ['state'],
    help: 'DNS servers that stopped replying and are left alone, and those that reply again.',
  },
  postern_smtp_probes_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'Mail hosts asked for names that nobody has, by what they came to.',
  },
  postern_memo_reads_total: {
    type: 'counter',
    labels: ['result'],
    help: 'Decisions, by whether one with the same truth values was remembered.',
  },
  postern_memo_mismatches_total: {
    type: 'counter',
    labels: [],
    help: "Remembered decisions that differed from the engine's. Each is a bug.",
  },
  postern_ruleset_info: { type: 'gauge', labels: ['ruleset'], help: 'Always 1; the rule set in force.' },
  postern_challenger_info: {
    type: 'gauge',
    labels: ['ruleset'],
    help: "Always 1; the challenger's rule set, where there is one.",
  },
  postern_challenger_decisions_total: {
    type: 'counter',
    labels: ['result'],
    help: 'Answered live checks by what the challenger would have made of them.',
  },
  postern_challenger_loads_total: {
    type: 'counter',
    labels: ['result'],
    help: 'Attempts to read rules.challenger_dir, the start included.',
  },
  postern_rules_loads_total: {
    type: 'counter',
    labels: ['result'],
    help: 'Attempts to put rules and lists in force, the start included.',
  },
  postern_rules_last_load_timestamp_seconds: {
    type: 'gauge',
    labels: ['result'],
    help: 'When rules and lists were last put in force, and when that last failed.',
  },
  postern_rules_complaint: {
    type: 'gauge',
    labels: [],
    help: '1 while the rules directory holds a set that was refused, or that fails its tests; else 0.',
  },
  postern_list_timestamp_seconds: {
    type: 'gauge',
    labels: ['provider', 'list'],
    help: 'The day that a list tells of, where it says so itself.',
  },
  postern_list_entries: {
    type: 'gauge',
    labels: ['provider', 'list'],
    help: 'Entries of each list that a provider answers from.',
  },
  postern_list_refreshes_total: {
    type: 'counter',
    labels: ['list', 'result'],
    help: 'Attempts of the service to update a list of lists.urls.',
  },
  postern_list_confirmed_timestamp_seconds: {
    type: 'gauge',
    labels: ['list'],
    help: 'When the source of a list of lists.urls was last seen to hold what is in force.',
  },
  postern_commit_queue_rows: { type: 'gauge', labels: [], help: 'Checks that are not on the disk yet.' },
  postern_counts_bytes: {
    type: 'gauge',
    labels: [],
    help: 'Memory that the counts of earlier checks take.',
  },
  postern_counts_forgotten_total: {
    type: 'counter',
    labels: [],
    help: 'Counts given up early because their memory was full.',
  },
  postern_records_deleted_total: {
    type: 'counter',
    labels: [],
    help: 'Records deleted because their days were over.',
  },
} as const satisfies Readonly<Record<string, MetricDeclaration>>;

export type MetricName = keyof typeof METRICS;

/** Upper bounds of histograms, in seconds: a local provider takes one to twenty microseconds, a look-up up to its deadline. */
export const BUCKETS = [
  1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1,
  0.25, 0.5, 1, 2.5,
];
