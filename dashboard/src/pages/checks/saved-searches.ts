/** A search that has a name. It is kept in this browser, for one person; its address alone makes it again. */
export interface SavedSearch {
  readonly name: string;
  /** Of the page: `domain=example.org&action=BLOCK`. */
  readonly search: string;
}

/** More than these are a list to search in. */
const MOST_SAVED = 50;

const keyOf = (person: string) => `postern-searches ${person}`;

/** By name. What cannot be read is none. */
export function readSearches(person: string): readonly SavedSearch[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(keyOf(person)) ?? '[]');
    return Array.isArray(read) ? read.filter(isSearch) : [];
  } catch {
    return [];
  }
}

/** Puts it in the place of another of the name. Throws an Error that says why it was not kept. */
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

/** Without the account, which is the one in view wherever the search is made again. */
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
