import type { RulesInForce } from '../../../checks/active-policy.ts';
import { FACT_TYPES } from '../../../provider-kit/index.ts';
import type { ReplayAnswer } from '../../../rule-lab/editing/in-process-rule-jobs.ts';
import { type Published, refusalOf } from '../../../rule-lab/editing/publisher.ts';
import type { RuleTests } from '../../../rule-lab/editing/rule-jobs.ts';
import { changedFiles } from '../../../rules/compare-files.ts';
import { type Problem, presentProblem } from '../../../rules/problem.ts';
import type { RuleDraft } from '../../../storage/rule-ports.ts';
import {
  closed,
  FLAG,
  INSTANT,
  INTEGER,
  type LiteralSchema,
  listOf,
  nullable,
  record,
  TEXT,
  words,
} from '../../json-types.ts';

const COLUMN = { ...INTEGER, description: 'Counted in characters from 1.' } as const;

const PROBLEM: LiteralSchema = record('rule_problem', {
  code: TEXT,
  severity: { enum: ['error', 'warning'] },
  file: { ...TEXT, description: 'Path of a file of rules, as domain.yaml or tests/domain.yaml.' },
  line: INTEGER,
  column: COLUMN,
  end_column: nullable(COLUMN),
  message: TEXT,
  hint: nullable(TEXT),
  fix: nullable(closed({ line: INTEGER, column: COLUMN, end_column: COLUMN, replacement: TEXT })),
});

export const PROBLEMS: LiteralSchema = listOf(PROBLEM);

export const TESTS: LiteralSchema = record('rule_tests', {
  problems: { ...PROBLEMS, description: 'Errors of lint; beside them no test was run.' },
  passed: INTEGER,
  failing: listOf(
    closed({
      name: TEXT,
      file: TEXT,
      line: INTEGER,
      column: COLUMN,
      failures: listOf(closed({ what: TEXT, expected: TEXT, actual: TEXT })),
    }),
  ),
  refusals: listOf(TEXT, 'Why these rules could not be published; empty where they could.'),
  ruleset: nullable(TEXT, 'The hash that they would have in force.'),
});

export const FILES = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Path of a file of rules, as domain.yaml or tests/domain.yaml, to text.',
} as const;

export const FILE_CHANGES = {
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  description: 'Path to text; null for a file that goes. Those left out stay.',
} as const;

/** Files to be judged. With `base_digest` only the changed ones are sent: a person changes a line or two of a whole directory. */
export const JUDGED = {
  files: { ...FILE_CHANGES, description: `${FILE_CHANGES.description} Without \`base_digest\`, all files.` },
  base_digest: { type: 'string', description: 'Of the rules, now or before in force, that `files` change.' },
} as const;

export const REVISION = {
  type: 'integer',
  minimum: 1,
  description: 'The revision that was edited; 409 when a newer one has been saved since.',
} as const;

export const BASE_DIGEST = {
  type: 'string',
  description:
    'Of the rules in force that the changes were made of, as `get_rules` told it; others may be in force by now.',
} as const;

export const MERGED_DIGEST = {
  type: 'string',
  description:
    'Of rules that were in force and are merged into the files now: `digest` of `merge_rules`. The draft is one of these from then on.',
} as const;

export const DRAFT_NAME = words(80);

export const WHY = {
  ...words(300),
  description: 'Why, for the history and the audit trail.',
} as const;

const DOER = closed({ id: TEXT, name: TEXT });

const summary = {
  id: TEXT,
  name: TEXT,
  author: DOER,
  created_at: INSTANT,
  saved_by: DOER,
  saved_at: INSTANT,
  revision: INTEGER,
  base: { ...TEXT, description: 'The hash of the rules in force that it was made of.' },
  is_behind: { type: 'boolean', description: 'Other rules have come in force since.' },
  changed_files: listOf(TEXT),
  backtest: nullable(
    closed({
      revision: INTEGER,
      base: TEXT,
      candidate: TEXT,
      at: INSTANT,
      by: TEXT,
      checks: INTEGER,
      to_block: INTEGER,
      to_allow: INTEGER,
    }),
  ),
} as const;

const DRAFT_SUMMARY: LiteralSchema = record('rule_draft_summary', summary);
export const DRAFT: LiteralSchema = record('rule_draft', { ...summary, base_files: FILES, files: FILES });

export const PUBLISHED: LiteralSchema = record('rules_published', {
  state: {
    enum: ['in_force', 'refused', 'patch'],
    description: 'patch: Postern may not write the directory; apply the patch yourself.',
  },
  ruleset: nullable(TEXT),
  version: nullable(INTEGER),
  faults: listOf(TEXT),
  patch: nullable(TEXT),
  reason: nullable(TEXT),
});

const FILE_CHANGE: LiteralSchema = record('rule_file_change', {
  file: TEXT,
  change: { enum: ['added', 'deleted', 'changed'] },
  added: { ...INTEGER, description: 'Lines.' },
  removed: INTEGER,
});

