import type { ProblemCode } from '../../../src/rules/problem.ts';
import { DECISION, group, is, points, when } from '../rules-directory.ts';

/** Files with one mistake. The place of its message is marked with « in one of the texts. */
export interface LintCase {
  readonly code: ProblemCode;
  readonly mistake: string;
  readonly files: Readonly<Record<string, string | undefined>>;
  readonly hint?: string;
  /** The code is of what a schema sees, but not this. */
  readonly isBeyondSchema?: true;
  /** What lint offers to write instead. */
  readonly fix?: string;
}

/** Ten points from a rule that is off, which needs no tests. */
export const quiet = points(10, 'off');
export const DISPOSABLE = when(is('domain.is_known_disposable', true));

export const rule = (text: string) => ({ 'a.yaml': group('a', { r: text }) });
export const condition = (text: string) => rule(`${quiet}, conditions: ${text}`);
export const test = (text: string) => ({ 'tests/a.yaml': `- ${text}\n` });
export const decision = (kind: string, event: string, conditions: string) => ({
  'decision.yaml': `${DECISION}${kind}:\n  - { id: x, mode: off, description: X., event: ${event}, conditions: ${conditions} }\n`,
});

/** Tests that name each rule in `fired` and in `not_fired`. */
export const tested = (...ids: readonly string[]) => ({
  'tests/a.yaml': `- { name: x, facts: {}, expect: { fired: [${ids.join(', ')}] } }\n- { name: y, facts: {}, expect: { not_fired: [${ids.join(', ')}] } }\n`,
});

/** Takes the mark out and says where it stood. */
export function unmark(files: LintCase['files']) {
  let place: string | undefined;
  const texts = Object.entries(files).map(([name, text]) => {
    const before = text?.split('«')[0];
    if (text === undefined || before === undefined || before === text) return [name, text] as const;
    const lines = before.split('\n');
    place = `rules/${name}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
    return [name, text.replace('«', '')] as const;
  });
  return { place, texts: Object.fromEntries(texts) };
}
