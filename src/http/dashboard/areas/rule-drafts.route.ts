import type { Person } from '../../../accounts/person.ts';
import type { DraftChange } from '../../../rule-lab/editing/drafts.ts';
import type { Doer, RuleDraft } from '../../../storage/rule-ports.ts';
import { closed, type Of, TEXT } from '../../json-types.ts';
import { areaOf } from '../endpoint.ts';
import { REPLAY_ANSWER, REPLAY_OPTIONS } from './rule-replay.schema.ts';
import { AREA, FILES_LIMIT_BYTES, type RuleServices } from './rule-services.ts';
import {
  BASE_DIGEST,
  DRAFT,
  DRAFT_NAME,
  FILE_CHANGES,
  MERGED_DIGEST,
  PUBLISHED,
  presentDraft,
  presentPublished,
  presentReplay,
  REVISION,
  WHY,
} from './rules.presenter.ts';

const { define } = areaOf(...AREA);

function doerOf({ id, name }: Person): Doer {
  return { id, name };
}

/** The members of a body that make or save a draft; those that are left out stay. */
const DRAFT_PARTS = { name: DRAFT_NAME, files: FILE_CHANGES, base_digest: BASE_DIGEST };
const OPTIONAL = ['name', 'files', 'base_digest'] as const;
const NEW_DRAFT = closed(DRAFT_PARTS, OPTIONAL);

function changeOf({ name, files, base_digest: baseDigest }: Of<typeof NEW_DRAFT>): DraftChange {
  return { name, files, baseDigest };
}

/** Notes the save in the audit trail, and returns the answer. */
async function saved({ trail, editing }: RuleServices, person: Person, draft: RuleDraft) {
  const { id, name, revision } = draft;
  await trail.record({ person, action: 'rules.draft_saved', subject: id, detail: { name, revision } });
  return presentDraft(draft, editing.parts.inForce());
}

export const endpoints = {
  create_rule_draft: define('POST /rules/drafts', {
    summary: 'Save changes of the rules in force as a draft',
    body: NEW_DRAFT,
    bodyLimitBytes: FILES_LIMIT_BYTES,
    answer: { status: 201, description: 'The draft.', schema: DRAFT },
    refusals: ['name_taken', 'rules_changed'],
    async handle(services, { body, person }) {
      return saved(services, person, await services.editing.drafts.create(doerOf(person), changeOf(body)));
    },
  }),

  draft_challenger: define('POST /rules/challenger/draft', {
    summary: 'Begin a draft of what the challenger is made of, to be published like any',
    description:
      'Without `signals.yaml`, `allow.yaml` and `deny.yaml`, of which facts are made: it saw those of the rules in force. The tests in force stay where it has none.',
    body: closed({ ruleset: { ...TEXT, description: 'The hash of the challenger that was looked at.' } }),
    answer: { status: 201, description: 'The draft.', schema: DRAFT },
    refusals: ['not_found', 'challenger_changed'],
    async handle(services, { body, person }) {
      const draft = await services.editing.draftOfChallenger(doerOf(person), body.ruleset);
      return saved(services, person, draft);
    },
  }),

  get_rule_draft: define('GET /rules/drafts/{draft_id}', {
    summary: 'A draft with its files, and those that it was made of',
    answer: { description: 'As it was saved last.', schema: DRAFT },
    async handle({ editing: { drafts, parts } }, { params }) {
      return presentDraft(await drafts.find(params.draft_id), parts.inForce());
    },
  }),

  save_rule_draft: define('PATCH /rules/drafts/{draft_id}', {
    summary: 'Save a draft',
    body: closed({ revision: REVISION, ...DRAFT_PARTS, base_digest: MERGED_DIGEST }, OPTIONAL),
    bodyLimitBytes: FILES_LIMIT_BYTES,
    answer: { description: 'The next revision of it.', schema: DRAFT },
    refusals: ['draft_changed', 'name_taken', 'rules_changed'],
    async handle(services, { params, body, person }) {
      const { drafts } = services.editing;
      const draft = await drafts.save(params.draft_id, body.revision, doerOf(person), changeOf(body));
      return saved(services, person, draft);
    },
  }),

  discard_rule_draft: define('DELETE /rules/drafts/{draft_id}', {
    summary: 'Discard a draft',
    answer: { description: 'It is gone.' },
    async handle(services, { params, person }) {
      const { drafts } = services.editing;
      const { id, name } = await drafts.find(params.draft_id);
      await drafts.discard(id);
      await services.trail.record({ person, action: 'rules.draft_discarded', subject: id, detail: { name } });
    },
  }),

  backtest_rule_draft: define('POST /rules/drafts/{draft_id}/backtest', {
    summary: 'The step before publishing: what the draft would have done, noted in it',
    body: closed({ revision: REVISION, ...REPLAY_OPTIONS }),
    answer: { description: 'The figures, or the errors of the draft.', schema: REPLAY_ANSWER },
    refusals: ['draft_changed', 'busy'],
    async handle({ editing }, { params, body, person }) {
      const draft = await editing.drafts.at(params.draft_id, body.revision);
      const how = { days: body.days, costRatio: body.cost_ratio };
      return presentReplay(await editing.drafts.backtest(draft, doerOf(person), how));
    },
  }),

  publish_rule_draft: define('POST /rules/drafts/{draft_id}/publish', {
    summary: 'Publish a draft and wait until it is in force',
    description: 'What was backtested is published: the same revision, against the rules in force now.',
    body: closed({ revision: REVISION, why: WHY }, ['why']),
    answer: { description: 'Whether it is in force.', schema: PUBLISHED },
    refusals: [
      ...(['draft_changed', 'backtest_required', 'rules_changed', 'rules_refused'] as const),
      ...(['rules_not_written', 'busy'] as const),
    ],
    async handle(services, { params, body, person }) {
      const { editing } = services;
      const draft = await editing.drafts.at(params.draft_id, body.revision);
      const published = await editing.publish(draft, person.email);
      const { backtest, name, base } = draft;
      if (published.is === 'in_force') {
        const { ruleset: subject, version } = published;
        const figures = backtest && {
          checks: backtest.checks,
          to_block: backtest.toBlock,
          to_allow: backtest.toAllow,
        };
        const detail = { draft: draft.id, name, version, before: base.hash, why: body.why, ...figures };
        await services.trail.record({ person, action: 'rules.published', subject, detail });
      }
      return presentPublished(published);
    },
  }),
};
