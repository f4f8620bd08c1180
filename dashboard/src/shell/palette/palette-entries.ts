import { type Icon, IconAdjustments, IconBook, IconBuilding, IconListSearch } from '@tabler/icons-react';
import { searchOfChecks, understand } from '../../pages/checks/check-filters.ts';
import type { DocumentSection } from '../../pages/docs/document.ts';
import { findSections } from '../../pages/docs/find-sections.ts';

/** Where an entry leads. An email has to be hashed first, so that none stands in a URL. */
export type Target =
  | { readonly href: string }
  | { readonly account: string }
  | { readonly rule: string }
  | { readonly email: string };

export interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly icon: Icon;
  readonly to: Target;
}

export interface PaletteGroup {
  readonly name: 'Pages' | 'Accounts' | 'Rules' | 'Checks' | 'Docs';
  readonly entries: readonly PaletteEntry[];
}

/** What the person may go to. */
export interface Places {
  readonly pages: readonly { readonly path: string; readonly title: string; readonly icon: Icon }[];
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
  readonly rules: readonly { readonly id: string; readonly description: string; readonly file: string }[];
  readonly sections: readonly DocumentSection[];
}

/** Most entries of a kind; another letter narrows the search. */
const MOST_OF_A_KIND = 8;

/** What the palette offers for a text, without groups that have nothing. Rules and documents come once something is typed: there are dozens. */
export function paletteGroups(
  typed: string,
  { pages, accounts, rules, sections }: Places,
): readonly PaletteGroup[] {
  const query = typed.trim();
  const reachable = pages.filter(({ path }) => !path.includes(':'));
  const docs: PaletteGroup = { name: 'Docs', entries: ofDocuments(query, sections) };
  const checks: PaletteGroup = {
    name: 'Checks',
    entries: pages.some(({ path }) => path === '/checks') ? ofChecks(query) : [],
  };
  const groups: readonly PaletteGroup[] = [
    {
      name: 'Pages',
      entries: matching(
        query,
        reachable.map(({ path, title, icon }) => ({
          ...{ id: `page ${path}`, title, detail: '', icon, to: { href: path } },
        })),
      ),
    },
    {
      name: 'Accounts',
      entries: matching(
        query,
        accounts.map(({ id, name }) => ({
          ...{ id, title: name, detail: id, icon: IconBuilding, to: { account: id } },
        })),
      ).slice(0, MOST_OF_A_KIND),
    },
    {
      name: 'Rules',
      entries: matching(
        query,
        (query === '' ? [] : rules).map(({ id, description, file }) => ({
          ...{ id: `rule ${file} ${id}`, title: id, detail: description, icon: IconAdjustments },
          to: { rule: id },
        })),
      ).slice(0, MOST_OF_A_KIND),
    },
    // Several words are rather a question for the docs; one word is rather a search for checks.
    ...(/\s/.test(query) ? [docs, checks] : [checks, docs]),
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

/** Entries with every word of the query, in any order: first where the title begins with the query, then where it has every word. */
function matching(query: string, entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/);
  const hasAll = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const rank = ({ title }: PaletteEntry) => {
    if (title.toLowerCase().startsWith(query.toLowerCase())) return 0;
    return hasAll(title) ? 1 : 2;
  };
  return entries
    .filter(({ title, detail }) => hasAll(`${title} ${detail}`))
    .toSorted((a, b) => rank(a) - rank(b));
}

/** A search of Checks for the typed text; the id of a check leads to the check itself. */
function ofChecks(query: string): readonly PaletteEntry[] {
  if (query === '') return [];
  const understood = understand(query);
  const entry = { id: 'checks', detail: '', icon: IconListSearch };
  if ('id' in understood && understood.id !== undefined) {
    return [{ ...entry, title: `Open check ${query}`, to: { href: `/checks/${encodeURIComponent(query)}` } }];
  }
  const title = `Search checks for “${query}”`;
  if ('email' in understood) return [{ ...entry, title, to: { email: query } }];
  return [{ ...entry, title, to: { href: searchOfChecks(understood) } }];
}

function ofDocuments(query: string, sections: readonly DocumentSection[]): readonly PaletteEntry[] {
  return findSections(query, sections)
    .slice(0, MOST_OF_A_KIND)
    .map(({ href, title, within }) => ({
      ...{ id: `docs ${href}`, title, detail: within, icon: IconBook, to: { href } },
    }));
}
