import { posix } from 'node:path';
import { byId, compareKeys } from '../../lib/text.ts';
import type { JsonSchema } from '../../provider-kit/index.ts';
import type { CataloguedFact, FactCatalogue } from '../../signals/signals.ts';
import { ACTIONS, LEVELS } from '../decision.ts';
import { MODES } from '../definitions.ts';
import { ID } from '../lint/fields.ts';
import { MOST_POINTS } from '../lint/read-rule-files.ts';
import { conditionDefinitions, conditionsRef, type Reader } from './condition-schema.ts';

/** The folder of a rules directory that holds its schemas; a reload does not look into it. */
export const SCHEMA_FOLDER = 'schema';

type SchemaName = 'group' | 'decision' | 'signals' | 'list' | 'tests';

/** Which schema an editor holds a file of the rules directory to; `path` is relative to the directory. */
export function schemaNameOf(path: string): SchemaName {
  if (path.startsWith('tests/')) return 'tests';
  if (path === 'decision.yaml') return 'decision';
  if (path === 'signals.yaml') return 'signals';
  return path === 'allow.yaml' || path === 'deny.yaml' ? 'list' : 'group';
}

/**
 * JSON Schemas for editors, of each kind of file: what may stand where, and the facts, operators and words that there
 * are. They refuse nothing that lint accepts; lint knows more, such as which rules there are. Draft 7, which every
 * editor reads.
 */
export function ruleSchemas(catalogue: FactCatalogue): Readonly<Record<SchemaName, JsonSchema>> {
  const title = (text: string) => ({ $schema: 'http://json-schema.org/draft-07/schema#', title: text });
  return {
    group: {
      ...title('A group of rules'),
      ...object(['group', 'description', 'max_score', 'rules'], {
        group: id('The name of the group; never reused.'),
        description: text('What its rules look at.'),
        max_score: integer(0, 100, 'The sum of the group counts up to this.'),
        thresholds,
        rules: listOf(rule('points')),
      }),
      definitions: conditionDefinitions(catalogue, ['points']),
    },
    decision: {
      ...title('What the score means'),
      ...object(['levels', 'actions'], {
        description: text('What these decide.'),
        thresholds,
        forced: listOf(rule('force')),
        levels: listOf(rule('level')),
        actions: listOf(rule('action')),
      }),
      definitions: conditionDefinitions(catalogue, ['points', 'level', 'action']),
    },
    signals: {
      ...title('Thresholds that make a signal'),
      type: ['object', 'null'],
      additionalProperties: false,
      properties: Object.fromEntries(
        [...catalogue.thresholds]
          .sort(compareKeys)
          .map(([provider, { schema }]) => [provider, { anyOf: [schema, { type: 'null' }] }]),
      ),
    },
    list: {
      ...title('Entries of a list'),
      ...listOf(
        object(['value', 'reason', 'owner'], {
          value: text('user@example.org, example.org, or .example.org: the domain with its subdomains.'),
          reason: text('Why it stands here.'),
          owner: text('Whom to ask.'),
          expires,
        }),
      ),
    },
    tests: { ...title('Tests of rules'), ...testFileSchema(catalogue) },
  };
}

const thresholds: JsonSchema = {
  description: 'Numbers with a name, usable in every file as { fact: threshold.<name> }.',
  type: 'object',
  propertyNames: { pattern: ID.source },
  additionalProperties: object(['value', 'description'], {
    value: { type: 'number' },
    description: text('What begins at this number.'),
  }),
};

const expires: JsonSchema = {
  description:
    'A date, which holds to the end of that day in UTC, or a moment; then it does nothing any more.',
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2}))?$',
};

/** What each kind of rule does when it fires. */
const EFFECTS = {
  points: { points: { type: 'integer', minimum: -MOST_POINTS, maximum: MOST_POINTS, not: { const: 0 } } },
  force: { action: { enum: ACTIONS } },
  level: { level: { enum: LEVELS } },
  action: { action: { const: 'BLOCK' } },
} as const;

