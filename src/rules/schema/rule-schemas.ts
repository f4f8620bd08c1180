import { posix } from 'node:path';
import { byId, compareKeys, lineEndOf } from '../../lib/text.ts';
import { type JsonSchema, LONGEST_TEXT } from '../../provider-kit/index.ts';
import type { CataloguedFact, FactCatalogue } from '../../signals/signals.ts';
import { mapSchema } from '../lint/fields.ts';
import { isNamedListFile, NAMED_LIST_FILE } from '../lint/read-named-lists.ts';
import { DECISION_FILE, GROUP_FILE } from '../lint/read-rule-files.ts';
import { testFileSchema } from '../lint/read-test-file.ts';
import { LIST_SCHEMA } from '../list-entries.ts';
import { conditionDefinitions } from './condition-schema.ts';

/** The folder of a rules directory that holds its schemas; a reload does not look into it. */
export const SCHEMA_FOLDER = 'schema';

type SchemaName = 'group' | 'decision' | 'signals' | 'list' | 'named_list' | 'tests';

/** Which schema an editor holds a file of the rules directory to; `path` is relative to the directory. */
export function schemaNameOf(path: string): SchemaName {
  if (path.startsWith('tests/')) return 'tests';
  if (isNamedListFile(path)) return 'named_list';
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
      ...mapSchema(GROUP_FILE.members),
      definitions: conditionDefinitions(catalogue, ['points']),
    },
    decision: {
      ...title('What the score means'),
      ...mapSchema(DECISION_FILE.members),
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
    list: { ...title('Entries of a list'), ...LIST_SCHEMA },
    named_list: { ...title('A named list'), ...mapSchema(NAMED_LIST_FILE.members) },
    tests: { ...title('Tests of rules'), ...testFileSchema(factsSchema(catalogue)) },
  };
}

function factsSchema({ facts }: FactCatalogue): JsonSchema {
  const sorted = [...facts.values()].sort(byId);
  return {
    description: 'What matters; every other fact is ordinary. null is unknown.',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(sorted.map((fact) => [fact.id, valueSchema(fact)])),
  };
}

function valueSchema({
  type,
  values = [],
  description,
  never_unknown,
  disabled,
}: CataloguedFact): JsonSchema {
  const unknown = !never_unknown || disabled ? [null] : [];
  if (type === 'string') return { description, enum: [...values, ...unknown] };
  const kind = type === 'text' || type === 'domain' ? 'string' : type;
  const length = kind === 'string' ? { minLength: 1, maxLength: LONGEST_TEXT } : {};
  return { description, type: unknown.length > 0 ? [kind, 'null'] : kind, ...length };
}

const MODE_LINE = /^# yaml-language-server: \$schema=.*/;

/** Line 1 of a file of the rules directory: where editors find its schema. `path` is relative to the directory. */
export function modeLineOf(path: string): string {
  const schema = `${SCHEMA_FOLDER}/${schemaNameOf(path)}.json`;
  return `# yaml-language-server: $schema=${posix.relative(posix.dirname(path), schema)}`;
}

/** Puts the mode line on line 1 of a YAML text. A mode line that names another schema is the author's choice, and stays. */
export function withModeLine(path: string, text: string): string {
  if (!path.endsWith('.yaml') || MODE_LINE.test(text)) return text;
  return `${modeLineOf(path)}${lineEndOf(text)}${text}`;
}
