/** A search that has a name. It is kept in this browser, for one person; its `search` alone repeats it. */
export interface SavedSearch {
  readonly name: string;
  /** The URL search of the page: `domain=example.org&action=BLOCK`. */
  readonly search: string;
}

/** A longer list would itself need a search. */
const MOST_SAVED = 50;

const keyOf = (person: string) => `postern-searches ${person}`;

/** By name. A stored text that cannot be read counts as none. */
export function readSearches(person: string): readonly SavedSearch[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(keyOf(person)) ?? '[]');
    return Array.isArray(read) ? read.filter(isSearch) : [];
  } catch {
    return [];
  }
}

/** Saves a search, in place of one of the same name. Throws an Error that says why it was not kept. */
export function saveSearch(person: string, saved: SavedSearch): readonly SavedSearch[] {
  const others = readSearches(person).filter(({ name }) => name !== saved.name);
  if (others.length >= MOST_SAVED)
    throw new Error(`${MOST_SAVED} searches are saved already: remove one first.`);
  return write(
    person,
    [...others, saved].toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
  );
}

export function removeSearch(person: string, removed: string): readonly SavedSearch[] {
  return write(
    person,
    readSearches(person).filter(({ name }) => name !== removed),
  );
}

/** The search without the account: a saved search runs in the account in view. */
export function searchOf(search: URLSearchParams): string {
  const kept = new URLSearchParams(search);
  kept.delete('account');
  return kept.toString();
}

function write(person: string, searches: readonly SavedSearch[]): readonly SavedSearch[] {
  try {
    localStorage.setItem(keyOf(person), JSON.stringify(searches));
  } catch {
    throw new Error('This browser keeps nothing for this page. The address of the search can be bookmarked.');
  }
  return searches;
}

function isSearch(value: unknown): value is SavedSearch {
  const { name, search } = (value ?? {}) as Partial<SavedSearch>;
  return typeof name === 'string' && typeof search === 'string';
}
