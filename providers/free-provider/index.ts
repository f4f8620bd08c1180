import { readFileSync } from 'node:fs';
import { defineProvider } from 'postern/provider-kit';
import { readFreeDomains } from './free-domains.ts';

export default defineProvider<ReadonlySet<string>>({
  id: 'free_provider',
  apiVersion: 1,
  description: 'Whether the domain is of a mailbox provider that is open to everyone.',
  stage: 'local',
  facts: [
    {
      id: 'domain.is_known_free_provider',
      slot: 'domain.is_known_free_provider',
      type: 'boolean',
      description:
        'The domain is of a mailbox provider that is open to everyone, for free in most cases, and no throw-away service.',
      example: true,
      never_unknown: true,
    },
  ],
  prepare: () => {
    const text = readFileSync(new URL('./data/domains.txt', import.meta.url), 'latin1');
    const { version, corrections, correctedOn: date, domains } = readFreeDomains(text);
    return {
      state: domains,
      source: `email-providers@${version} free-domains@${date}`,
      lists: [
        { name: 'email-providers', version, entries: domains.size },
        { name: 'data/domains.yaml', date, entries: corrections },
      ],
    };
  },
  // The exact domain: only the provider has mailboxes at a subdomain of gmail.com.
  check: ({ canonical }, { state }) => ({
    facts: { 'domain.is_known_free_provider': state.has(canonical.domain) },
  }),
});
