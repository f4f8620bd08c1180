import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createAjv } from '../lib/json-schema.ts';
import { packageRoot } from '../lib/paths.ts';

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
  /** `tag@user.domain` reaches `user@domain`. */
  readonly hasUserSubdomains: boolean;
  /** The domain that owner clusters use, since one name most likely has one owner there; null for the canonical one. */
  readonly clusterDomain: string | null;
  /** The text after it most likely only tells apart addresses of one owner; null where there is no such separator. */
  readonly clusterSeparator: string | null;
}

/** An entry of the table as it is written, with the defaults of its schema. */
interface Entry extends Pick<MailboxRule, 'id' | 'dots' | 'ignored'> {
  readonly domains: readonly string[];
  readonly canonical_domain: string | null;
  readonly tag_separator: string | null;
  readonly user_subdomains: boolean;
  readonly cluster_domain: string | null;
  readonly cluster_separator: string | null;
}

interface Table {
  readonly providers: readonly Entry[];
  readonly mail_hosts: readonly (Pick<Entry, 'dots' | 'ignored' | 'cluster_separator'> & {
    readonly host: string;
  })[];
}

const TABLES = join(packageRoot, 'tables');
export const MAILBOX_TABLE = JSON.parse(readFileSync(join(TABLES, 'mailbox-providers.schema.json'), 'utf8'));

// A test checks the schema itself.
const isTable = createAjv({ useDefaults: true, validateSchema: false }).compile<Table>(MAILBOX_TABLE);

/**
 * Reads the table: rules by domain, and folding by mail host, a value of the fact `mx.provider`. Throws where the table cannot be used; the
 * message begins with `file` and lists all that breaks the schema.
 */
export function parseMailboxProviders(yaml: string, file: string) {
  const table: unknown = parse(yaml, { uniqueKeys: true, maxAliasCount: 0 });
  if (!isTable(table)) {
    const faults = (isTable.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
    throw new Error(`${file}: ${faults.join('; ')}`);
  }
  const rules = new Map<string, MailboxRule>();
  for (const entry of table.providers) {
    for (const key of ['canonical_domain', 'cluster_domain'] as const) {
      const domain = entry[key];
      if (domain !== null && !entry.domains.includes(domain)) {
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
  const mailHosts = table.mail_hosts.map(({ host, dots, ignored, cluster_separator: clusterSeparator }) => {
    return [host, { dots, ignored, clusterSeparator }] as const;
  });
  return { rules, mailHosts: new Map(mailHosts) };
}

function toRule(entry: Entry): MailboxRule {
  return {
    id: entry.id,
    canonicalDomain: entry.canonical_domain,
    dots: entry.dots,
    ignored: entry.ignored,
    tagSeparator: entry.tag_separator,
    hasUserSubdomains: entry.user_subdomains,
    clusterDomain: entry.cluster_domain,
    clusterSeparator: entry.cluster_separator,
  };
}

const TABLE = join(TABLES, 'mailbox-providers.yaml');
const { rules: RULES, mailHosts: MAIL_HOSTS } = parseMailboxProviders(readFileSync(TABLE, 'utf8'), TABLE);

/**
 * The rule of a domain, the domain of its canonical form, and the user that a subdomain names. Looks up whole labels only:
 * `googlemail.com` is not under `mail.com`.
 */
export function findMailboxRule(domain: string) {
  const rule = ruleOf(domain);
  if (rule !== undefined) return { rule, domain: rule.canonicalDomain ?? domain, user: null };
  const dot = domain.indexOf('.');
  const parent = domain.slice(dot + 1);
  const parentRule = dot > 0 ? ruleOf(parent) : undefined;
  if (parentRule?.hasUserSubdomains !== true) return null;
  return { rule: parentRule, domain: parentRule.canonicalDomain ?? parent, user: domain.slice(0, dot) };
}

/** Further folding for owner clusters of addresses at custom domains whose mail `host`, a value of the fact `mx.provider`, takes. */
export function mailHostRule(host: string) {
  return MAIL_HOSTS.get(host);
}

function ruleOf(domain: string): MailboxRule | undefined {
  const rule = RULES.get(domain);
  if (rule !== undefined || !/\.[a-z]{2}$/.test(domain)) return rule;
  return RULES.get(`${domain.slice(0, -2)}<cc>`);
}

/** Removes or replaces characters that do not count in a local part. A local part that would vanish (`...@gmail.com`) stays as it is. */
export function foldCharacters(base: string, { dots, ignored }: Pick<MailboxRule, 'dots' | 'ignored'>) {
  let local = base;
  // Ignored characters first: a hyphen that replaces a dot must not be removed with them.
  for (const character of ignored) local = local.replaceAll(character, '');
  if (dots !== 'keep') local = local.replaceAll('.', dots === 'remove' ? '' : '-');
  const changes: ('dots' | 'characters')[] = [];
  if (local === '' || local === base) return { local: base, changes };
  if (dots !== 'keep' && base.includes('.')) changes.push('dots');
  if (ignored.some((character) => base.includes(character))) changes.push('characters');
  return { local, changes };
}
