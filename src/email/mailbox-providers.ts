import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { packageRoot } from '../lib/paths.ts';

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

interface MailboxTable {
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

const strictObject = (required: readonly string[], properties: object) =>
  ({ type: 'object', additionalProperties: false, required, properties }) as const;

/** Of `tables/mailbox-providers.yaml`. */
export const MAILBOX_TABLE = strictObject(['providers'], {
  mail_hosts: {
    type: 'array',
    items: strictObject(['host', 'source', 'dots'], {
      host: ID,
      source: SOURCE,
      dots: DOTS,
      ignored: IGNORED,
      cluster_separator: CLUSTER_SEPARATOR,
    }),
  },
  providers: {
    type: 'array',
    minItems: 1,
    items: strictObject(['id', 'source', 'domains', 'dots', 'tag_separator'], {
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
    }),
  },
});

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
      if (domain !== undefined && !entry.domains.includes(domain)) {
        throw new Error(`${file}: ${entry.id}: ${key} is not one of its domains`);
      }
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

/** What a mail provider says about which addresses are one mailbox. */
export interface MailboxRule {
  readonly id: string;
  /** The domain that all of the provider's domains stand for; null where each stands for itself. */
  readonly canonicalDomain: string | null;
  /** Dots count, do not count, or are the same as a hyphen. */
  readonly dots: 'keep' | 'remove' | 'hyphen';
  /** Other characters that do not count. */
  readonly ignored: readonly string[];
  /** What stands before a tag; null where the provider knows no tags. */
  readonly tagSeparator: string | null;
  /** The least number of characters that stay before a separator. */
  readonly minLocal: number;
  /** `tag@user.domain` reaches `user@domain`. */
  readonly hasUserSubdomains: boolean;
  /** The domain under which one name most likely has one owner; null where none is likelier than the canonical one. */
  readonly clusterDomain: string | null;
  /** What follows it most likely tells apart addresses of one owner; null where nothing does. */
  readonly clusterSeparator: string | null;
}

/** Further folding for the owner cluster: of addresses at custom domains whose mail this host takes. */
export interface MailHostRule extends Pick<MailboxRule, 'dots' | 'ignored' | 'clusterSeparator'> {}

/** The rule of a domain, the domain of its canonical form, and the user that a subdomain names. */
interface FoundRule {
  readonly rule: MailboxRule;
  readonly domain: string;
  readonly user: string | null;
}

const TABLE = join(packageRoot, 'tables', 'mailbox-providers.yaml');
const { rules: RULES, mailHosts: MAIL_HOSTS } = parseMailboxProviders(readFileSync(TABLE, 'utf8'), TABLE);

/** Looks up whole labels only: `googlemail.com` is not under `mail.com`. */
export function findMailboxRule(domain: string): FoundRule | null {
  const rule = ruleOf(domain);
  if (rule !== undefined) return { rule, domain: rule.canonicalDomain ?? domain, user: null };
  const dot = domain.indexOf('.');
  const parent = domain.slice(dot + 1);
  const parentRule = dot > 0 ? ruleOf(parent) : undefined;
  if (parentRule?.hasUserSubdomains !== true) return null;
  return { rule: parentRule, domain: parentRule.canonicalDomain ?? parent, user: domain.slice(0, dot) };
}

/** By a value of the fact `mx.provider`. */
export function mailHostRule(host: string): MailHostRule | undefined {
  return MAIL_HOSTS.get(host);
}

function ruleOf(domain: string): MailboxRule | undefined {
  const rule = RULES.get(domain);
  if (rule !== undefined || !/\.[a-z]{2}$/.test(domain)) return rule;
  return RULES.get(`${domain.slice(0, -2)}<cc>`);
}
