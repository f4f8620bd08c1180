import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';

const require = createRequire(import.meta.url);
export const PACKAGE = 'role-based-email-addresses';

/** RFC 2142 sections 3 to 5: the mailbox names that services, networks and businesses have. */
const RFC_2142 = [
  ...['info', 'marketing', 'sales', 'support'],
  ...['abuse', 'noc', 'security'],
  ...['postmaster', 'hostmaster', 'usenet', 'news', 'webmaster', 'www', 'uucp', 'ftp'],
];

type Exclusions = readonly { readonly reason: string; readonly names: readonly string[] }[];

/** The package's names less the excluded ones, and RFC 2142's whatever else is said. */
export function loadRoleNames(): ReadonlySet<string> {
  const listed: readonly string[] = require(PACKAGE);
  const exclusions: Exclusions = parse(readFileSync(new URL('./data/exclude.yaml', import.meta.url), 'utf8'));
  const names = new Set(listed.map((name) => name.toLowerCase()));
  for (const { names: excluded } of exclusions) for (const name of excluded) names.delete(name);
  for (const name of RFC_2142) names.add(name);
  return names;
}

export function packageVersion(): string {
  const manifest: { readonly version: string } = require(`${PACKAGE}/package.json`);
  return manifest.version;
}
