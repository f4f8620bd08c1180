import type { Facts, LedgerEntry } from './decision.ts';

/** What an entry of a ledger rests on, in the words of every account: `domain.has_mx=false`, `replaced by no_mail`. */
export function describeEntry(entry: LedgerEntry): string {
  switch (entry.kind) {
    case 'rule':
      return describeValues(entry.saw);
    case 'force':
    case 'action':
      return because(entry.action, entry.saw);
    case 'level':
      return because(entry.level, entry.saw);
    case 'absorbed':
      return `replaced by ${entry.by}`;
    case 'cap':
      return `the group counts up to ${entry.max_score}`;
    case 'bound':
      return `kept within ${entry.min} to ${entry.max}`;
    case 'stood_aside':
      return `unknown: ${entry.unknown.join(', ')}`;
    case 'shadow':
      return `would add ${entry.would_add > 0 ? '+' : ''}${entry.would_add}: ${describeValues(entry.saw)}`;
  }
}

function because(outcome: string, saw: Facts): string {
  const facts = describeValues(saw);
  return facts === '' ? outcome : `${outcome}: ${facts}`;
}

/** `domain.has_mx=false, mx.outcome=nxdomain` */
export function describeValues(facts: Facts): string {
  return Object.entries(facts)
    .map(([id, value]) => `${id}=${value ?? 'unknown'}`)
    .join(', ');
}
