import { LABELS } from '../../../labels/label.ts';
import {
  COUNT,
  closed,
  FLAG,
  INSTANT,
  INTEGER,
  type LiteralSchema,
  listOf,
  NUMBER,
  nullable,
  record,
  SCORE,
  TEXT,
} from '../../json-types.ts';
import { LEDGER_ENTRY } from '../decision.ts';
import { PROBLEMS } from './rules.presenter.ts';

export const COUNTS = record('label_counts', { good: COUNT, bad: COUNT, unlabelled: COUNT });
const SHARE = record('share', {
  count: COUNT,
  of: COUNT,
  share: nullable(NUMBER, 'Null where there is nothing to take a share of.'),
  low: { ...NUMBER, description: "Wilson's interval at 95 %." },
  high: NUMBER,
});

const bySide = (schema: LiteralSchema): LiteralSchema => closed({ base: schema, candidate: schema });
const bothWays = (schema: LiteralSchema) => closed({ to_block: schema, to_allow: schema });
const cases = { total: COUNT, good: COUNT, bad: COUNT, unlabelled: COUNT, censored: COUNT } as const;
/** The members of a check that is shown as an example. */
export const EXAMPLE = {
  id: TEXT,
  created_at: INSTANT,
  domain: nullable(TEXT),
  label: nullable({ type: 'string', enum: LABELS }),
} as const;

const RULE_SIDE: LiteralSchema = record('replayed_rule', {
  mode: { enum: ['live', 'shadow'] },
  points: nullable(INTEGER, 'Null for a forced action.'),
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
  unjudged: { ...COUNT, description: 'Checks whose records do not have a fact that it needed.' },
  rollout: nullable(
    closed({
      percent: INTEGER,
      outside: { ...COUNTS, description: 'Checks in which it fired and did not count.' },
    }),
    'Null where it counts for everyone.',
  ),
});

const SWEEP: LiteralSchema = record('threshold_sweep', {
  auc: nullable(NUMBER, 'Area under the ROC curve; null without labels of both kinds.'),
  threshold: nullable(
    INTEGER,
    'The score from which it blocks; null where its action is no threshold on the score.',
  ),
  cost_ratio: NUMBER,
  cheapest: nullable(INTEGER),
  points: listOf(
    closed({ threshold: INTEGER, blocked: COUNTS, cost: nullable(NUMBER) }),
    'For thresholds 0 to 101; 101 blocks nothing.',
  ),
});

const FIGURES: LiteralSchema = record('decision_figures', {
  block_rate: SHARE,
  false_positive_rate: SHARE,
  recall: SHARE,
  precision: SHARE,
});

const FLIPS: LiteralSchema = record('rule_flips', {
  counts: COUNTS,
  reasons: listOf(closed({ parts: listOf(TEXT), counts: COUNTS })),
  examples: listOf(
    closed({
      ...EXAMPLE,
      created_at: nullable(INSTANT),
      reason: { ...COUNT, description: 'Its place among the reasons.' },
      score: bySide(SCORE),
      ledger: bySide(listOf(LEDGER_ENTRY)),
    }),
  ),
});

/** What two sets of rules make of the checks on record. */
const REPLAY: LiteralSchema = record('rule_replay', {
  corpus: closed({ checks: COUNT, of: COUNT, days: COUNT, since: INSTANT, taken_at: INSTANT }),
  rule_sets: bySide(TEXT),
  first: nullable(INSTANT),
  last: nullable(INSTANT),
  cases: closed({ ...cases, replayed: closed({ same: COUNT, differing: COUNT }) }),
  unjudged: listOf(TEXT, 'Which rules could not be judged, in how many checks and for want of which facts.'),
  caveats: listOf(TEXT),
  confusion: bySide(closed({ ALLOW: COUNTS, BLOCK: COUNTS })),
  figures: bySide(FIGURES),
  levels: bySide(closed({ low: COUNT, medium: COUNT, high: COUNT })),
  flips: bothWays(FLIPS),
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
});

