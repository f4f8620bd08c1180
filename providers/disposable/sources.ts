import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** How a package's file holds its domains; `data/sources.yaml` tells what each means. */
export type ListForm = 'json' | 'quoted' | 'lines' | 'fakefilter';

/** A list that is compiled into `data/lists.txt`. */
export interface SourceEntry {
  /** As in `ListSource` and in `rules/signals.yaml`. */
  readonly id: string;
  /** On npm. */
  readonly package: string;
  readonly licence: string;
  readonly home: string;
  readonly form: ListForm;
  /** Within the package. */
  readonly file: string;
  /** Of the form `lines`. */
  readonly variable?: string;
  readonly without?: readonly string[];
  /** Oldest first. */
  readonly editions: readonly { readonly version: string; readonly date: string }[];
}

export function loadSources(): readonly SourceEntry[] {
  return parse(readFileSync(new URL('./data/sources.yaml', import.meta.url), 'utf8'));
}
