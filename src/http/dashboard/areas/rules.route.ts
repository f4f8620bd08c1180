import { Readable } from 'node:stream';
import { linesOfCsv } from '../../../lib/csv-lines.ts';
import { changeFiles } from '../../../rule-lab/editing/drafts.ts';
import type { Flip } from '../../../rule-lab/editing/list-flips.ts';
import { changesBetween } from '../../../rules/compare-files.ts';
import { describeFacts } from '../../../rules/described-facts.ts';
import { ruleSchemas } from '../../../rules/schema/rule-schemas.ts';
import { closed, INTEGER, listOf, nullable, type Of, TEXT } from '../../json-types.ts';
import { areaOf } from '../endpoint.ts';
import * as drafts from './rule-drafts.route.ts';
import { DAYS, REPLAY_ANSWER, REPLAY_OPTIONS, SHADOW } from './rule-replay.schema.ts';
import { AREA, FILES_LIMIT_BYTES, type RuleServices } from './rule-services.ts';
import * as versions from './rule-versions.route.ts';
import {
  COMPARISON,
  FILES,
  JUDGED,
  LANGUAGE,
  PROBLEMS,
  presentDraftSummary,
  presentPlaced,
  presentReplay,
  presentTests,
  RULES,
  TESTS,
} from './rules.presenter.ts';

const { define, area } = areaOf(...AREA);

const SIDE = {
  ...TEXT,
  description: '`in_force`, the id of a draft, or a version by its number or hash.',
} as const;

const TO_JUDGE = closed(JUDGED, ['base_digest']);

async function judgedFiles({ drafts }: RuleServices['editing'], { files, base_digest }: Of<typeof TO_JUDGE>) {
  const base = base_digest === undefined ? {} : (await drafts.baseOf(base_digest)).files;
  return changeFiles(base, files);
}

