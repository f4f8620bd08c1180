import { setImmediate as afterPendingIo } from 'node:timers/promises';
import { HOUR_MS, isoTime } from '../../../lib/time.ts';
import { openVersion, presentVersion } from '../../../rule-lab/versions/rule-versions.ts';
import type { AuditStore, TrailSelection } from '../../../storage/people-ports.ts';
import { closed, type LiteralSchema, listOf } from '../../json-types.ts';
import { areaOf } from '../endpoint.ts';
import { AREA } from './rule-services.ts';
import { OPENED_VERSION, PUBLISHED, presentPublished, VERSION, WHY } from './rules.presenter.ts';

const { define } = areaOf(...AREA);

const HISTORY: LiteralSchema = closed({ total: { type: 'integer' }, versions: listOf(VERSION) });

/** Audit entries that are read for each action: more than a page of the history shows. */
const MOST_ACTS = 200;

/** The reasons that people gave, by version, from the newest audit entries of a time. */
async function reasonsIn(
  audit: AuditStore,
  time: Pick<TrailSelection, 'since' | 'until'>,
): Promise<ReadonlyMap<unknown, string>> {
  const actions = ['rules.published', 'rules.rolled_back'] as const;
  const found = await Promise.all(actions.map((action) => audit.list({ ...time, action, limit: MOST_ACTS })));
  return new Map(
    found.flat().flatMap(({ detail: { version, why } }) => (typeof why === 'string' ? [[version, why]] : [])),
  );
}

export const endpoints = {
  list_rule_versions: define('GET /rules/versions', {
    summary: 'Every set of rules that was in force, the newest first',
    query: closed({
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 30 },
      before: {
        type: 'integer',
        minimum: 1,
        default: 1_000_000_000,
        description: 'Older than this version.',
      },
    }),
    answer: { description: 'With what each changed.', schema: HISTORY },
    async handle({ editing: { parts }, audit }, { query }) {
      const list = await parts.versions.list();
      const wanted = list.filter(({ version }) => version < query.before).slice(0, query.limit);
      const [newest, oldest] = [wanted[0], wanted.at(-1)];
      // The entry of a version is made once the version is in force.
      const until = newest && isoTime(Date.parse(newest.at) + HOUR_MS);
      const reasons = await reasonsIn(audit, { since: oldest?.at, until });
      const versions: (ReturnType<typeof presentVersion> & { readonly why: string | null })[] = [];
      for (const version of wanted) {
        // Counting the lines of two long lists takes 20 ms: checks that have arrived are answered in between.
        await afterPendingIo();
        const opened = presentVersion(await openVersion(parts.versions, list, version));
        versions.push({ ...opened, why: reasons.get(version.version) ?? null });
      }
      return { total: list.length, versions };
    },
  }),

  get_rule_version: define('GET /rules/versions/{version}', {
    summary: 'A set of rules that was in force, with its files',
    answer: { description: 'By its number, its hash, or the beginning of it.', schema: OPENED_VERSION },
    async handle({ editing }, { params }) {
      const { versions } = editing.parts;
      const found = await editing.version(params.version);
      const opened = await openVersion(versions, await versions.list(), found);
      return { ...presentVersion(opened), files: opened.files };
    },
  }),

  roll_rules_back: define('POST /rules/versions/{version}/rollback', {
    summary: 'Write the files of a version back and wait until they are in force',
    body: closed(
      {
        keep_lists: {
          type: 'boolean',
          default: false,
          description: 'Leaves allow.yaml and deny.yaml as they are.',
        },
        why: WHY,
      },
      ['why'],
    ),
    answer: { description: 'Whether it is in force.', schema: PUBLISHED },
    refusals: ['rules_changed', 'rules_refused', 'rules_not_written', 'busy'],
    async handle(services, { params, body, person }) {
      const { publisher } = services.editing;
      const found = await services.editing.version(params.version);
      const published = await publisher.rollBack(found, person.email, body.keep_lists);
      if (published.is === 'in_force') {
        const { ruleset: subject, version } = published;
        const { keep_lists, why } = body;
        const detail = { restores: found.version, version, keep_lists, why };
        await services.trail.record({ person, action: 'rules.rolled_back', subject, detail });
      }
      return presentPublished(published);
    },
  }),
};
