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
  const head = `# ${provider.id}\n\n${inLine(provider.description)}`;
  const lines = readme.replaceAll('\r\n', '\n');
  const text = TITLE.test(lines) ? lines.replace(TITLE, () => head) : `${head}\n${lines}`;
  const declared = sectionsOf(provider).reduce((all, section) => withSection(all, section), text);
  return readme.includes('\r\n') ? declared.replaceAll('\n', '\r\n') : declared;
}

/** The title and the sentence under it, with or without a blank line between them; a heading or a table is no sentence. */
const TITLE = /^# .*(?:\n+(?![#|]).+)?/;

interface Section {
  readonly heading: string;
  /** The head of the table, then its rows. Only the head: nothing is declared, so there is no section. */
  readonly rows: readonly (readonly string[])[];
}

function sectionsOf({ facts, options, thresholds }: SignalProvider): readonly Section[] {
  const settings = (kind: string, schema: JsonSchema | undefined) => [
    [kind, 'default', 'is'],
    ...propertiesOf(schema).map(([name, property]) => [
      `\`${name}\``,
      property.default === undefined ? 'to be set' : `\`${JSON.stringify(property.default)}\``,
      String(property.description ?? ''),
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

/** A heading that ends a section. One of a lower rank belongs to the section. */
const HEADING = /^##? /;

/** Without rows, the section loses its table, where that looks like one of `tableOf`, and its heading, where nothing else stands under it. */
function withSection(readme: string, { heading, rows }: Section): string {
  const [head = [], ...body] = rows;
  const lines = readme.split('\n');
  const at = lines.indexOf(heading);
  if (at === -1 && body.length === 0) return readme;
  if (at === -1) return `${readme.trimEnd()}\n\n${heading}\n\n${tableOf(head, body).join('\n')}\n`;
  const next = lines.findIndex((line, index) => index > at && HEADING.test(line));
  const end = next === -1 ? lines.length : next;
  const section = changedSection(lines.slice(at + 1, end), head, body);
  const isLeft = section.some((line) => line.trim() !== '');
  return lines.toSpliced(at, end - at, ...(isLeft ? [heading, ...section] : [])).join('\n');
}

function changedSection(
  section: readonly string[],
  head: readonly string[],
  body: readonly (readonly string[])[],
): readonly string[] {
  const start = section.findIndex((line) => line.startsWith('|'));
  const end = section.findIndex((line, index) => index > start && !line.startsWith('|'));
  const table = start === -1 ? [] : section.slice(start, end === -1 ? undefined : end);
  const words = cellsOf(table[0] ?? '');
  const hasColumns = words.length === head.length;
  if (body.length === 0) {
    const isOurs = hasColumns && table.slice(2).every((line) => line.startsWith('| `'));
    return isOurs ? section.toSpliced(start, table.length) : section;
  }
  // The words of the head may be the author's own.
  const declared = tableOf(hasColumns ? words : head, body);
  return start === -1 ? ['', ...declared, ...section] : section.toSpliced(start, table.length, ...declared);
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

const inLine = (text: string) => text.trim().replace(/\s*[\r\n]\s*/g, ' ');
/** A line break or a bar would end the cell. */
const inCell = (text: string) => inLine(text).replaceAll('|', '\\|');
