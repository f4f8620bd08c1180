import { DISPOSABLE_DOMAINS, FREE_DOMAINS } from '../traffic/names.ts';
import { FIRM_DOMAINS } from '../traffic/signups.ts';

/** What the demo's DNS knows of a domain. */
export type ZoneEntry =
  | { readonly exchanges: readonly string[] }
  /** No MX record: mail would go to the web address. */
  | 'web_only'
  /** The domain exists and has neither record. */
  | 'empty';

/** Every exchange and every web address has this one: reserved for documentation (RFC 5737). */
export const ADDRESS = '203.0.113.25';

const FREE_EXCHANGES: Readonly<Record<string, string>> = {
  'gmail.com': 'gmail-smtp-in.l.google.com',
  'googlemail.com': 'gmail-smtp-in.l.google.com',
  'outlook.com': 'outlook-com.olc.protection.outlook.com',
  'hotmail.com': 'hotmail-com.olc.protection.outlook.com',
  'live.com': 'live-com.olc.protection.outlook.com',
  'yahoo.com': 'mta5.am0.yahoodns.net',
  'icloud.com': 'mx01.mail.icloud.com',
  'proton.me': 'mail.protonmail.ch',
};

const zone = new Map<string, ZoneEntry>([
  ...[...FREE_DOMAINS, ...DISPOSABLE_DOMAINS].map(
    ([domain]) => [domain, { exchanges: [FREE_EXCHANGES[domain] ?? `mx.${domain}`] }] as const,
  ),
  ...FIRM_DOMAINS.map((domain, n) => [domain, firmEntry(domain, n)] as const),
  ['gmial.com', { exchanges: ['mx.gmial.com'] }],
  ['yaho.com', 'web_only'],
]);

/**
 * Undefined for a domain that does not exist: `.invalid` never does (RFC 2606), nor do the misspelt ones of `NOBODYS`. Any other domain
 * that a person tries takes mail, since no real name server is asked.
 */
export function lookUp(domain: string): ZoneEntry | undefined {
  const known = zone.get(domain);
  if (known) return known;
  const isNowhere = /(^|\.)(invalid|localhost|con)$/.test(domain) || NOBODYS.has(domain);
  return isNowhere ? undefined : { exchanges: [`mx.${domain}`] };
}

const NOBODYS = new Set(['gamil.com', 'hotmial.com', 'outlok.com']);

/** Most firms have their mail run by one of the two big ones. */
function firmEntry(domain: string, n: number): ZoneEntry {
  if (n % 41 === 40) return 'web_only';
  if (n % 67 === 66) return 'empty';
  if (n % 10 < 4) return { exchanges: ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'] };
  if (n % 10 < 8) return { exchanges: [`${domain.replaceAll('.', '-')}.mail.protection.outlook.com`] };
  return { exchanges: [`mail.${domain}`] };
}
