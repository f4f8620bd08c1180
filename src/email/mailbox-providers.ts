import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../lib/paths.ts';
import { parseMailboxProviders } from './parse-mailbox-providers.ts';

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
export interface FoundRule {
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
