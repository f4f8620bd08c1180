import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
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
}

/** The rule of a domain, the domain of its canonical form, and the user that a subdomain names. */
export interface FoundRule {
  readonly rule: MailboxRule;
  readonly domain: string;
  readonly user: string | null;
}

const TABLE = join(packageRoot, 'tables', 'mailbox-providers.yaml');
const RULES = parseMailboxProviders(readFileSync(TABLE, 'utf8'), TABLE);

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

function ruleOf(domain: string): MailboxRule | undefined {
  const rule = RULES.get(domain);
  if (rule !== undefined || !/\.[a-z]{2}$/.test(domain)) return rule;
  return RULES.get(`${domain.slice(0, -2)}<cc>`);
}
