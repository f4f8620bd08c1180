import { Ajv } from 'ajv';
import { parse } from 'yaml';
import type { MailboxRule } from './mailbox-providers.ts';

interface Entry {
  readonly id: string;
  readonly source: string;
  readonly domains: readonly string[];
  readonly canonical_domain?: string;
  readonly dots: MailboxRule['dots'];
  readonly ignored?: readonly string[];
  readonly tag_separator: string | null;
  readonly min_local?: number;
  readonly user_subdomains?: boolean;
}

/** Lower-case labels; the last may be `<cc>`, any two letters. */
const DOMAIN = String.raw`^[a-z0-9-]+(\.[a-z0-9-]+)*\.([a-z]{2,}|<cc>)$`;

const isTable = new Ajv({ allErrors: true }).compile<{ providers: readonly Entry[] }>({
  type: 'object',
  additionalProperties: false,
  required: ['providers'],
  properties: {
    providers: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'source', 'domains', 'dots', 'tag_separator'],
        properties: {
          id: { type: 'string', pattern: '^[a-z0-9_]+$' },
          source: { type: 'string', pattern: '^https://' },
          domains: { type: 'array', minItems: 1, items: { type: 'string', pattern: DOMAIN } },
          canonical_domain: { type: 'string' },
          dots: { enum: ['keep', 'remove', 'hyphen'] },
          ignored: { type: 'array', items: { type: 'string', pattern: '^[!-,/-~-]$' } },
          tag_separator: { type: ['string', 'null'], pattern: '^[!-~]$' },
          min_local: { type: 'integer', minimum: 1 },
          user_subdomains: { type: 'boolean' },
        },
      },
    },
  },
});

/** Reads the table into rules by domain. Throws, with all that is wrong and `file` in front, when it cannot be used. */
export function parseMailboxProviders(yaml: string, file: string): ReadonlyMap<string, MailboxRule> {
  const table: unknown = parse(yaml, { uniqueKeys: true, maxAliasCount: 0 });
  if (!isTable(table)) {
    const faults = (isTable.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
    throw new Error(`${file}: ${faults.join('; ')}`);
  }
  const rules = new Map<string, MailboxRule>();
  for (const entry of table.providers) {
    if (entry.canonical_domain !== undefined && !entry.domains.includes(entry.canonical_domain)) {
      throw new Error(`${file}: ${entry.id}: canonical_domain is not one of its domains`);
    }
    const rule = toRule(entry);
    for (const domain of entry.domains) {
      const other = rules.get(domain);
      if (other !== undefined) throw new Error(`${file}: ${domain} stands under ${other.id} and ${entry.id}`);
      rules.set(domain, rule);
    }
  }
  return rules;
}

function toRule(entry: Entry): MailboxRule {
  return {
    id: entry.id,
    canonicalDomain: entry.canonical_domain ?? null,
    dots: entry.dots,
    ignored: entry.ignored ?? [],
    tagSeparator: entry.tag_separator,
    minLocal: entry.min_local ?? 1,
    hasUserSubdomains: entry.user_subdomains ?? false,
  };
}
