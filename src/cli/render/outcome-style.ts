import type { Action, Level } from '../../rules/decision.ts';
import type { Style } from '../shell.ts';

const STYLES: Readonly<Record<Action | Level, Style>> = {
  ALLOW: 'green',
  BLOCK: ['red', 'bold'],
  low: 'green',
  medium: 'yellow',
  high: 'red',
};

/** Spread into a cell; a word of another version has no style. */
export function styleOf(outcome: string): { readonly style?: Style } {
  const style = Object.entries(STYLES).find(([name]) => name === outcome)?.[1];
  return style === undefined ? {} : { style };
}
