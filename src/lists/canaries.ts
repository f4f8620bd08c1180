import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getDomain } from 'tldts';
import { parse } from 'yaml';
import { packageRoot } from '../lib/paths.ts';
import type { ListEntry } from '../provider-kit/index.ts';

interface Group {
  readonly domains: readonly string[];
}

/** Why a domain must never be listed. */
export type CanaryKind = 'free provider' | 'relay' | 'your allow list';

/** Names domains that must never be listed, as `disposable` would read the list: an entry covers what is under it. */
export class Canaries {
  readonly #kinds = new Map<string, CanaryKind>();
  /** From `.x.org` of the allow list: what is under it too. */
  readonly #suffixes: readonly string[];

  constructor(allowed: readonly Pick<ListEntry, 'value'>[]) {
    const table: {
      readonly free_providers: readonly Group[];
      readonly relays_that_lists_name: readonly Group[];
    } = parse(readFileSync(join(packageRoot, 'tables', 'list-canaries.yaml'), 'utf8'));
    // Beside the code: `src/` in a checkout, `dist/src/` when built, where the providers' data are too.
    const relayFile = fileURLToPath(new URL('../../providers/relay/data/relays.yaml', import.meta.url));
    const relays: readonly Group[] = parse(readFileSync(relayFile, 'utf8'));
    const named = new Set(domainsOf(table.relays_that_lists_name));
    // An entry for one person says nothing of the domain, which may be a throw-away service with one honest user.
    const own = allowed.map(({ value }) => value.toLowerCase()).filter((value) => !value.includes('@'));
    this.#suffixes = own.filter((value) => value.startsWith('.'));
    this.#add(
      own.map((value) => value.replace(/^\./, '')),
      'your allow list',
    );
    this.#add(
      domainsOf(relays).filter((domain) => !named.has(domain)),
      'relay',
    );
    this.#add(domainsOf(table.free_providers), 'free provider');
  }

  /** Why the domain must never be listed; undefined where it may. */
  kindOf(domain: string): CanaryKind | undefined {
    const kind = this.#kinds.get(domain);
    if (kind || this.#suffixes.length === 0) return kind;
    return this.#suffixes.some((suffix) => domain.endsWith(suffix)) ? 'your allow list' : undefined;
  }

  /** With the parents that somebody registered: to list `appleid.com` is to list `privaterelay.appleid.com`. */
  #add(domains: readonly string[], kind: CanaryKind): void {
    for (const domain of domains) {
      const registered = getDomain(domain, { allowPrivateDomains: true }) ?? domain;
      let covered = domain;
      while (covered.length >= registered.length) {
        this.#kinds.set(covered, kind);
        const dot = covered.indexOf('.');
        if (dot === -1) break;
        covered = covered.slice(dot + 1);
      }
    }
  }
}

function domainsOf(groups: readonly Group[]): readonly string[] {
  return groups.flatMap(({ domains }) => domains);
}
