import { closed, INSTANT, type LiteralSchema, listOf, named, nullable, TEXT } from '../json-types.ts';
import { DRAFT_SUMMARY, FILES } from './draft.schema.ts';
import { FILE_CHANGE } from './version.schema.ts';

export const RULES: LiteralSchema = named(
  'rules',
  closed({
    in_force: closed({
      ruleset: TEXT,
      digest: { ...TEXT, description: 'Of the texts of the files.' },
      version: nullable({ type: 'integer' }),
      since: nullable(INSTANT),
      author: nullable(TEXT),
      files: FILES,
    }),
    directory: closed({
      path: TEXT,
      state: { enum: ['same', 'differs', 'unreadable'], description: 'Against what is in force.' },
      changes: listOf(FILE_CHANGE),
      faults: { ...listOf(TEXT), description: 'Why it cannot be read.' },
      is_writable: { type: 'boolean' },
    }),
    complaint: {
      ...nullable(closed({ kind: { enum: ['refused', 'failing'] }, at: INSTANT, faults: listOf(TEXT) })),
      description: 'What the service has said of the directory last, if that is not mended.',
    },
    drafts: listOf(DRAFT_SUMMARY),
  }),
);

export const LANGUAGE: LiteralSchema = named(
  'rule_language',
  closed({
    facts: listOf(
      named(
        'rule_fact',
        closed({
          id: TEXT,
          type: TEXT,
          values: listOf(TEXT),
          operators: listOf(TEXT),
          description: TEXT,
          example: {},
          provider: TEXT,
          never_unknown: { type: 'boolean' },
          personal: { type: 'boolean' },
          disabled: { type: 'boolean' },
          slot: nullable(TEXT),
        }),
      ),
    ),
    schemas: {
      type: 'object',
      additionalProperties: { type: 'object' },
      description: 'JSON Schemas of the kinds of files: group, decision, signals, list, tests.',
    },
  }),
);
