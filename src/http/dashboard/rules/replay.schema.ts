import { closed, INSTANT, type LiteralSchema, listOf, named, nullable, TEXT } from '../json-types.ts';
import { PROBLEMS } from './problem.schema.ts';

const COUNT = { type: 'integer', minimum: 0 } as const;
const SCORE = { type: 'integer', minimum: 0, maximum: 100 } as const;
const NUMBER = { type: 'number' } as const;
const ACTION = { enum: ['ALLOW', 'BLOCK'] } as const;

export const COUNTS = named('label_counts', closed({ good: COUNT, bad: COUNT, unlabelled: COUNT }));
export const SHARE = named(
  'share',
  closed({
    count: COUNT,
    of: COUNT,
    share: { ...nullable(NUMBER), description: 'Null where there is nothing to take a share of.' },
    low: { ...NUMBER, description: "Wilson's interval at 95 %." },
    high: NUMBER,
  }),
);

const bySide = (schema: LiteralSchema): LiteralSchema => closed({ base: schema, candidate: schema });

export const LEDGER_ENTRY: LiteralSchema = named(
  'replayed_ledger_entry',
  closed(
    {
      kind: TEXT,
      points: { type: 'integer' },
      id: nullable(TEXT),
      group: TEXT,
      by: TEXT,
      action: ACTION,
      level: TEXT,
      max_score: { type: 'integer' },
      min: { type: 'integer' },
      max: { type: 'integer' },
      would_add: { type: 'integer' },
      unknown: listOf(TEXT),
      saw: { type: 'object' },
    },
    ['id', 'group', 'by', 'action', 'level', 'max_score', 'min', 'max', 'would_add', 'unknown', 'saw'],
  ),
);

const RULE_SIDE: LiteralSchema = named(
  'replayed_rule',
  closed({
    mode: { enum: ['live', 'shadow'] },
    points: { ...nullable({ type: 'integer' }), description: 'Null for a forced action.' },
    fires: SHARE,
    by_label: COUNTS,
    precision: { ...SHARE, description: 'Bad among the labelled checks that it fires on.' },
    s_o: nullable(NUMBER),
    decisive: {
      ...COUNTS,
      description: 'Checks whose action would be the other one without it; of a shadow rule, with it.',
    },
    last_fired: nullable(INSTANT),
    unique: { ...COUNTS, description: 'Checks that no other rule with points fires on.' },
    stood_aside: COUNT,
  }),
);

const SWEEP: LiteralSchema = named(
  'threshold_sweep',
  closed({
    auc: { ...nullable(NUMBER), description: 'Area under the ROC curve; null without labels of both kinds.' },
    threshold: {
      ...nullable({ type: 'integer' }),
      description: 'The score from which it blocks; null where its action is no threshold on the score.',
    },
    cost_ratio: NUMBER,
    cheapest: nullable({ type: 'integer' }),
    points: {
      ...listOf(closed({ threshold: { type: 'integer' }, blocked: COUNTS, cost: nullable(NUMBER) })),
      description: 'For thresholds 0 to 101; 101 blocks nothing.',
    },
  }),
);

const FIGURES: LiteralSchema = named(
  'decision_figures',
  closed({ block_rate: SHARE, false_positive_rate: SHARE, recall: SHARE, precision: SHARE }),
);

const FLIPS: LiteralSchema = named(
  'rule_flips',
  closed({
    counts: COUNTS,
    reasons: listOf(closed({ parts: listOf(TEXT), counts: COUNTS })),
    examples: listOf(
      closed({
        id: TEXT,
        created_at: nullable(INSTANT),
        domain: nullable(TEXT),
        label: nullable({ enum: ['good', 'bad'] }),
        reason: { ...COUNT, description: 'Its place among the reasons.' },
        score: bySide(SCORE),
        ledger: bySide(listOf(LEDGER_ENTRY)),
      }),
    ),
  }),
);

/** What two sets of rules make of the checks on record. */
const REPLAY: LiteralSchema = named(
  'rule_replay',
  closed({
    corpus: closed({ checks: COUNT, of: COUNT, days: COUNT, since: INSTANT, taken_at: INSTANT }),
    rule_sets: bySide(TEXT),
    first: nullable(INSTANT),
    last: nullable(INSTANT),
    cases: closed({
      total: COUNT,
      good: COUNT,
      bad: COUNT,
      unlabelled: COUNT,
      censored: COUNT,
      replayed: closed({ same: COUNT, differing: COUNT }),
    }),
    caveats: listOf(TEXT),
    confusion: bySide(closed({ ALLOW: COUNTS, BLOCK: COUNTS })),
    figures: bySide(FIGURES),
    levels: bySide(closed({ low: COUNT, medium: COUNT, high: COUNT })),
    flips: closed({ to_block: FLIPS, to_allow: FLIPS }),
    rules: listOf(
      closed({
        id: TEXT,
        kind: { enum: ['points', 'force'] },
        base: nullable(RULE_SIDE),
        candidate: nullable(RULE_SIDE),
      }),
    ),
    scores: { ...(bySide(listOf(COUNTS)) as object), description: 'By score, 0 to 100.' } as LiteralSchema,
    sweep: bySide(SWEEP),
    took_ms: COUNT,
  }),
);

export const REPLAY_ANSWER: LiteralSchema = named(
  'rule_replay_answer',
  closed({
    state: {
      enum: ['done', 'faulty', 'given_up'],
      description: 'given_up: the same page has asked again meanwhile.',
    },
    replay: nullable(REPLAY),
    problems: PROBLEMS,
  }),
);
