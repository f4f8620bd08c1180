import { shortPath } from '../../lib/paths.ts';
import type { Coverage, CoverageGap } from '../../rules/coverage.ts';
import { printable } from '../render/printable.ts';
import type { Shell } from '../shell.ts';

export function describeCoverage({ rules, comparisons, gaps }: Coverage, isListed: boolean): string {
  const hint = gaps.length === 0 || isListed ? '' : ' (--coverage lists the rest)';
  return `coverage: ${rules.covered} of ${rules.total} rules seen to fire and to keep quiet, ${comparisons.covered} of ${comparisons.total} comparisons seen true and false${hint}`;
}

export function printGap(shell: Shell, { rule, place, comparison, never }: CoverageGap): void {
  const where = `${shortPath(place.file, shell.cwd)}:${place.line}:${place.column}`;
  const states =
    comparison === null
      ? never.map((is) => (is ? 'to fire' : 'to keep quiet'))
      : never.map((is) => (is ? 'true' : 'false'));
  const what = comparison === null ? rule : `${rule}: ${comparison}`;
  shell.print(
    `${shell.paint('yellow', 'not seen')} ${printable(`${where} ${what}`)}: never ${states.join(' nor ')}`,
  );
}

export function presentCoverage(
  { rules, comparisons, gaps }: Coverage,
  shell: Shell,
): Record<string, unknown> {
  return {
    rules,
    comparisons,
    gaps: gaps.map(({ rule, place, comparison, never }) => ({
      rule,
      file: shortPath(place.file, shell.cwd),
      line: place.line,
      column: place.column,
      comparison,
      never,
    })),
  };
}
