import type { Shell } from '../shell.ts';
import { renderTable } from './table.ts';

/** Facts that are unknown, each with its reason. */
export function renderReasons(shell: Shell, unknown: Readonly<Record<string, string>>): string {
  return renderTable(
    shell,
    ['unknown', 'because'],
    Object.entries(unknown).map(([fact, reason]) => [fact, reason]),
  );
}
