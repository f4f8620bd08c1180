import { changeFiles } from '../../../rule-lab/editing/drafts.ts';
import type { ReplayAnswer } from '../../../rule-lab/editing/rule-jobs.ts';
import { isWritable, readRulesOnDisk } from '../../../rule-lab/versions/restore-version.ts';
import { changesBetween } from '../../../rules/compare-files.ts';
import { describeFacts } from '../../../rules/describe-facts.ts';
import { ruleSchemas } from '../../../rules/schema/rule-schemas.ts';
import { endpointsWith } from '../endpoint.ts';
import { closed, TEXT } from '../json-types.ts';
import { presentDraftSummary } from './draft.presenter.ts';
import { FILES } from './draft.schema.ts';
import { presentProblem, presentTests } from './problem.presenter.ts';
import { PROBLEMS, TESTS } from './problem.schema.ts';
import { REPLAY_ANSWER } from './replay.schema.ts';
import type { RuleServices } from './rule-services.ts';
import { LANGUAGE, RULES } from './rules.schema.ts';
import { SHADOW } from './shadow.schema.ts';
import { COMPARISON } from './version.schema.ts';

const define = endpointsWith<RuleServices>();
const ANALYSTS = { operator: 'analyst' } as const;
/** A directory of rules with a long deny list. */
export const FILES_LIMIT_BYTES = 5_000_000;
const DAYS = {
  type: 'integer',
  minimum: 1,
  maximum: 365,
  default: 30,
  description: 'Of records, back from now.',
} as const;

/** How a replay is asked for. */
export const HOW = {
  days: DAYS,
  cost_ratio: {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 1000,
    default: 1,
    description: 'How many bad signups let in cost as much as one good one turned away.',
  },
} as const;

export const getRules = define({
  method: 'GET',
  path: '/rules',
  operationId: 'get_rules',
  summary: 'The rules in force, what lies in the directory, and the drafts',
  access: ANALYSTS,
  answer: { status: 200, description: 'As it is now.', schema: RULES },
  async handle({ workbench }) {
    const { dir, inForce, versions, keeper } = workbench.parts;
    const now = inForce();
    const [disk, drafts, canWrite] = await Promise.all([
      readRulesOnDisk(dir),
      workbench.drafts.list(),
      isWritable(dir),
    ]);
    const last = await versions.last();
    const isLast = last?.digest === now.digest && last.hash === now.hash;
    const { complaint } = keeper;
    return {
      in_force: {
        ruleset: now.hash,
        digest: now.digest,
        version: isLast ? last.version : null,
        since: isLast ? last.at : null,
        author: isLast ? last.author : null,
        files: now.files,
      },
      directory: {
        path: dir,
        state: !disk.files ? 'unreadable' : disk.digest === now.digest ? 'same' : 'differs',
        changes: disk.files ? changesBetween(now.files, disk.files) : [],
        faults: disk.files ? [] : disk.faults,
        is_writable: canWrite,
      },
      complaint: complaint ? { kind: complaint.kind, at: complaint.at, faults: complaint.faults } : null,
      drafts: drafts.map((draft) => presentDraftSummary(draft, now)),
    };
  },
});

export const getLanguage = define({
  method: 'GET',
  path: '/rules/language',
  operationId: 'get_rule_language',
  summary: 'What may stand in rule files: facts, operators and the schemas of the files',
  access: ANALYSTS,
  answer: { status: 200, description: 'Of the providers that are enabled.', schema: LANGUAGE },
  handle({ workbench }) {
    const { catalogue } = workbench.parts;
    return { facts: describeFacts(catalogue), schemas: ruleSchemas(catalogue) };
  },
});

const PAGE = {
  ...TEXT,
  maxLength: 64,
  description: 'Of one page at a time only the last question is answered.',
} as const;

