import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** How a package's file holds its domains; `data/sources.yaml` tells what each means. */
export type ListForm = 'json' | 'quoted' | 'lines' | 'fakefilter';

/** A list that is compiled into `data/lists.txt`. */
export interface SourceEntry {
  /** As in `ListSource` and in `rules/signals.yaml`. */
  readonly id: string;
  /** The package's name on npm. */
  readonly package: string;
  /** Where two lists are made of one package. */
  readonly part?: string;
  readonly licence: string;
  readonly home: string;
  readonly form: ListForm;
  /** The file's path within the package. */
  readonly file: string;
  /** For the form `lines`: the variable whose text holds the domains. */
  readonly variable?: string;
  readonly without?: readonly string[];
  readonly within?: readonly string[];
  /** Ids of lists. Only domains are taken that were seen at services half and more of whose domains these lists name. */
  readonly confirmed_by?: readonly string[];
  /** Oldest first. */
  readonly editions: readonly { readonly version: string; readonly date: string }[];
}

/** The list's name, as its version gives it. */
export function nameOf({ package: name, part }: SourceEntry): string {
  return part === undefined ? name : `${name}/${part}`;
}

export function loadSources(): readonly SourceEntry[] {
  return parse(readFileSync(new URL('./data/sources.yaml', import.meta.url), 'utf8'));
}
