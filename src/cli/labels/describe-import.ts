import type { RowFaults } from '../../lib/row-files/row-faults.ts';
import { whole } from '../../lib/statistics.ts';
import type { LabelChanges } from '../../storage/label-store.ts';
import type { Shell } from '../shell.ts';

/** What a file of labels held, and what became of it. */
export interface Import {
  readonly file: string;
  readonly account: string;
  readonly rows: number;
  readonly unlabelled: number;
  readonly repeated: number;
  readonly faults: RowFaults;
  /** Recorded checks that the labels are for, and labels that are for none. */
  readonly reach: { readonly checks: number; readonly unmatched: number };
  readonly changes: LabelChanges;
  /** False after a dry run, and where rows at fault kept it from being done. */
  readonly isStored: boolean;
}

export function presentImport(found: Import): Record<string, unknown> {
  const { rows, unlabelled, repeated, faults, reach, changes } = found;
  const { added, changed, same, older, absent } = changes;
  return {
    account_id: found.account,
    stored: found.isStored,
    rows: { read: rows, unlabelled, repeated, at_fault: faults.count },
    labels: { new: added, changed, same, older, absent },
    checks: reach.checks,
    unmatched: reach.unmatched,
    faults: faults.all,
  };
}

export function printImport(shell: Shell, found: Import): void {
  const { file, rows, unlabelled, repeated, faults, reach, changes, isStored } = found;
  for (const line of faults.describe(file)) shell.note(line);
  shell.print(
    listed(`${file}: ${count(rows, 'row')}`, [
      [unlabelled, 'without a label'],
      [repeated, 'of a check or person that another row has'],
      [faults.count, 'at fault'],
    ]),
  );
  const { added, changed, same, older, absent } = changes;
  shell.print(
    listed(`${isStored ? 'stored' : 'would be stored'}: ${whole(added)} new`, [
      [changed, 'changed'],
      [same, 'the same as before'],
      [older, 'left out: what stands was told later'],
      [absent, 'left out: no such check is on record'],
    ]),
  );
  const none = reach.unmatched > 0 ? `; ${whole(reach.unmatched)} match none` : '';
  shell.print(`they are for ${count(reach.checks, 'recorded check')}${none}`);
  if (!isStored && faults.count > 0) {
    shell.note('nothing is stored while a row is at fault: mend the file, or --skip-bad-rows');
  }
}

function listed(head: string, parts: readonly (readonly [count: number, what: string])[]): string {
  const there = parts.filter(([counted]) => counted > 0);
  return [head, ...there.map(([counted, what]) => `${whole(counted)} ${what}`)].join(', ');
}

function count(items: number, what: string): string {
  return `${whole(items)} ${what}${items === 1 ? '' : 's'}`;
}
