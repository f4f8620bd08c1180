import type { Goal } from './section.ts';
import { number, table } from './table.ts';

export function goalsTable(goals: readonly Goal[]): string {
  return table(['', 'measured', 'goal', 'limit', 'within the limit'], goals.map(row));
}

export function isWithinLimit({ measured, limit }: Goal): boolean {
  return measured <= limit;
}

function row(aim: Goal): string[] {
  const { what, measured, unit, goal, limit } = aim;
  const atMost = (value: number) => `≤ ${number(value)}${unit}`;
  return [
    what,
    `${number(measured)}${unit}`,
    goal === undefined ? '' : atMost(goal),
    atMost(limit),
    isWithinLimit(aim) ? 'yes' : '**no**',
  ];
}
