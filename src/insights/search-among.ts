import type { CheckSearch, FoundChecks, ListedCheck } from './insights-queries.ts';

/** A check that is known to be one of those that are meant. */
export interface KnownCheck {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** As many as a statement takes well. */
const ASKED_AT_ONCE = 500;

/** A page of a search that finds known checks alone, the newest first, by searches for some of them at a time. */
export async function searchAmong(
  known: readonly KnownCheck[],
  { after, before, limit, ...filter }: CheckSearch,
  search: (asked: CheckSearch) => Promise<FoundChecks>,
): Promise<FoundChecks> {
  const placed = known.map(({ id, createdAt }) => ({ id, place: `${createdAt}.${id}` }));
  // Places of one length are in the order of their texts.
  const left =
    before === undefined
      ? placed.filter(({ place }) => after === undefined || place < after)
      : placed.filter(({ place }) => place > before).reverse();
  const checks: ListedCheck[] = [];
  for (let from = 0; from < left.length; from += ASKED_AT_ONCE) {
    const ids = left.slice(from, from + ASKED_AT_ONCE).map(({ id }) => id);
    const found = (await search({ ...filter, ids, limit: ids.length })).checks;
    checks.push(...(before === undefined ? found : found.toReversed()));
    const last = checks[limit - 1];
    if (last === undefined || (checks.length === limit && from + ids.length >= left.length)) continue;
    const next = `${last.created_at}.${last.id}`;
    return { checks: checks.slice(0, limit), next, searched_back_to: last.created_at };
  }
  return { checks, next: null, searched_back_to: null };
}
