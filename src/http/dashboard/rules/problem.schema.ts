import { closed, type LiteralSchema, listOf, named, nullable, TEXT } from '../json-types.ts';

const COLUMN = { type: 'integer', description: 'Counted in characters from 1.' } as const;

/** What lint says, or rather where and what of it. */
const PROBLEM: LiteralSchema = named(
  'rule_problem',
  closed({
    code: TEXT,
    severity: { enum: ['error', 'warning'] },
    file: { ...TEXT, description: 'Within the rules directory.' },
    line: { type: 'integer' },
    column: COLUMN,
    end_column: nullable(COLUMN),
    message: TEXT,
    hint: nullable(TEXT),
    fix: nullable(
      closed({ line: { type: 'integer' }, column: COLUMN, end_column: COLUMN, replacement: TEXT }),
    ),
  }),
);

export const PROBLEMS: LiteralSchema = listOf(PROBLEM);

export const TESTS: LiteralSchema = named(
  'rule_tests',
  closed({
    problems: { ...PROBLEMS, description: 'Errors of lint; beside them no test was run.' },
    passed: { type: 'integer' },
    failing: listOf(
      closed({
        name: TEXT,
        file: TEXT,
        line: { type: 'integer' },
        column: COLUMN,
        failures: listOf(closed({ what: TEXT, expected: TEXT, actual: TEXT })),
      }),
    ),
    refusals: {
      ...listOf(TEXT),
      description: 'Why these rules would not be published; none when they would.',
    },
    ruleset: { ...nullable(TEXT), description: 'The hash that they would have in force.' },
  }),
);
