import { defineProvider } from 'postern/provider-kit';
import { loadCorrections, loadFreeDomains, PACKAGE, versionOf } from './load.ts';

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
    const corrections = loadCorrections();
    const state = loadFreeDomains(corrections);
    const version = versionOf(PACKAGE);
    const parts = [...corrections.add, ...corrections.keep, ...corrections.remove];
    const date =
      parts
        .map((part) => part.date)
        .sort()
        .at(-1) ?? 'none';
    return {
      state,
      source: `${PACKAGE}@${version} free-domains@${date}`,
      lists: [
        { name: PACKAGE, version, entries: state.size },
        { name: 'data/domains.yaml', date, entries: parts.flatMap(({ domains }) => domains).length },
      ],
    };
  },
  // The exact domain: nobody but the provider has mailboxes at a subdomain of gmail.com.
  check: ({ canonical }, { state }) => ({
    facts: { 'domain.is_known_free_provider': state.has(canonical.domain) },
  }),
});
