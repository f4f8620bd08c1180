import type { LedgerEntry } from '../../api/checks.ts';

type RuleEntry = Extract<LedgerEntry, { kind: 'rule' }>;

/** One step of a score, with the rules that count no more, or not by themselves, because of it. */
export interface LedgerStep {
  readonly entry: LedgerEntry;
  /** What the step adds; all steps together make the score. */
  readonly points: number;
  readonly folded: readonly RuleEntry[];
  /** The most that its group counts, where the cap took points off; otherwise null. */
  readonly cap: number | null;
}

/**
 * The entries with points as steps. A replaced rule is folded under the one that replaced it. In a group whose sum was capped all rules are
 * folded under the one with most points, which then adds what the group adds.
 */
export function foldLedger(ledger: readonly LedgerEntry[]): readonly LedgerStep[] {
  const rules = ledger.filter((entry) => entry.kind === 'rule');
  const caps = new Map(
    ledger.filter((entry) => entry.kind === 'cap').map(({ group, max_score }) => [group, max_score]),
  );
  const replacedBy = new Map(
    ledger.filter((entry) => entry.kind === 'absorbed').map(({ id, by }) => [id, by] as const),
  );
  const heads = headsOf(rules, replacedBy, caps);
  const sums = new Map<string, number>();
  const add = (head: string, points: number) => sums.set(head, (sums.get(head) ?? 0) + points);
  const others: LedgerEntry[] = [];
  for (const entry of ledger) {
    if (entry.points === 0) continue;
    const head = headOf(entry, heads, rules);
    if (head === undefined) others.push(entry);
    else add(head, entry.points);
  }
  const steps = rules
    .filter(({ id, points }) => heads.get(id) === id && points !== 0)
    .map((entry) => ({
      entry,
      points: sums.get(entry.id) ?? 0,
      folded: rules.filter(({ id }) => id !== entry.id && heads.get(id) === entry.id),
      cap: caps.get(entry.group) ?? null,
    }));
  return [...steps, ...others.map((entry) => ({ entry, points: entry.points, folded: [], cap: null }))];
}

/** By the id of each rule: the rule under which it is folded, or itself. */
function headsOf(
  rules: readonly RuleEntry[],
  replacedBy: ReadonlyMap<string, string>,
  caps: ReadonlyMap<string, number>,
): ReadonlyMap<string, string> {
  const known = new Set(rules.map(({ id }) => id));
  const counting = (group: string) =>
    rules.filter((rule) => rule.group === group && !replacedBy.has(rule.id));
  return new Map(
    rules.map(({ id, group }) => {
      if (caps.has(group)) {
        const [most] = counting(group).toSorted((a, b) => b.points - a.points);
        return [id, most?.id ?? id];
      }
      // The rule that replaced it may have been replaced itself.
      let head = id;
      for (let seen = 0; seen < known.size; seen++) {
        const next = replacedBy.get(head);
        if (next === undefined || !known.has(next)) break;
        head = next;
      }
      return [id, head];
    }),
  );
}

function headOf(
  entry: LedgerEntry,
  heads: ReadonlyMap<string, string>,
  rules: readonly RuleEntry[],
): string | undefined {
  if (entry.kind === 'rule' || entry.kind === 'absorbed') return heads.get(entry.id);
  if (entry.kind !== 'cap') return undefined;
  const [first] = rules.filter(({ group }) => group === entry.group);
  return first && heads.get(first.id);
}
