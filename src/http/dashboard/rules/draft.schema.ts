import { closed, INSTANT, type LiteralSchema, listOf, named, nullable, TEXT, words } from '../json-types.ts';

/** Path within the rules directory to text. */
export const FILES = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Path within the rules directory, as domain.yaml or tests/domain.yaml, to text.',
} as const;

export const FILE_CHANGES = {
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  description: 'Path to text; null for a file that goes. Those left out stay.',
} as const;

export const REVISION = {
  type: 'integer',
  minimum: 1,
  description: 'The one that this was made from; 409 when somebody has saved since.',
} as const;

export const BASE_DIGEST = {
  type: 'string',
  description:
    'Of the rules in force that the changes were made of, as `get_rules` told it; others may be in force by now.',
} as const;

export const DRAFT_NAME = words(80);

const DOER = closed({ id: TEXT, name: TEXT });

const summary = {
  id: TEXT,
  name: TEXT,
  author: DOER,
  created_at: INSTANT,
  saved_by: DOER,
  saved_at: INSTANT,
  revision: { type: 'integer' },
  base: { ...TEXT, description: 'The hash of the rules in force that it was made of.' },
  is_behind: { type: 'boolean', description: 'Other rules have come in force since.' },
  changed_files: listOf(TEXT),
  backtest: nullable(
    closed({
      revision: { type: 'integer' },
      base: TEXT,
      candidate: TEXT,
      at: INSTANT,
      by: TEXT,
      checks: { type: 'integer' },
      to_block: { type: 'integer' },
      to_allow: { type: 'integer' },
    }),
  ),
} as const;

export const DRAFT_SUMMARY: LiteralSchema = named('rule_draft_summary', closed(summary));
export const DRAFT: LiteralSchema = named(
  'rule_draft',
  closed({ ...summary, base_files: FILES, files: FILES }),
);

export const PUBLISHED: LiteralSchema = named(
  'rules_published',
  closed({
    state: {
      enum: ['in_force', 'refused', 'patch'],
      description: 'patch: nobody may write the directory; whoever may, applies it.',
    },
    ruleset: nullable(TEXT),
    version: nullable({ type: 'integer' }),
    faults: listOf(TEXT),
    patch: nullable(TEXT),
    reason: nullable(TEXT),
  }),
);
