import type { LedgerEntry, SideOfRollout } from '../../api/checks.ts';

type Values = Readonly<Record<string, boolean | number | string | null>>;

/** `domain.has_mx = false, mx.outcome = nxdomain`, as every explanation of a decision writes it. */
export function describeValues(values: Values): string {
  return Object.entries(values)
    .map(([id, value]) => `${id} = ${value ?? 'unknown'}`)
    .join(', ');
}

/** `outside the 5 % of its rollout`; undefined where the rule is not rolled out. */
export function sideOf(
  { id }: { readonly id: string },
  rollouts: readonly SideOfRollout[],
): string | undefined {
  return rollouts.find(({ rule }) => rule === id)?.told;
}

/** A fact as text: its id, except for `rollout.bucket`, which no rule can name. */
export function spokenFact(id: string): string {
  return id === 'rollout.bucket' ? 'the side of the rollout' : id;
}

/** What an entry rests on; for a rule with a rollout the side too. */
export function describeEntry(entry: LedgerEntry, rollouts: readonly SideOfRollout[] = []): string {
  // The text before this one already names the side of a shadow rule.
  const side = entry.kind === 'rule' || entry.kind === 'stood_aside' ? sideOf(entry, rollouts) : undefined;
  return side === undefined ? evidenceOf(entry) : `${side}; ${evidenceOf(entry)}`;
}

function evidenceOf(entry: LedgerEntry): string {
  switch (entry.kind) {
    case 'absorbed':
      return `replaced by ${entry.by}`;
    case 'cap':
      return `the group counts up to ${entry.max_score}`;
    case 'bound':
      return 'a score is from 0 to 100';
    case 'stood_aside':
      return `unknown: ${entry.unknown.map(spokenFact).join(', ')}`;
    case 'shadow':
      return `would add ${entry.would_add}: ${describeValues(entry.saw)}`;
    default:
      return describeValues(entry.saw);
  }
}

/** The scores at which the level or the action changes, as far as the ledger's entries of both read them from a threshold. */
export function thresholdsOf(
  ledger: readonly LedgerEntry[],
): readonly { readonly label: string; readonly value: number }[] {
  const read = ledger.flatMap((entry) =>
    entry.kind === 'level' || entry.kind === 'action' ? Object.entries(entry.saw) : [],
  );
  const byValue = new Map<number, Set<string>>();
  for (const [id, value] of read) {
    if (!id.startsWith(THRESHOLD) || typeof value !== 'number' || value < 0 || value > 100) continue;
    const names = byValue.get(value) ?? new Set();
    // `block_score` reads "block": its place already shows that it is a score.
    byValue.set(value, names.add(id.slice(THRESHOLD.length).replace(/_score$/, '')));
  }
  return [...byValue].map(([value, names]) => ({ label: [...names].join(', '), value }));
}

const THRESHOLD = 'threshold.';