const version = {
  version: INTEGER,
  ruleset: nullable(TEXT, 'Null for files that were saved and could not be compiled.'),
  digest: TEXT,
  at: INSTANT,
  author: nullable(TEXT),
  reason: { enum: ['start', 'change', 'sighup', 'rollback', 'expiry', 'draft'] },
  restores: nullable(INTEGER),
  in_force: FLAG,
  changes: listOf(FILE_CHANGE),
} as const;

export const VERSION: LiteralSchema = record('rule_version', {
  ...version,
  why: nullable(TEXT, 'What the person gave as the reason, at the dashboard.'),
});
export const OPENED_VERSION: LiteralSchema = record('rule_version_opened', { ...version, files: FILES });

export const COMPARISON: LiteralSchema = record('rule_comparison', {
  files: listOf(FILE_CHANGE),
  patch: { ...TEXT, description: 'What patch -p1 takes.' },
  faulty: listOf(
    { enum: ['before', 'after'] },
    'The sides that lint would refuse now, for which the meaning is not told.',
  ),
  changes: nullable(
    listOf(
      record('rule_change', {
        subject: TEXT,
        id: TEXT,
        change: { enum: ['added', 'removed', 'changed', 'renamed'] },
        decides: { type: 'boolean', description: 'Whether a decision can be another by it.' },
        details: listOf(closed({ what: TEXT, before: {}, after: {} })),
        concerns: listOf(TEXT),
      }),
    ),
    'What means something else; what decides comes first.',
  ),
});

export const RULES: LiteralSchema = record('rules', {
  in_force: closed({
    ruleset: TEXT,
    digest: { ...TEXT, description: 'Of the texts of the files.' },
    version: nullable(INTEGER),
    since: nullable(INSTANT),
    author: nullable(TEXT),
    files: FILES,
  }),
  directory: closed({
    path: { ...TEXT, description: 'Where rules are published: a path, or "the database".' },
    state: {
      enum: ['same', 'differs', 'unreadable'],
      description: 'What is published, against what is in force.',
    },
    changes: listOf(FILE_CHANGE),
    faults: listOf(TEXT, 'Why it cannot be read.'),
    is_writable: FLAG,
  }),
  complaint: nullable(
    closed({ kind: { enum: ['refused', 'failing'] }, at: INSTANT, faults: listOf(TEXT) }),
    'What the service last reported about what is published, where it is not fixed yet.',
  ),
  drafts: listOf(DRAFT_SUMMARY),
});

/** The facts as `describeFacts` returns them. */
export const RULE_FACTS: LiteralSchema = listOf(
  record('rule_fact', {
    id: TEXT,
    type: { type: 'string', enum: FACT_TYPES },
    values: listOf(TEXT, 'What a string may be; empty for other types.'),
    operators: listOf(TEXT),
    description: TEXT,
    example: {},
    provider: TEXT,
    never_unknown: FLAG,
    personal: FLAG,
    disabled: { ...FLAG, description: 'Its provider is switched off: it is always unknown.' },
    slot: nullable(TEXT),
  }),
);

export const LANGUAGE: LiteralSchema = record('rule_language', {
  facts: RULE_FACTS,
  schemas: {
    type: 'object',
    additionalProperties: { type: 'object' },
    description: 'JSON Schemas of the kinds of files: group, decision, signals, list, tests.',
  },
});

export function presentDraftSummary(draft: RuleDraft, inForce: RulesInForce) {
  const { createdAt, savedBy, savedAt, base, files, backtest, ...named } = draft;
  return {
    ...named,
    created_at: createdAt,
    saved_by: savedBy,
    saved_at: savedAt,
    base: base.hash,
    is_behind: base.digest !== inForce.digest,
    changed_files: changedFiles(base.files, files),
    backtest: backtest && presentBacktest(backtest),
  };
}

export function presentDraft(draft: RuleDraft, inForce: RulesInForce) {
  return { ...presentDraftSummary(draft, inForce), base_files: draft.base.files, files: draft.files };
}

function presentBacktest({ toBlock, toAllow, ...rest }: NonNullable<RuleDraft['backtest']>) {
  return { ...rest, to_block: toBlock, to_allow: toAllow };
}

export function presentPublished({ is: state, ...told }: Published) {
  return { ruleset: null, version: null, faults: [], patch: null, reason: null, state, ...told };
}

/** Adds `end_column`, up to which an editor underlines the problem. */
export function presentPlaced(problem: Problem) {
  return { ...presentProblem(problem), end_column: problem.endColumn ?? null };
}

export function presentTests(tests: RuleTests) {
  const { problems, passed, failing, hash } = tests;
  return {
    problems: problems.map(presentPlaced),
    passed,
    failing: failing.map(({ name, place: { endColumn: _end, ...place }, failures }) => {
      return { name, ...place, failures };
    }),
    refusals: refusalOf(tests),
    ruleset: hash,
  };
}

export function presentReplay(answer: ReplayAnswer) {
  if ('replay' in answer) return { state: 'done', replay: answer.replay, problems: [] };
  return { state: 'faulty', replay: null, problems: answer.problems.map(presentPlaced) };
}
