import type { ApiKey } from '../../../accounts/key.ts';
import { parseRecord } from '../../../checks/check-record.ts';
import { LISTED_COLUMNS, type WholeCheck } from '../../../insights/insights-queries.ts';
import { LABELS } from '../../../labels/label.ts';
import { presentSummary } from '../../../rules/decision.ts';
import { describeCount, type ExplainedDecision } from '../../../rules/explain-decision.ts';
import { bucketOf, sidesIn, withBucket } from '../../../rules/rollout.ts';
import type { RuleSet } from '../../../rules/rule-set.ts';
import type { FactCatalogue } from '../../../signals/signals.ts';
import {
  COUNT,
  closed,
  FLAG,
  INSTANT,
  INTEGER,
  listOf,
  nullable,
  type Of,
  record,
  SCORE,
  TEXT,
} from '../../json-types.ts';
import {
  ACTION,
  DECISION,
  FACTS,
  LEDGER_ENTRY,
  LEVEL,
  presentDecision,
  presentSides,
  REASONS,
  ROLLOUTS,
  SUMMARY,
  shownEvidence,
} from '../decision.ts';

const ENVIRONMENT = { type: 'string', enum: ['live', 'test'] } as const;
const PERSON = {
  type: 'string',
  pattern: '^[0-9a-f]{64}$',
  description: 'The hash that records hold of an address.',
} as const;
const LABEL = { type: 'string', enum: LABELS } as const;
export const LABEL_OR_NONE = { type: 'string', enum: [...LABELS, 'none'] } as const;

/** The filters of a search. A check must fit every filter that is named. */
export const FILTER_QUERY = {
  id: TEXT,
  person: PERSON,
  domain: { ...TEXT, description: '`example.org`; `.example.org` for all below it.' },
  rule: { ...TEXT, description: 'One that fired, for points, by force or in the shadow.' },
  action: ACTION,
  level: LEVEL,
  environment: ENVIRONMENT,
  min_score: SCORE,
  max_score: SCORE,
  label: LABEL_OR_NONE,
  ruleset: { type: 'string', pattern: '^[0-9a-f]{16}$' },
  flips: {
    ...TEXT,
    description:
      'For analysts: a draft or a version of the rules that would answer the check otherwise than the rules in force; of the newest 100,000 live checks since `since`, and of 30 days where it is not named.',
  },
  key_id: TEXT,
  since: { ...TEXT, description: 'The first instant: `2026-11-20` or `2026-11-20T08:00:00Z`.' },
  until: { ...TEXT, description: 'The first instant that is not in it any more.' },
} as const;
export const FILTERS = Object.keys(FILTER_QUERY) as (keyof typeof FILTER_QUERY)[];

const PLACE = { type: 'string', pattern: '^\\S{24}\\.\\S{1,64}$' } as const;

export const PAGE_QUERY = {
  ...FILTER_QUERY,
  after: { ...PLACE, description: 'The `next` of the page before.' },
  before: {
    ...PLACE,
    description:
      '`<created_at>.<id>` of a check: the checks that are newer are found, the oldest of them first, and `next` is the next `before`.',
  },
  limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
} as const;

/** The first members of a check in a list and on its page. */
const LISTED = {
  id: TEXT,
  created_at: INSTANT,
  account_id: TEXT,
  key_id: TEXT,
  environment: ENVIRONMENT,
  ...SUMMARY,
  ruleset: TEXT,
  domain: nullable(TEXT),
  address: nullable(TEXT, 'Only where `privacy.store_addresses` is `plain`.'),
  duration_us: nullable(COUNT),
} as const;

const LISTED_CHECK = record('listed_check', {
  ...LISTED,
  person: nullable(PERSON),
  label: nullable(LABEL),
  rules: listOf(closed({ id: TEXT, points: INTEGER })),
  unknown: listOf(TEXT, 'Facts that were unknown.'),
});

export const FOUND_CHECKS = record('found_checks', {
  checks: listOf(LISTED_CHECK),
  next: nullable(TEXT, 'What `after` must be to go on; null at the end.'),
  searched_back_to: nullable(
    INSTANT,
    'How far this page has looked: one that finds little ends before it is full.',
  ),
});

const GIVEN_LABEL = record('given_label', {
  of: { type: 'string', enum: ['check', 'person'] },
  label: LABEL,
  source: TEXT,
  author: nullable(TEXT),
  labelled_at: INSTANT,
});

export const WHOLE_CHECK = record('whole_check', {
  ...LISTED,
  person: nullable(TEXT),
  key: nullable(closed({ name: nullable(TEXT), prefix: TEXT })),
  ruleset_version: nullable(COUNT, 'Null where no version with this hash is on record.'),
  ledger: listOf(LEDGER_ENTRY),
  rollouts: {
    ...ROLLOUTS,
    description:
      'Of the rules in the ledger that are rolled out, on which side it was; empty where other rules decided.',
  },
  signals: listOf(
    record('check_signal', {
      provider: TEXT,
      took_us: nullable(COUNT),
      source: nullable(TEXT, 'Version of its data.'),
      facts: FACTS,
      unknown: REASONS,
      evidence: nullable({ type: 'object', additionalProperties: true }),
    }),
  ),
  challenger: nullable(closed({ ruleset: TEXT, ...SUMMARY })),
  labels: listOf(GIVEN_LABEL, 'The first holds: the check’s own, else its person’s.'),
});

