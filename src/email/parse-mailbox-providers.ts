import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import type { MailboxRule, MailHostRule } from './mailbox-providers.ts';

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
  readonly cluster_domain?: string;
  readonly cluster_separator?: string;
}

interface HostEntry extends Pick<Entry, 'source' | 'dots' | 'ignored' | 'cluster_separator'> {
  readonly host: string;
}

export interface MailboxTable {
  /** By domain. */
  readonly rules: ReadonlyMap<string, MailboxRule>;
  /** By host, a value of the fact `mx.provider`. */
  readonly mailHosts: ReadonlyMap<string, MailHostRule>;
}

/** Lower-case labels; the last may be `<cc>`, any two letters. */
const DOMAIN = String.raw`^[a-z0-9-]+(\.[a-z0-9-]+)*\.([a-z]{2,}|<cc>)$`;

const ID = { type: 'string', pattern: '^[a-z0-9_]+$' };
const SOURCE = { type: 'string', pattern: '^https://' };
const DOTS = { enum: ['keep', 'remove', 'hyphen'] };
const IGNORED = { type: 'array', items: { type: 'string', pattern: '^[!-,/-~-]$' } };
const CLUSTER_SEPARATOR = { type: 'string', pattern: '^[!-~]$' };

/** Of `tables/mailbox-providers.yaml`. */
export const MAILBOX_TABLE = {
  type: 'object',
  additionalProperties: false,
  required: ['providers'],
  properties: {
    mail_hosts: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['host', 'source', 'dots'],
        properties: {
          host: ID,
          source: SOURCE,
          dots: DOTS,
          ignored: IGNORED,
          cluster_separator: CLUSTER_SEPARATOR,
        },
      },
    },
    providers: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'source', 'domains', 'dots', 'tag_separator'],
        properties: {
          id: ID,
          source: SOURCE,
          domains: { type: 'array', minItems: 1, items: { type: 'string', pattern: DOMAIN } },
          canonical_domain: { type: 'string' },
          dots: DOTS,
          ignored: IGNORED,
          tag_separator: { type: ['string', 'null'], pattern: '^[!-~]$' },
          min_local: { type: 'integer', minimum: 1 },
          user_subdomains: { type: 'boolean' },
          cluster_domain: { type: 'string' },
          cluster_separator: CLUSTER_SEPARATOR,
        },
      },
    },
  },
} as const;

// It runs once: to shorten its code first would not pay. That the schema is one is held by a test.
const isTable = new Ajv2020({ allErrors: true, validateSchema: false, code: { optimize: false } }).compile<{
  providers: readonly Entry[];
  mail_hosts?: readonly HostEntry[];
}>(MAILBOX_TABLE);

/** Reads the table. Throws, with all that is wrong and `file` in front, when it cannot be used. */
export function parseMailboxProviders(yaml: string, file: string): MailboxTable {
  const table: unknown = parse(yaml, { uniqueKeys: true, maxAliasCount: 0 });
  if (!isTable(table)) {
    const faults = (isTable.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
    throw new Error(`${file}: ${faults.join('; ')}`);
  }
  const rules = new Map<string, MailboxRule>();
  for (const entry of table.providers) {
    for (const key of ['canonical_domain', 'cluster_domain'] as const) {
      const domain = entry[key];
      if (domain === undefined || entry.domains.includes(domain)) continue;
      throw new Error(`${file}: ${entry.id}: ${key} is not one of its domains`);
    }
    const rule = toRule(entry);
    for (const domain of entry.domains) {
      const other = rules.get(domain);
      if (other !== undefined) throw new Error(`${file}: ${domain} stands under ${other.id} and ${entry.id}`);
      rules.set(domain, rule);
    }
  }
  return {
    rules,
    mailHosts: new Map((table.mail_hosts ?? []).map((entry) => [entry.host, toHostRule(entry)])),
  };
}

function toHostRule({ dots, ignored, cluster_separator }: HostEntry): MailHostRule {
  return { dots, ignored: ignored ?? [], clusterSeparator: cluster_separator ?? null };
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
    clusterDomain: entry.cluster_domain ?? null,
    clusterSeparator: entry.cluster_separator ?? null,
  };
}
