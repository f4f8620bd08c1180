import { closed, INSTANT, type LiteralSchema, listOf, named, nullable, TEXT } from '../json-types.ts';
import { COUNTS, SHARE } from './replay.schema.ts';

const COUNT = { type: 'integer' } as const;
const NUMBER = { type: 'number' } as const;
const STANDING = { enum: ['holds', 'fails', 'untold'] } as const;
const span = { first: nullable(INSTANT), last: nullable(INSTANT) } as const;

const CHECKS = closed({ total: COUNT, good: COUNT, bad: COUNT, unlabelled: COUNT, censored: COUNT });

const figure = {
  value: NUMBER,
  interval: nullable({ type: 'array', items: NUMBER, minItems: 2, maxItems: 2 }),
} as const;

const PROMOTION: LiteralSchema = named(
  'rule_promotion',
  closed({
    standing: STANDING,
    criteria: listOf(
      closed({
        criterion: { enum: ['s_o', 'hits', 'false_positives'] },
        standing: STANDING,
        limit: NUMBER,
        overall: nullable(closed(figure)),
        worst: nullable(closed({ day: TEXT, ...figure })),
        days: closed({ judged: COUNT, needed: COUNT }),
      }),
    ),
  }),
);

const OUTCOME = closed({ action: TEXT, risk_score: COUNT, risk_level: TEXT });
const SHADOW_FLIPS = closed({
  counts: COUNTS,
  examples: listOf(
    closed({
      id: TEXT,
      created_at: INSTANT,
      domain: nullable(TEXT),
      label: nullable({ enum: ['good', 'bad'] }),
      from: OUTCOME,
      to: OUTCOME,
    }),
  ),
});

const CHALLENGER: LiteralSchema = named(
  'challenger_report',
  closed({
    ruleset: TEXT,
    ...span,
    checks: CHECKS,
    answered_by: listOf(closed({ ruleset: TEXT, checks: COUNT })),
    agreement: SHARE,
    flips: closed({ to_block: SHADOW_FLIPS, to_allow: SHADOW_FLIPS }),
    scores: closed({ same: COUNT, higher: COUNT, lower: COUNT, mean_difference: nullable(NUMBER) }),
    recall: closed({ answered: SHARE, challenger: SHARE }),
    false_positive_rate: closed({ answered: SHARE, challenger: SHARE }),
    promotion: PROMOTION,
  }),
);

const SHADOW_RULE: LiteralSchema = named(
  'shadow_rule_report',
  closed({
    id: TEXT,
    group: TEXT,
    points: COUNT,
    ...span,
    checks: CHECKS,
    fires: SHARE,
    by_label: COUNTS,
    precision: SHARE,
    s_o: nullable(NUMBER),
    flips: closed({ to_block: SHADOW_FLIPS, to_allow: SHADOW_FLIPS, untold: COUNT }),
    is_mirrored: { type: 'boolean', description: 'Worth negative points: good and bad change places.' },
    promotion: PROMOTION,
  }),
);

/** As `postern rules shadow --json` prints it. */
export const SHADOW: LiteralSchema = named(
  'shadow_report',
  closed({
    ruleset: TEXT,
    checks: COUNT,
    challenger: nullable(CHALLENGER),
    other_challengers: listOf(closed({ ruleset: TEXT, checks: COUNT, ...span })),
    rules: listOf(SHADOW_RULE),
    caveats: listOf(TEXT),
  }),
);
