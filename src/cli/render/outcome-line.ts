import type { Decision } from '../../rules/decision.ts';
import type { Shell } from '../shell.ts';
import { styleOf } from './outcome-style.ts';
import { printable } from './printable.ts';

/** `BLOCK   85  high    jane@mailinator.com`, and after it whatever else is to be said. */
export function renderOutcome(
  shell: Shell,
  { action, score, level }: Pick<Decision, 'action' | 'score' | 'level'>,
  name: string,
  remarks: readonly string[] = [],
): string {
  return [
    shell.paint(styleOf(action).style, action),
    String(score).padStart(3),
    shell.paint(styleOf(level).style, level.padEnd(6)),
    printable(name),
    ...remarks,
  ].join('  ');
}

export function indent(block: string): string {
  return block.replace(/^(?=.)/gm, '  ');
}
