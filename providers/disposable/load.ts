import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';
import { type ListSnapshot, readSnapshot } from './snapshot.ts';

const require = createRequire(import.meta.url);

export interface Exemption {
  readonly domain: string;
  readonly kind: 'relay' | 'free_provider' | 'tool' | 'company' | 'host';
  readonly reason: string;
  readonly source: string;
}

/** Hosts whose subdomains do not answer for each other. */
export interface Registries {
  readonly hosts: readonly string[];
  readonly reason: string;
  readonly source: string;
}

let shipped: { readonly version: string; readonly snapshot: ListSnapshot } | undefined;

/** Read once for each version of the file: a service that takes a downloaded list would stand still for it. */
export function loadShipped(): ListSnapshot {
  const { mtimeMs, size } = statSync(dataFile('lists.txt'));
  const version = `${mtimeMs} ${size}`;
  if (shipped?.version !== version) shipped = { version, snapshot: loadSnapshot() };
  return shipped.snapshot;
}

export function loadSnapshot(): ListSnapshot {
  return readSnapshot(readFileSync(dataFile('lists.txt')));
}

export function loadExemptions(): ReadonlyMap<string, Exemption> {
  const entries: readonly Exemption[] = parse(readFileSync(dataFile('exempt.yaml'), 'utf8'));
  return new Map(entries.map((entry) => [entry.domain, entry]));
}

export function loadRegistries(): readonly Registries[] {
  return parse(readFileSync(dataFile('registries.yaml'), 'utf8'));
}

/** Without hyphens, as `names.yaml` says. */
export function loadTellingNames(): readonly string[] {
  return parse(readFileSync(dataFile('names.yaml'), 'utf8'));
}

/** The 350 that the package calls common. It counts some throw-away services among them. */
export function loadFreeProviders(): ReadonlySet<string> {
  return new Set(require('email-providers/common.json') as readonly string[]);
}

function dataFile(name: string): URL {
  return new URL(`./data/${name}`, import.meta.url);
}