export const lintFiles = define({
  method: 'POST',
  path: '/rules/lint',
  operationId: 'lint_rules',
  summary: 'What lint says of these files, which nobody has saved yet',
  access: ANALYSTS,
  body: closed({ files: FILES, page: { ...PAGE, default: '' } }),
  bodyLimitBytes: FILES_LIMIT_BYTES,
  answer: {
    status: 200,
    description: 'Every problem, by place.',
    schema: closed({ state: { enum: ['done', 'given_up'] }, problems: PROBLEMS }),
  },
  refusals: ['invalid_request', 'rules_too_large', 'busy'],
  async handle({ workbench }, { body, person, signal }) {
    const files = changeFiles({}, body.files);
    const problems = await workbench.lint(files, { person: person.id, page: body.page, signal });
    if (!problems) return { state: 'given_up' as const, problems: [] };
    return { state: 'done' as const, problems: problems.map(presentProblem) };
  },
});

export const testFiles = define({
  method: 'POST',
  path: '/rules/test',
  operationId: 'test_rules',
  summary: 'What the tests of these files come to',
  access: ANALYSTS,
  body: closed({ files: FILES }),
  bodyLimitBytes: FILES_LIMIT_BYTES,
  answer: {
    status: 200,
    description: 'Which fail, and why the rules would not be published.',
    schema: TESTS,
  },
  refusals: ['invalid_request', 'busy'],
  async handle({ workbench }, { body, person, signal }) {
    const files = changeFiles({}, body.files);
    return presentTests(await workbench.parts.bench.test(files, { asker: person.id, signal }));
  },
});

export const replayFiles = define({
  method: 'POST',
  path: '/rules/replay',
  operationId: 'replay_rules',
  summary: 'What these files would have done to the checks on record, beside the rules in force',
  access: ANALYSTS,
  body: closed({
    files: FILES,
    page: PAGE,
    ...HOW,
  }),
  bodyLimitBytes: FILES_LIMIT_BYTES,
  answer: { status: 200, description: 'The figures, or the errors of the files.', schema: REPLAY_ANSWER },
  refusals: ['invalid_request', 'busy'],
  async handle({ workbench }, { body, person, signal }) {
    const order = {
      base: workbench.parts.inForce().files,
      candidate: changeFiles({}, body.files),
      days: body.days,
      costRatio: body.cost_ratio,
    };
    return presentReplay(await workbench.replay(order, { person: person.id, page: body.page, signal }));
  },
});

/** Undefined where it was given up. */
export function presentReplay(answer: ReplayAnswer | undefined) {
  if (answer === undefined) return { state: 'given_up', replay: null, problems: [] };
  if ('replay' in answer) return { state: 'done', replay: answer.replay, problems: [] };
  return { state: 'faulty', replay: null, problems: answer.problems.map(presentProblem) };
}

const SIDE = {
  ...TEXT,
  description: '`in_force`, the id of a draft, or a version by its number or hash.',
} as const;

export const compareRules = define({
  method: 'GET',
  path: '/rules/comparison',
  operationId: 'compare_rules',
  summary: 'What differs between two sets, in text and in meaning',
  access: ANALYSTS,
  query: closed({ before: SIDE, after: SIDE }),
  answer: { status: 200, description: 'None in `files` when they are the same.', schema: COMPARISON },
  refusals: ['not_found', 'busy'],
  async handle({ workbench }, { query, person, signal }) {
    const [before, after] = [await workbench.filesOf(query.before), await workbench.filesOf(query.after)];
    return workbench.parts.bench.compare({ before, after }, { asker: person.id, signal });
  },
});

export const getShadow = define({
  method: 'GET',
  path: '/rules/shadow',
  operationId: 'get_shadow_report',
  summary: 'What shadow rules and the challenger came to on live traffic, and whether they may be promoted',
  access: ANALYSTS,
  query: closed({ days: DAYS }),
  answer: { status: 200, description: 'As `postern rules shadow` tells it.', schema: SHADOW },
  refusals: ['busy'],
  handle({ workbench }, { query, person, signal }) {
    const { bench, inForce } = workbench.parts;
    return bench.shadow({ files: inForce().files, days: query.days }, { asker: person.id, signal });
  },
});
