import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Names of one function or kind, and where they were found. */
export interface RoleGroup {
  readonly what: string;
  /** ISO 639-1. */
  readonly language: string;
  readonly source: string;
  /** When the names were looked through last, `YYYY-MM-DD`. */
  readonly date: string;
  /** A hyphen stands between the words of one name. */
  readonly names: readonly string[];
}

const SEPARATORS = ['-', '.', '_', ''];

let groups: readonly RoleGroup[] | undefined;

/** Read once: providers are prepared anew whenever the thresholds of signals change. */
export function loadGroups(): readonly RoleGroup[] {
  groups ??= parse(
    readFileSync(new URL('./data/roles.yaml', import.meta.url), 'utf8'),
  ) as readonly RoleGroup[];
  return groups;
}

/** Every way in which a name is written: `customer-service` with each separator and with none. */
export function spellings(groups: readonly RoleGroup[]): ReadonlySet<string> {
  const names = groups.flatMap((group) => group.names);
  return new Set(names.flatMap((name) => SEPARATORS.map((separator) => name.replaceAll('-', separator))));
}
