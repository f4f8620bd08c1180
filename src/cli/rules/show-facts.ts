import { openCollector } from '../../app/compose/pipeline.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { describeFacts } from '../../rules/described-facts.ts';
import { loadSettings, quietLog } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { type Cell, printTable } from '../render/table.ts';
import type { Shell } from '../shell.ts';

/** Wide enough for most lists of values, narrow enough to leave room for the description. */
const VALUES_WIDTH = 36;

export async function showFacts(shell: Shell, options: CommonOptions): Promise<void> {
  const loaded = await loadSettings(shell, options);
  const { collector } = await openCollector(loaded, quietLog(shell), systemClock);
  const facts = describeFacts(collector.catalogue);
  const rows = facts.map(({ id, type, values, never_unknown, disabled, description }): Cell[] => {
    const unknown = never_unknown ? 'no' : 'yes';
    return [
      id,
      values.length === 0 ? type : wrap(values, VALUES_WIDTH),
      disabled ? { text: 'always: switched off', style: 'yellow' } : unknown,
      description,
    ];
  });
  shell.answer(options, { facts }, () =>
    printTable(shell, ['fact', 'type', 'may be unknown', 'description'], rows),
  );
}

/** `low | medium | high`, over as many lines as it needs. */
function wrap(values: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const value of values) {
    const last = lines.at(-1);
    const longer = `${last} | ${value}`;
    if (last === undefined || longer.length > width) lines.push(value);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