export const REPLAY_ANSWER: LiteralSchema = record('rule_replay_answer', {
  state: { enum: ['done', 'faulty'] },
  replay: nullable(REPLAY),
  problems: PROBLEMS,
});

export const DAYS = {
  type: 'integer',
  minimum: 1,
  maximum: 365,
  default: 30,
  description: 'Of records, back from now.',
} as const;

export const REPLAY_OPTIONS = {
  days: DAYS,
  cost_ratio: {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 1000,
    default: 1,
    description: 'How many bad signups let in cost as much as one good one turned away.',
  },
} as const;

const STANDING = { enum: ['holds', 'fails', 'untold'] } as const;
const span = { first: nullable(INSTANT), last: nullable(INSTANT) } as const;

const figure = {
  value: NUMBER,
  interval: { type: 'array', items: NUMBER, minItems: 2, maxItems: 2 },
} as const;

const PROMOTION: LiteralSchema = record('rule_promotion', {
  standing: STANDING,
  criteria: listOf(
    closed({
      criterion: { enum: ['s_o', 'hits', 'false_positives'] },
      standing: STANDING,
      limit: NUMBER,
      overall: nullable(closed(figure)),
      latest: { ...nullable(closed(figure)), description: 'Of the days that are judged, together.' },
      worst: nullable(
        closed({
          day: TEXT,
          ...figure,
          few: {
            ...FLAG,
            description:
              'Beyond the limit, of so few checks that one alone would decide: not held against it.',
          },
        }),
      ),
      days: closed({ judged: INTEGER, needed: INTEGER }),
    }),
  ),
});

const OUTCOME = closed({ action: TEXT, risk_score: INTEGER, risk_level: TEXT });
const SHADOW_FLIPS = closed({
  counts: COUNTS,
  examples: listOf(closed({ ...EXAMPLE, from: OUTCOME, to: OUTCOME })),
});

const COURSE: LiteralSchema = listOf(
  closed({ day: TEXT, checks: INTEGER, hits: INTEGER }),
  'Days on which it was tried, from the first; a hit of a challenger is a BLOCK.',
);

const CHALLENGER: LiteralSchema = record('challenger_report', {
  ruleset: TEXT,
  ...span,
  checks: closed(cases),
  answered_by: listOf(closed({ ruleset: TEXT, checks: INTEGER })),
  days: COURSE,
  agreement: SHARE,
  flips: bothWays(SHADOW_FLIPS),
  scores: closed({ same: INTEGER, higher: INTEGER, lower: INTEGER, mean_difference: nullable(NUMBER) }),
  recall: closed({ answered: SHARE, challenger: SHARE }),
  false_positive_rate: closed({ answered: SHARE, challenger: SHARE }),
  promotion: PROMOTION,
});

const SHADOW_RULE: LiteralSchema = record('shadow_rule_report', {
  id: TEXT,
  group: TEXT,
  points: INTEGER,
  rollout: nullable(
    closed({ percent: INTEGER }),
    'Of a live rule that counts for a part of people: all figures are of the others. Null of a shadow rule.',
  ),
  ...span,
  checks: closed(cases),
  days: COURSE,
  fires: SHARE,
  by_label: COUNTS,
  precision: SHARE,
  s_o: nullable(NUMBER),
  flips: closed({ to_block: SHADOW_FLIPS, to_allow: SHADOW_FLIPS, untold: INTEGER }),
  is_mirrored: { ...FLAG, description: 'Worth negative points: good and bad change places.' },
  promotion: PROMOTION,
});

/** The report that `postern rules shadow --json` prints, and in `replayed` what the rules make of the records. */
export const SHADOW: LiteralSchema = record('shadow_report', {
  ruleset: TEXT,
  checks: INTEGER,
  challenger: nullable(CHALLENGER),
  other_challengers: listOf(closed({ ruleset: TEXT, checks: INTEGER, ...span })),
  rules: listOf(SHADOW_RULE),
  replayed: listOf(
    SHADOW_RULE,
    'What each of the rules makes of the newest 100,000 checks of these days, tried in them or not.',
  ),
  caveats: listOf(TEXT),
});
