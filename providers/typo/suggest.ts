import { distance } from 'fastest-levenshtein';
import { splitDomain, type Table } from './load.ts';

/** From this length on two edits are still nearer to the name than to any other. */
const LONG_NAME = 10;

/**
 * The popular domain that was probably meant. Corrects an ending only where it does not exist or, after a popular name, is that of one of
 * two countries (`elsewhere`): another service that corrected all endings made pacific.com of pacific.co, and refused its people.
 */
export function suggest(domain: string, table: Table): string | undefined {
  if (table.popular.has(domain)) return undefined;
  const [name, ending] = splitDomain(domain);
  const popular = `${name}.${table.elsewhere.get(ending)}`;
  if (table.popular.has(popular)) return popular;
  const meant = table.endings.get(ending);
  const candidate = meant === undefined ? domain : `${name}.${meant}`;
  if (table.popular.has(candidate)) return candidate;
  if (table.real.has(candidate)) return undefined;
  return (
    table.mistakes.get(candidate) ??
    table.near.get(meant ?? ending)?.find((popular) => isMisspelling(name, popular.name))?.domain
  );
}

/** One edit or swap away, two from ten characters on. The first letter is seldom wrong, and `cmail` is not `gmail`. */
function isMisspelling(name: string, right: string): boolean {
  if (name.charCodeAt(0) !== right.charCodeAt(0)) return false;
  const edits = right.length < LONG_NAME ? 1 : 2;
  if (Math.abs(name.length - right.length) > edits) return false;
  return isSwap(name, right) || distance(name, right) <= edits;
}

/** Two neighbouring characters in the wrong order: one slip, and two edits by Levenshtein's count. */
function isSwap(name: string, right: string): boolean {
  if (name.length !== right.length) return false;
  let at = 0;
  while (at < name.length && name[at] === right[at]) at++;
  return (
    name[at] === right[at + 1] && name[at + 1] === right[at] && name.slice(at + 2) === right.slice(at + 2)
  );
}
