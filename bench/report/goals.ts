import type { Goal } from './section.ts';
import { number, table } from './table.ts';

/** What the project promised itself, what it got, and whether that will do. */
export function goalsTable(goals: readonly Goal[]): string {
  return table(['', 'measured', 'floor', 'aim', 'floor met'], goals.map(row));
}

export function isMet({ measured, floor, isCeiling }: Goal): boolean {
  return isCeiling ? measured <= floor : measured >= floor;
}

function row(goal: Goal): string[] {
  const { what, measured, unit, floor, aim, isCeiling } = goal;
  const bound = (value: number) => `${isCeiling ? '≤' : '≥'} ${number(value)}${unit}`;
  return [
    what,
    `${number(measured)}${unit}`,
    bound(floor),
    aim === undefined ? '' : bound(aim),
    isMet(goal) ? 'yes' : '**no**',
  ];
}
