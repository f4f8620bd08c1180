import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';
import { type Established, readDomains } from './established.ts';
import type { Registries } from './hosts.ts';
import { type ListSnapshot, readSnapshot } from './snapshot.ts';
import { readTellingNames, type TellingNames } from './telling-name.ts';

const require = createRequire(import.meta.url);

export interface Exemption {
  readonly domain: string;
  readonly kind: 'relay' | 'free_provider' | 'tool' | 'company';
  readonly reason: string;
  readonly source: string;
}

/** Hosts of one operator. */
export interface RegistryGroup {
  readonly kind: 'sold' | 'dynamic';
  readonly hosts: readonly string[];
  readonly reason: string;
  readonly source: string;
}

/** The content of each file that was read, and of which version of the file. */
const read = new Map<string, { readonly version: string; readonly content: unknown }>();

/** Reads each version of a file once: a service that takes in a downloaded list would answer nothing while it reads them again. */
function once<Content>(name: string, readContent: (text: Buffer) => Content): Content {
  const { mtimeMs, size } = statSync(dataFile(name));
  const version = `${mtimeMs} ${size}`;
  const known = read.get(name);
  if (known?.version === version) return known.content as Content;
  const content = readContent(readFileSync(dataFile(name)));
  read.set(name, { version, content });
  return content;
}

export function loadShipped(): ListSnapshot {
  return once('lists.txt', readSnapshot);
}

export function loadExemptions(): ReadonlyMap<string, Exemption> {
  return once('exempt.yaml', (text) => {
    const entries: readonly Exemption[] = parse(`${text}`);
    return new Map(entries.map((entry) => [entry.domain, entry]));
  });
}

export function loadRegistryGroups(): readonly RegistryGroup[] {
  return once('registries.yaml', (text) => parse(`${text}`));
}

export function loadRegistries(): Registries {
  return new Map(loadRegistryGroups().flatMap(({ kind, hosts }) => hosts.map((host) => [host, kind])));
}

export function loadTellingNames(): TellingNames {
  return once('names.yaml', (text) => readTellingNames(parse(`${text}`)));
}

export function loadEstablished(): Established & { readonly size: number } {
  const institutions = once('institutions.yaml', (text) => {
    const { labels, suffixes }: Record<'labels' | 'suffixes', readonly string[]> = parse(`${text}`);
    return { labels: new Set(labels), suffixes: new Set(suffixes) };
  });
  return { ...once('established.txt', readDomains), ...institutions };
}

/** The 355 domains that the package calls common; some are throw-away services. */
export function loadFreeProviders(): ReadonlySet<string> {
  return new Set(require('email-providers/common.json') as readonly string[]);
}

function dataFile(name: string): URL {
  return new URL(`./data/${name}`, import.meta.url);
}
