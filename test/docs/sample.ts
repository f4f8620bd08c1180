import { expect } from 'vitest';
import { fencesOf, readPage } from './markdown.ts';

/** On a line of its own: lines that are left out. */
const LEFT_OUT = '…\n';

/**
 * Holds what docs/cli.md shows of a command to what it printed, line for line. The hashes of rule sets are any: they change with
 * each shipped rule.
 */
export function expectSample(command: string, printed: string): void {
  const prompt = `$ postern ${command}\n`;
  const fence = fencesOf(readPage('docs/cli.md')).find(({ text }) => text.startsWith(prompt));
  if (!fence) throw new Error(`docs/cli.md shows nothing of: postern ${command}`);
  const text = withoutHashes(printed);
  const parts = withoutHashes(fence.text.slice(prompt.length)).split(LEFT_OUT);
  let end = 0;
  for (const [index, part] of parts.entries()) {
    const rest = text.slice(end);
    const place = index === 0 ? 0 : rest.indexOf(`\n${part}`) + 1;
    expect(rest.slice(place, place + part.length)).toBe(part);
    end += place + part.length;
  }
  expect(parts.at(-1) === '' ? '' : text.slice(end)).toBe('');
}

const withoutHashes = (text: string) => text.replace(/\b[0-9a-f]{16}\b/g, '<ruleset>');

const shapeOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.slice(0, 1).map(shapeOf)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]))
      : null;

/** Members by path, as the example of this name in docs/cli.md has them. */
export function expectDocumented(name: string, value: unknown): void {
  const example = new RegExp(`^\`\`\`json ${name}\\n(.*)\\n\`\`\``, 'm').exec(readPage('docs/cli.md'))?.[1];
  expect(shapeOf(value)).toEqual(shapeOf(JSON.parse(example ?? 'null')));
}
