import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A service that forwards to a mailbox its owner has somewhere else. */
export interface RelayService {
  readonly service: string;
  /** Where the service, or a public list of such services, can be looked up. */
  readonly source: string;
  /** When the entry was looked through last, `YYYY-MM-DD`. */
  readonly date: string;
  /** Each covers its subdomains, which are the users' own. */
  readonly domains: readonly string[];
}

export function loadServices(): readonly RelayService[] {
  return parse(readFileSync(new URL('./data/relays.yaml', import.meta.url), 'utf8'));
}