export const EXPLANATION = record('check_explanation', {
  decision: { ...DECISION, description: 'What the rules in force make of the recorded facts.' },
  missing: listOf(TEXT, 'Facts that its record does not have: rules that need one cannot be judged.'),
  counts: listOf(
    closed({ rule: TEXT, told: TEXT }),
    'Of every at_least of the rules in force, which of its parts held, and how many more it needs.',
  ),
  conditions: listOf(
    closed({
      name: TEXT,
      holds: nullable(FLAG, 'Null where facts that are unknown leave it open.'),
      means: TEXT,
      rules: listOf(TEXT),
    }),
    'The named conditions of the rules in force: what they stand for, and the rules that use them.',
  ),
  lists: listOf(
    closed({ fact: TEXT, value: TEXT, list: TEXT, entry: TEXT }),
    'Of each named list that a rule looks into and that has a domain of the check, the entry by which it does.',
  ),
  turn: closed({
    action: ACTION,
    points: nullable(INTEGER, 'The fewest that it is away; null where no score would do.'),
    flips: listOf(record('check_flip', { changes: FACTS, from: FACTS, ...SUMMARY })),
  }),
});

export const NAMED_PERSON = closed({ person: PERSON, canonical: TEXT });

const HEAD = closed(LISTED);

function presentHead(row: WholeCheck['row']) {
  return Object.fromEntries(LISTED_COLUMNS.map((name) => [name, row[name]])) as Of<typeof HEAD>;
}

export interface CheckReader {
  /** Operators see the reason and the owner of an entry of the lists. */
  readonly isOperator: boolean;
  readonly catalogue: FactCatalogue;
  readonly key: ApiKey | undefined;
  /** The rules in force. */
  readonly ruleSet: RuleSet;
}

export function presentWhole({ row, labels, version }: WholeCheck, reader: CheckReader) {
  const record = parseRecord(row);
  const { key } = reader;
  return {
    ...presentHead(row),
    person: row.address_hmac,
    key: key ? { name: key.name, prefix: key.prefix } : null,
    ruleset_version: version,
    ledger: record.ledger,
    rollouts: presentSides(recordedSides(record, reader)),
    signals: presentSignals(record, reader),
    challenger: record.challenger,
    labels,
  };
}

/** Empty unless the rules in force decided the check: the record does not hold the rollout percentages of other rules. */
function recordedSides(
  { ruleset, ledger, address_hmac }: ReturnType<typeof parseRecord>,
  { ruleSet }: CheckReader,
) {
  if (ruleset !== ruleSet.hash) return [];
  return sidesIn(
    ruleSet,
    ledger,
    withBucket({}, ruleSet, () => bucketOf(address_hmac)),
  );
}

/** By provider: what it answered, why it did not, and how long it took. The slowest first. */
function presentSignals(
  { facts, unknown, evidence, timings, sources }: ReturnType<typeof parseRecord>,
  { catalogue, isOperator }: CheckReader,
) {
  const providerOf = (fact: string) => catalogue.facts.get(fact)?.provider ?? fact.split('.', 1)[0] ?? fact;
  const ids = new Set([...Object.keys(timings), ...Object.keys(facts).map(providerOf)]);
  return [...ids]
    .map((provider) => ({
      provider,
      took_us: timings[provider] ?? null,
      source: sources[provider] ?? null,
      facts: only(facts, (fact) => providerOf(fact) === provider),
      unknown: only(unknown, (fact) => providerOf(fact) === provider),
      evidence: shownEvidence(evidence[provider], isOperator),
    }))
    .toSorted((a, b) => (b.took_us ?? -1) - (a.took_us ?? -1) || (a.provider < b.provider ? -1 : 1));
}

function only<Value>(of: Readonly<Record<string, Value>>, isWanted: (key: string) => boolean) {
  return Object.fromEntries(Object.entries(of).filter(([key]) => isWanted(key)));
}

export function presentExplanation(
  { decision, counts, outlook, listed, named, rollouts }: ExplainedDecision,
  missing: readonly string[],
) {
  return {
    decision: presentDecision(decision, rollouts),
    missing,
    counts: counts.map((count) => ({ rule: count.rule, told: describeCount(count) })),
    conditions: named,
    lists: listed,
    turn: {
      action: outlook.action,
      points: outlook.points,
      flips: outlook.flips.map(({ changes, from, decision: then }) => ({
        changes,
        from,
        ...presentSummary(then),
      })),
    },
  };
}
