import type { Shell } from '../shell.ts';
import { printable } from './printable.ts';

/** What keeps the figures of a report from being the whole truth, a line each; empty where nothing does. */
export function renderCaveats(shell: Shell, caveats: readonly string[]): string {
  return caveats.map((caveat) => shell.paint('yellow', `note: ${printable(caveat)}`)).join('\n');
}
