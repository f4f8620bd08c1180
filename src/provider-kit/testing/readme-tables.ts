import type { JsonSchema, SignalProvider } from '../provider.ts';

/** Properties of a section's schema, by name. */
export function propertiesOf(
  schema: JsonSchema | undefined,
): readonly (readonly [name: string, property: JsonSchema])[] {
  return Object.entries(Object(schema?.properties));
}

/**
 * A README with its title, its first sentence and its tables of facts, options and thresholds as they are declared. All other text stays;
 * a section that is missing is added at the end, and one of what is no longer declared is taken out.
 */
export function withDeclared(readme: string, provider: SignalProvider): string {
  const head = `# ${provider.id}\n\n${provider.description}`;
  const text = /^# .*\n\n.*/.test(readme) ? readme.replace(/^# .*\n\n.*/, () => head) : `${head}\n${readme}`;
  return sectionsOf(provider).reduce((all, section) => withSection(all, section), text);
}

interface Section {
  readonly heading: string;
  /** The first is the head of the table; one alone is a section that is not declared. */
  readonly rows: readonly (readonly string[])[];
}

function sectionsOf({ facts, options, thresholds }: SignalProvider): readonly Section[] {
  const settings = (kind: string, schema: JsonSchema | undefined) => [
    [kind, 'default', 'is'],
    ...propertiesOf(schema).map(([name, property]) => [
      `\`${name}\``,
      property.default === undefined ? 'to be set' : `\`${JSON.stringify(property.default)}\``,
      String(property.description),
    ]),
  ];
  return [
    {
      heading: '## Facts',
      rows: [
        ['fact', 'type or values', 'unknown', 'tells'],
        ...facts.map((fact) => [
          `\`${fact.id}\``,
          fact.values === undefined ? fact.type : fact.values.map((value) => `\`${value}\``).join(' '),
          fact.never_unknown ? 'never' : 'can be',
          fact.description,
        ]),
      ],
    },
    { heading: '## Options', rows: settings('option', options) },
    { heading: '## Thresholds', rows: settings('threshold', thresholds) },
  ];
}

function withSection(readme: string, { heading, rows }: Section): string {
  const lines = readme.split('\n');
  const at = lines.indexOf(heading);
  if (rows.length === 1) return at === -1 ? readme : withoutSection(lines, at).join('\n');
  const [head = [], ...body] = rows;
  if (at === -1) return `${readme.trimEnd()}\n\n${heading}\n\n${tableOf(head, body).join('\n')}\n`;
  const start = lines.findIndex((line, index) => index > at && line.startsWith('|'));
  const next = lines.findIndex((line, index) => index > at && line.startsWith('## '));
  if (start === -1 || (next !== -1 && next < start)) {
    lines.splice(at + 1, 0, '', ...tableOf(head, body));
    return lines.join('\n');
  }
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  // The words of the head may be the author's own.
  const kept = cellsOf(lines[start] ?? '');
  const table = tableOf(kept.length === head.length ? kept : head, body);
  lines.splice(start, (end === -1 ? lines.length : end) - start, ...table);
  return lines.join('\n');
}

function withoutSection(lines: readonly string[], at: number): readonly string[] {
  const next = lines.findIndex((line, index) => index > at && line.startsWith('## '));
  return [...lines.slice(0, at), ...(next === -1 ? [''] : lines.slice(next))];
}

function tableOf(head: readonly string[], body: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...body.map((cells) => line(cells.map(inCell)))];
}

const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** A line break or a bar would end the cell. */
const inCell = (text: string) => text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|');
