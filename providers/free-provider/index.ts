import { defineProvider } from 'postern/provider-kit';
import { loadFreeDomains, versionOf } from './load.ts';

export default defineProvider<ReadonlySet<string>>({
  id: 'free_provider',
  apiVersion: 1,
  description: 'Whether anybody can have a mailbox at the domain for nothing.',
  stage: 'local',
  cache: { by: 'domain' },
  facts: [
    {
      id: 'domain.is_known_free_provider',
      slot: 'domain.is_known_free_provider',
      type: 'boolean',
      description: 'The domain is a public mail provider with free mailboxes, and no throw-away service.',
      example: true,
      never_unknown: true,
    },
  ],
  prepare: () => {
    const state = loadFreeDomains();
    const name = 'email-providers';
    const version = versionOf(name);
    return { state, source: `${name}@${version}`, lists: [{ name, version, entries: state.size }] };
  },
  // The exact domain: nobody but the provider has mailboxes at a subdomain of gmail.com.
  check: ({ canonical }, { state }) => ({
    facts: { 'domain.is_known_free_provider': state.has(canonical.domain) },
  }),
});
