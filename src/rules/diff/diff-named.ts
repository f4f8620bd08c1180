import { byId } from '../by-id.ts';
import { type Detail, detailsOf } from './detail.ts';

export interface NamedChange {
  readonly id: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly decides: boolean;
  readonly details: readonly Detail[];
}

/** Something with an id: what of it decides, and what of it is told only. */
export interface Described {
  readonly id: string;
  readonly deciding: Readonly<Record<string, unknown>>;
  readonly told: Readonly<Record<string, unknown>>;
}

/** What is added, removed or changed of things that have an id, by id. */
export function diffNamed<Item>(
  before: readonly Item[],
  after: readonly Item[],
  describe: (item: Item) => Described,
): readonly NamedChange[] {
  const [olds, news] = [before.map(describe), after.map(describe)];
  const whole = ({ deciding, told }: Described, side: 'before' | 'after') =>
    Object.entries({ ...deciding, ...told }).map(([what, value]) =>
      side === 'before' ? { what, before: value, after: null } : { what, before: null, after: value },
    );
  return [
    ...without(news, olds).map((item) => ({
      id: item.id,
      change: 'added' as const,
      decides: true,
      details: whole(item, 'after'),
    })),
    ...without(olds, news).map((item) => ({
      id: item.id,
      change: 'removed' as const,
      decides: true,
      details: whole(item, 'before'),
    })),
    ...pairsOf(olds, news).flatMap(([old, item]) => {
      const deciding = detailsOf(old.deciding, item.deciding);
      const details = [...deciding, ...detailsOf(old.told, item.told)];
      const changed = { id: item.id, change: 'changed' as const, decides: deciding.length > 0, details };
      return details.length === 0 ? [] : [changed];
    }),
  ].toSorted(byId);
}

export interface Named {
  readonly id: string;
}

export function without<Item extends Named>(
  items: readonly Item[],
  others: readonly Named[],
): readonly Item[] {
  const known = new Set(others.map(({ id }) => id));
  return items.filter(({ id }) => !known.has(id));
}

/** Those that are on both sides. */
export function pairsOf<Item extends Named>(
  before: readonly Item[],
  after: readonly Item[],
): readonly [Item, Item][] {
  const olds = new Map(before.map((item) => [item.id, item]));
  return after.flatMap((item): [Item, Item][] => {
    const old = olds.get(item.id);
    return old ? [[old, item]] : [];
  });
}