function rule(kind: keyof typeof EFFECTS): JsonSchema {
  const isPoints = kind === 'points';
  const reader: Reader = kind === 'force' ? 'points' : kind;
  const params = object(Object.keys(EFFECTS[kind]), EFFECTS[kind]);
  const required = ['id', 'description', 'conditions', 'event', ...(isPoints ? ['owner', 'mode'] : [])];
  return object(required, {
    id: id('The name of the rule; unique in the directory, and never reused.'),
    description: text('A sentence that a support agent can read out.'),
    owner: text('Whom to ask.'),
    mode: {
      description: 'live counts; shadow is shown in the ledger and never counts; off does nothing.',
      enum: isPoints ? MODES : MODES.filter((mode) => mode !== 'shadow'),
    },
    expires,
    conditions: conditionsRef(reader),
    event: object(['type', 'params'], { type: { const: kind }, params }),
    ...(isPoints && {
      absorbs: listOf(
        { type: 'string' },
        'Rules of this group whose points are taken back when this one fires.',
      ),
    }),
  });
}

function object(required: readonly string[], properties: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: false, required, properties };
}

/** A key with nothing but comments under it is an empty list. */
function listOf(items: JsonSchema, description?: string): JsonSchema {
  return { ...(description !== undefined && { description }), type: ['array', 'null'], items };
}

function id(description: string): JsonSchema {
  return { description, type: 'string', pattern: ID.source };
}

function text(description: string): JsonSchema {
  return { description, type: 'string', pattern: '\\S' };
}

function integer(minimum: number, maximum: number, description: string): JsonSchema {
  return { description, type: 'integer', minimum, maximum };
}

const SCORE = { type: 'integer', minimum: 0, maximum: 100 } as const;
const IDS = { type: ['array', 'null'], items: { type: ['string', 'integer'] } } as const;

/** `tests/<group>.yaml`. */
function testFileSchema({ facts }: FactCatalogue): JsonSchema {
  const sorted = [...facts.values()].sort(byId);
  return {
    type: ['array', 'null'],
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'expect'],
      anyOf: [{ required: ['facts'] }, { required: ['email'] }],
      properties: {
        name: { description: 'What the test shows.', type: 'string', pattern: '\\S' },
        email: { description: 'An address whose local signals are the facts to begin with.', type: 'string' },
        facts: {
          description: 'What matters; every other fact is ordinary. null is unknown.',
          type: 'object',
          additionalProperties: false,
          properties: Object.fromEntries(sorted.map((fact) => [fact.id, valueSchema(fact)])),
        },
        expect: EXPECTATION,
      },
    },
  };
}

const EXPECTATION: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    action: { enum: ACTIONS },
    level: { enum: LEVELS },
    score: {
      anyOf: [SCORE, { type: 'object', additionalProperties: false, properties: { min: SCORE, max: SCORE } }],
    },
    fired: { description: 'Rules that fire; absorbed and shadow ones count.', ...IDS },
    not_fired: { description: 'Rules that do not fire.', ...IDS },
  },
};

function valueSchema({
  type,
  values = [],
  description,
  never_unknown,
  disabled,
}: CataloguedFact): JsonSchema {
  const unknown = !never_unknown || disabled ? [null] : [];
  if (type === 'string') return { description, enum: [...values, ...unknown] };
  return { description, type: unknown.length > 0 ? [type, 'null'] : type };
}

const MODE_LINE = /^# yaml-language-server: \$schema=.*/;

/** Line 1 of a file of the rules directory: where editors find its schema. `path` is relative to the directory. */
export function modeLineOf(path: string): string {
  const schema = `${SCHEMA_FOLDER}/${schemaNameOf(path)}.json`;
  return `# yaml-language-server: $schema=${posix.relative(posix.dirname(path), schema)}`;
}

/** The text with its mode line on line 1; one that names another schema is an author's choice, and stays. */
export function withModeLine(path: string, text: string): string {
  return MODE_LINE.test(text) ? text : `${modeLineOf(path)}\n${text}`;
}
