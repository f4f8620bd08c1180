import { readFileSync } from 'node:fs';
import { closestSuffix } from 'postern/provider-kit';
import { parse } from 'yaml';

/** The values of `mx.provider` besides `other` and `none`; the data file has an entry for each, and a test says so. */
export const KNOWN_PROVIDERS = [
  'google',
  'microsoft',
  'yahoo',
  'apple',
  'proton',
  'zoho',
  'fastmail',
  'tuta',
  'yandex',
  'mail_ru',
  'tencent',
  'netease',
  'gmx',
  'ionos',
  'ovh',
  'mimecast',
  'proofpoint',
  'barracuda',
  'cisco',
  'cloudflare',
] as const;

type Table = Readonly<Record<string, { readonly source: string; readonly suffixes: readonly string[] }>>;

/** Host name suffix to provider. */
export function loadExchangeOwners(): ReadonlyMap<string, string> {
  const table: Table = parse(readFileSync(new URL('./data/providers.yaml', import.meta.url), 'utf8'));
  return new Map(
    Object.entries(table).flatMap(([provider, { suffixes }]) =>
      suffixes.map((suffix) => [suffix, provider] as const),
    ),
  );
}

/** The longest suffix at a label boundary decides; undefined when none fits. */
export function ownerOf(exchange: string, owners: ReadonlyMap<string, string>): string | undefined {
  const suffix = closestSuffix(exchange, owners);
  return suffix === undefined ? undefined : owners.get(suffix);
}
