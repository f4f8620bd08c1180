import { useSameScope } from '../../address.ts';
import { queryOf } from '../../api/range-query.ts';
import type { operations } from '../../api/schema.d.ts';
import { type Range, readRange } from '../../format/ranges.ts';

/** The filters of a search, by their name in the URL and at the endpoint. */
export const FILTER_NAMES = [
  'id',
  'person',
  'domain',
  'rule',
  'action',
  'level',
  'environment',
  'min_score',
  'max_score',
  'label',
  'ruleset',
  'key_id',
  'flips',
] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

type Query = NonNullable<operations['find_checks']['parameters']['query']>;

/** Texts, as in the URL of the page. */
export type CheckFilters = Partial<Record<FilterName, string>>;

export function readFilters(search: URLSearchParams): CheckFilters {
  const named = FILTER_NAMES.flatMap((name) => {
    const value = search.get(name)?.trim() ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(named);
}

/** The range in the URL; without one null, for all of time: a person who looks for a check rarely knows when it was. */
export function chosenRange(search: URLSearchParams): Range | null {
  return search.has('range') || search.has('from') ? readRange(search) : null;
}

/** The query of the endpoint. */
export function queryOfFilters(filters: CheckFilters, range: Range | null, now: number) {
  const { min_score, max_score, ...texts } = filters;
  const time = range === null ? {} : queryOf(range, now);
  return {
    // A URL may hold anything; the endpoint says what is wrong with it.
    ...(texts as Pick<Query, keyof typeof texts>),
    ...time,
    ...(min_score !== undefined && { min_score: Number(min_score) }),
    ...(max_score !== undefined && { max_score: Number(max_score) }),
  };
}

export function searchOfChecks(filters: CheckFilters): string {
  return `/checks?${new URLSearchParams(filters)}`;
}

/** Leads to a search among the same records as are in view. */
export function useSearchOfChecks(): (filters: CheckFilters) => string {
  const sameScope = useSameScope();
  return (filters) => sameScope(searchOfChecks(filters));
}

/** Reads the search field by the form of its text: an email, which has to be hashed first, or a filter. */
export function understand(text: string): { readonly email: string } | CheckFilters {
  const typed = text.trim();
  if (typed.startsWith('chk_')) return { id: typed };
  if (typed.startsWith('key_')) return { key_id: typed };
  if (typed.startsWith('drf_')) return { flips: typed };
  if (typed.includes('@')) return { email: typed };
  if (/^[0-9a-f]{64}$/.test(typed)) return { person: typed };
  if (/^[0-9a-f]{16}$/.test(typed)) return { ruleset: typed };
  if (typed.includes('.')) return { domain: typed.toLowerCase() };
  return typed === '' ? {} : { rule: typed };
}