export const RULES_AREA = area({
  get_rules: define('GET /rules', {
    summary: 'The rules in force, what is published, and the drafts',
    answer: { description: 'As it is now.', schema: RULES },
    async handle({ editing }) {
      const { source, inForce, versions, reloader } = editing.parts;
      const now = inForce();
      const [disk, drafts, canWrite] = await Promise.all([
        source.read(),
        editing.parts.store.list(),
        source.isWritable(),
      ]);
      const last = await versions.last();
      const isLast = last?.digest === now.digest && last.hash === now.hash;
      const { complaint } = reloader;
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
          path: source.name,
          state: !disk.files ? 'unreadable' : disk.digest === now.digest ? 'same' : 'differs',
          changes: disk.files ? changesBetween(now.files, disk.files) : [],
          faults: disk.files ? [] : disk.faults,
          is_writable: canWrite,
        },
        complaint: complaint ? { kind: complaint.kind, at: complaint.at, faults: complaint.faults } : null,
        drafts: drafts.map((draft) => presentDraftSummary(draft, now)),
      };
    },
  }),

  get_rule_language: define('GET /rules/language', {
    summary: 'The language of rule files: facts, operators and the schemas of the files',
    answer: { description: 'Of the providers that are enabled.', schema: LANGUAGE },
    handle({ editing }) {
      const { catalogue } = editing.parts;
      return { facts: describeFacts(catalogue), schemas: ruleSchemas(catalogue) };
    },
  }),

  lint_rules: define('POST /rules/lint', {
    summary: 'What lint says of these files, which need not be saved',
    body: TO_JUDGE,
    bodyLimitBytes: FILES_LIMIT_BYTES,
    answer: { description: 'Every problem, by place.', schema: closed({ problems: PROBLEMS }) },
    refusals: ['rules_changed', 'rules_too_large', 'busy'],
    async handle({ editing }, { body, asking }) {
      const files = await judgedFiles(editing, body);
      const problems = await editing.parts.jobs.lint(files, asking);
      return { problems: problems.map(presentPlaced) };
    },
  }),

  test_rules: define('POST /rules/test', {
    summary: 'What the tests of these files come to',
    body: closed({ files: FILES }),
    bodyLimitBytes: FILES_LIMIT_BYTES,
    answer: { description: 'Which fail, and why the rules would not be published.', schema: TESTS },
    refusals: ['busy'],
    async handle({ editing }, { body, asking }) {
      const files = changeFiles({}, body.files);
      return presentTests(await editing.parts.jobs.test(files, asking));
    },
  }),

  replay_rules: define('POST /rules/replay', {
    summary: 'What these files would have done to the checks on record, beside the rules in force',
    body: closed({ ...JUDGED, ...REPLAY_OPTIONS }, ['base_digest']),
    bodyLimitBytes: FILES_LIMIT_BYTES,
    answer: { description: 'The figures, or the errors of the files.', schema: REPLAY_ANSWER },
    refusals: ['rules_changed', 'busy'],
    async handle({ editing }, { body, asking }) {
      const order = {
        base: editing.parts.inForce().files,
        candidate: await judgedFiles(editing, body),
        days: body.days,
        costRatio: body.cost_ratio,
      };
      return presentReplay(await editing.parts.jobs.replay(order, asking));
    },
  }),

  compare_rules: define('GET /rules/comparison', {
    summary: 'What differs between two sets, in text and in meaning',
    query: closed({ before: SIDE, after: SIDE }),
    answer: { description: 'None in `files` when they are the same.', schema: COMPARISON },
    refusals: ['not_found', 'busy'],
    async handle({ editing }, { query, asking }) {
      const [before, after] = [await editing.filesOf(query.before), await editing.filesOf(query.after)];
      return editing.parts.jobs.compare({ before, after }, asking);
    },
  }),

  merge_rules: define('POST /rules/merge', {
    summary:
      'Bring what was changed here into the rules in force, or into a draft that another person has saved',
    description:
      'Nothing is stored. Files that are neither in `base` nor in `mine` are taken as they are there.',
    body: closed({
      base: { ...FILES, description: 'What the changes were made of.' },
      mine: { ...FILES, description: 'What became of it.' },
      theirs: { ...TEXT, description: '`in_force` or the id of a draft.' },
    }),
    bodyLimitBytes: 2 * FILES_LIMIT_BYTES,
    answer: {
      description: 'Both texts between marks, as git writes them, where both changed the same lines.',
      schema: closed({
        files: FILES,
        conflicts: listOf(closed({ file: TEXT, line: { ...INTEGER, description: 'Of `mine`.' } })),
        digest: nullable(TEXT, 'Of the rules in force that are in it now; null for a draft.'),
      }),
    },
    refusals: ['not_found', 'busy'],
    async handle({ editing }, { body, asking }) {
      const [base, mine] = [changeFiles({}, body.base), changeFiles({}, body.mine)];
      const inForce = editing.parts.inForce();
      const isInForce = body.theirs === 'in_force';
      const theirs = isInForce ? inForce.files : (await editing.drafts.find(body.theirs)).files;
      const merged = await editing.parts.jobs.merge({ base, mine, theirs }, asking);
      return { ...merged, digest: isInForce ? inForce.digest : null };
    },
  }),

  get_shadow_report: define('GET /rules/shadow', {
    summary: 'What shadow rules and the challenger came to on live traffic, and whether they may be promoted',
    query: closed({ days: DAYS }),
    answer: { description: 'As `postern rules shadow` tells it.', schema: SHADOW },
    refusals: ['busy'],
    handle({ editing }, { query, asking }) {
      const { jobs, inForce } = editing.parts;
      return jobs.shadow({ files: inForce().files, days: query.days }, asking);
    },
  }),

  export_rule_flips: define('POST /rules/replay/flips.csv', {
    summary:
      'Every check on record that these files would answer otherwise than the rules in force, as a file',
    description:
      'Of the newest 100,000 live checks of those days, the newest first. A draft or a version is a filter of checks too: `flips`.',
    body: closed({ files: FILES, days: DAYS }),
    bodyLimitBytes: FILES_LIMIT_BYTES,
    answer: { description: 'A row each.', mediaType: 'text/csv; charset=utf-8' },
    refusals: ['rules_refused', 'busy'],
    async handle({ editing }, { body, asking, setHeader }) {
      const base = editing.parts.inForce().files;
      const order = { base, candidate: changeFiles({}, body.files), days: body.days };
      const flips = await editing.parts.jobs.flips(order, asking);
      setHeader('Content-Disposition', 'attachment; filename="flips.csv"');
      return Readable.from(fileOf(flips));
    },
  }),

  ...drafts.endpoints,
  ...versions.endpoints,
});

const COLUMNS = ['id', 'created_at', 'domain', 'label', 'from', 'to', 'score', 'new_score'];
/** Rows that are written at once: some milliseconds. */
const ROWS_AT_ONCE = 1_000;

function* fileOf(flips: readonly Flip[]): Generator<string> {
  yield linesOfCsv([COLUMNS]);
  for (let from = 0; from < flips.length; from += ROWS_AT_ONCE) {
    yield linesOfCsv(flips.slice(from, from + ROWS_AT_ONCE).map(cellsOf));
  }
}

function cellsOf({ id, createdAt, domain, label, from, to, score }: Flip): readonly string[] {
  const scores = [score.base, score.candidate].map(String);
  return [id, createdAt, domain ?? '', label ?? '', from, to, ...scores];
}
