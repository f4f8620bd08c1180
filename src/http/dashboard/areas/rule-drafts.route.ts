import type { Person } from '../../../accounts/person.ts';
import type { Doer, RuleDraft } from '../../../storage/rule-ports.ts';
import { closed, listOf, TEXT } from '../../json-types.ts';
import { endpointsWith } from '../endpoint.ts';
import { REPLAY_ANSWER, REPLAY_OPTIONS } from './rule-replay.schema.ts';
import { ANALYSTS, FILES_LIMIT_BYTES, type RuleServices } from './rule-services.ts';
import { presentDraft, presentPublished, presentReplay } from './rules.presenter.ts';
import { BASE_DIGEST, DRAFT, DRAFT_NAME, FILE_CHANGES, PUBLISHED, REVISION } from './rules.schema.ts';

const define = endpointsWith<RuleServices>();

function doerOf({ id, name }: Person): Doer {
  return { id, name };
}

function noteSaved(
  { trail }: RuleServices,
  person: Person,
  { id, name, revision }: RuleDraft,
): Promise<void> {
  return trail.record({ person, action: 'rules.draft_saved', subject: id, detail: { name, revision } });
}

export const endpoints = {
  create_rule_draft: define('POST /rules/drafts', {
    summary: 'Save changes of the rules in force as a draft',
    access: ANALYSTS,
    body: closed({ name: DRAFT_NAME, files: FILE_CHANGES, base_digest: BASE_DIGEST }, [
      'name',
      'files',
      'base_digest',
    ]),
    bodyLimitBytes: FILES_LIMIT_BYTES,
    answer: { status: 201, description: 'The draft.', schema: DRAFT },
    refusals: ['invalid_request', 'rules_changed'],
    async handle(services, { body, person }) {
      const { drafts, parts } = services.editing;
      const draft = await drafts.create(doerOf(person), { ...body, baseDigest: body.base_digest });
      await noteSaved(services, person, draft);
      return presentDraft(draft, parts.inForce());
    },
  }),

  get_rule_draft: define('GET /rules/drafts/{draft_id}', {
    summary: 'A draft with its files, and those that it was made of',
    access: ANALYSTS,
    answer: { description: 'As it was saved last.', schema: DRAFT },
    refusals: ['not_found'],
    async handle({ editing: { drafts, parts } }, { params }) {
      return presentDraft(await drafts.find(params.draft_id), parts.inForce());
    },
  }),

  save_rule_draft: define('PATCH /rules/drafts/{draft_id}', {
    summary: 'Save a draft',
    access: ANALYSTS,
    body: closed({ revision: REVISION, name: DRAFT_NAME, files: FILE_CHANGES }, ['name', 'files']),
    bodyLimitBytes: FILES_LIMIT_BYTES,
    answer: { description: 'The next revision of it.', schema: DRAFT },
    refusals: ['not_found', 'draft_changed', 'invalid_request'],
    async handle(services, { params, body, person }) {
      const { drafts, parts } = services.editing;
      const draft = await drafts.save(params.draft_id, body.revision, doerOf(person), body);
      await noteSaved(services, person, draft);
      return presentDraft(draft, parts.inForce());
    },
  }),

  discard_rule_draft: define('DELETE /rules/drafts/{draft_id}', {
    summary: 'Discard a draft',
    access: ANALYSTS,
    answer: { description: 'It is gone.' },
    refusals: ['not_found'],
    async handle(services, { params, person }) {
      const { drafts } = services.editing;
      const { id, name } = await drafts.find(params.draft_id);
      await drafts.discard(id);
      await services.trail.record({ person, action: 'rules.draft_discarded', subject: id, detail: { name } });
      return undefined;
    },
  }),

  bring_rule_draft_up: define('POST /rules/drafts/{draft_id}/bring-up', {
    summary: 'Make a draft one of the rules that are in force now',
    access: ANALYSTS,
    body: closed(
      {
        revision: REVISION,
        chosen: {
          type: 'object',
          additionalProperties: { enum: ['mine', 'theirs'] },
          description: 'By file in which both changed the same lines: the side to keep.',
        },
      },
      ['chosen'],
    ),
    answer: {
      description: 'The next revision of it, or null and the files for which a side must be chosen.',
      schema: closed({ draft: { anyOf: [DRAFT, { type: 'null' }] }, conflicts: listOf(TEXT) }),
    },
    refusals: ['not_found', 'draft_changed', 'busy'],
    async handle(services, { params, body, person }) {
      const { drafts, parts } = services.editing;
      const up = await drafts.bringUp(params.draft_id, body.revision, doerOf(person), body.chosen ?? {});
      if ('conflicts' in up) return { draft: null, conflicts: [...up.conflicts] };
      await noteSaved(services, person, up.draft);
      return { draft: presentDraft(up.draft, parts.inForce()), conflicts: [] };
    },
  }),

  backtest_rule_draft: define('POST /rules/drafts/{draft_id}/backtest', {
    summary: 'The step before publishing: what the draft would have done, noted in it',
    access: ANALYSTS,
    body: closed({ revision: REVISION, ...REPLAY_OPTIONS }),
    answer: { description: 'The figures, or the errors of the draft.', schema: REPLAY_ANSWER },
    refusals: ['not_found', 'draft_changed', 'busy'],
    async handle({ editing }, { params, body, person }) {
      const draft = await editing.drafts.at(params.draft_id, body.revision);
      const how = { days: body.days, costRatio: body.cost_ratio };
      return presentReplay(await editing.drafts.backtest(draft, doerOf(person), how));
    },
  }),

  publish_rule_draft: define('POST /rules/drafts/{draft_id}/publish', {
    summary: 'Write a draft into the rules directory and wait until it is in force',
    description: 'What was backtested is published: the same revision, against the rules in force now.',
    access: ANALYSTS,
    body: closed({ revision: REVISION }),
    answer: { description: 'Whether it is in force.', schema: PUBLISHED },
    refusals: [
      ...(['not_found', 'draft_changed', 'backtest_required', 'rules_changed', 'rules_refused'] as const),
      ...(['rules_not_written', 'busy'] as const),
    ],
    async handle(services, { params, body, person }) {
      const { editing } = services;
      const draft = await editing.drafts.at(params.draft_id, body.revision);
      const published = await editing.publish(draft, person.email);
      const { backtest, name, base } = draft;
      if (published.is === 'in_force') {
        const detail = {
          draft: draft.id,
          name,
          version: published.version,
          before: base.hash,
          ...(backtest && {
            checks: backtest.checks,
            to_block: backtest.toBlock,
            to_allow: backtest.toAllow,
          }),
        };
        await services.trail.record({ person, action: 'rules.published', subject: published.hash, detail });
      }
      return presentPublished(published);
    },
  }),
};
