import type { Cursor } from './cursor.ts';
import type { Names, RuleFiles } from './names.ts';
import { namesIn } from './names.ts';
import { isSchema, type Schema, schemasAt } from './schema.ts';

export interface Suggestion {
  /** The text that is inserted. */
  readonly text: string;
  readonly kind: 'key' | 'value' | 'fact' | 'threshold' | 'condition' | 'list' | 'rule' | 'whole';
  /** One sentence; empty where nothing is told. */
  readonly description: string;
  /** A key that has to be there. */
  readonly isRequired?: boolean;
  /** For the kind `whole`: the lines to insert, with `<what>` where something is to be filled in. */
  readonly template?: string;
}

export interface RuleLanguage {
  readonly facts: readonly {
    readonly id: string;
    readonly type: string;
    readonly values: readonly string[];
    readonly operators: readonly string[];
    readonly description: string;
    readonly provider: string;
    readonly never_unknown: boolean;
    readonly personal: boolean;
    readonly disabled: boolean;
  }[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** The schema that a file is held to, as the service chooses it. */
export function schemaNameOf(path: string): string {
  if (path.startsWith('tests/')) return 'tests';
  if (path.startsWith('lists/')) return 'named_list';
  if (path === 'decision.yaml') return 'decision';
  if (path === 'signals.yaml') return 'signals';
  return path === 'allow.yaml' || path === 'deny.yaml' ? 'list' : 'group';
}

/** What may be written at the cursor. */
export function suggestionsAt(
  { path, at, document, siblings }: Cursor,
  file: string,
  files: RuleFiles,
  { schemas }: RuleLanguage,
): readonly Suggestion[] {
  const root = schemas[schemaNameOf(file)];
  if (root === undefined) return [];
  const found = schemasAt(root, document, path);
  const names = namesIn(files);
  // The schema of a list of rule ids says nothing of its values: such a list is known by its key.
  const listed =
    at === 'value' ? namesFor(path.filter((step) => typeof step === 'string').at(-1), names) : [];
  const all =
    at === 'key'
      ? found.flatMap((schema) => keysOf(schema)).filter(({ text }) => !siblings.includes(text))
      : [
          ...found.flatMap(wholeOf),
          ...found.flatMap((schema) => valuesOf(schema, names)),
          ...listed,
          ...startsOf(found),
        ];
  const required = (one: Suggestion) => Number(one.isRequired ?? one.kind === 'whole');
  return [...new Map(all.map((one) => [one.text, one])).values()].toSorted(
    (a, b) => required(b) - required(a),
  );
}

function keysOf({ properties, required }: Schema): readonly Suggestion[] {
  if (!isSchema(properties)) return [];
  return Object.entries(properties).map(([text, schema]) => ({
    text: `${text}:`,
    kind: 'key',
    description: descriptionOf(schema),
    isRequired: Array.isArray(required) && required.includes(text),
  }));
}

/** The template of the value of each required key of a rule. */
const PARTS: Readonly<Record<string, string>> = {
  id: '<name>',
  description: '<A sentence that a support agent can read out.>',
  owner: '<risk>',
  mode: '<shadow>',
  conditions: '\n  all:\n    - { fact: <fact>, operator: <equal>, value: <true> }',
};
const PARAMS: Readonly<Record<string, string>> = {
  points: 'points: <10>',
  force: 'action: <BLOCK>',
  level: 'level: <high>',
  action: 'action: <BLOCK>',
};

/** In a list of rules: a template of a rule with every required key. */
function wholeOf({ type, required, properties }: Schema): readonly Suggestion[] {
  const keys = Array.isArray(required) ? required.map(String) : [];
  if (type !== 'object' || !isSchema(properties)) return [];
  if (!['id', 'conditions', 'event'].every((key) => keys.includes(key))) return [];
  const { event } = properties;
  const kind = isSchema(event) && isSchema(event.properties) ? event.properties.type : undefined;
  const word = isSchema(kind) ? String(kind.const) : '';
  const params = PARAMS[word];
  if (params === undefined) return [];
  const parts = { ...PARTS, event: `{ type: ${word}, params: { ${params} } }` };
  const lines = keys.map((key) => {
    const part = parts[key as keyof typeof parts] ?? '<>';
    return part.startsWith('\n') ? `${key}:${part}` : `${key}: ${part}`;
  });
  const template = lines.join('\n');
  const description = 'A rule with every key that it has to have; Tab goes from one gap to the next.';
  return [{ text: 'a whole rule', kind: 'whole', description, template }];
}

/** In a list of mappings an item can begin with any of their keys. */
function startsOf(schemas: readonly Schema[]): readonly Suggestion[] {
  return schemas.flatMap((schema) => (schema.type === 'object' ? keysOf(schema) : []));
}

function valuesOf(schema: Schema, names: Names): readonly Suggestion[] {
  const description = descriptionOf(schema);
  if ('const' in schema) return [{ text: String(schema.const), kind: kindOf(schema), description }];
  if (Array.isArray(schema.enum)) {
    return schema.enum.map((value) => ({ text: String(value), kind: 'value', description: '' }));
  }
  if (schema.type === 'boolean') {
    return ['true', 'false'].map((text) => ({ text, kind: 'value', description }));
  }
  if (typeof schema.pattern === 'string' && schema.pattern.startsWith('^threshold')) {
    return names.thresholds.map(({ name, value, description: text }) => ({
      text: `threshold.${name}`,
      kind: 'threshold',
      description: `${String(value)}: ${text}`,
    }));
  }
  if (description.startsWith(LIST_OF_RULES)) {
    return names.lists.map(({ name, description: text, file }) => ({
      text: name,
      kind: 'list',
      description: text === '' ? file : text,
    }));
  }
  if (description.startsWith(NAMED_CONDITION)) {
    return names.conditions.map(({ name, description: text, means }) => ({
      text: name,
      kind: 'condition',
      description: `${text} It is ${means}`,
    }));
  }
  return [];
}

/** How the schema describes the name of a condition. */
const NAMED_CONDITION = 'A named condition';
/** How the schema describes the name of a list on the right of `in_list`. */
const LIST_OF_RULES = 'A list of the rules directory';

/** A `const` with a description is a fact; other words of the language have no description. */
function kindOf({ description }: Schema): Suggestion['kind'] {
  return typeof description === 'string' ? 'fact' : 'value';
}

const RULE_LISTS: readonly unknown[] = ['absorbs', 'fired', 'not_fired'];

function namesFor(key: string | undefined, { rules }: Names): readonly Suggestion[] {
  if (!RULE_LISTS.includes(key)) return [];
  return rules.map(({ id, description }) => ({ text: id, kind: 'rule', description }));
}

function descriptionOf(schema: unknown): string {
  return isSchema(schema) && typeof schema.description === 'string' ? schema.description : '';
}
