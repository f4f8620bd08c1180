import { defineProvider } from 'postern/provider-kit';
import { loadTable } from './load.ts';
import { suggest } from './suggest.ts';

// Read when the module loads: the declaration needs the suggestions as the closed list of the fact's values.
const TABLE = loadTable();
const NONE = 'none';

export default defineProvider({
  id: 'typo',
  apiVersion: 1,
  description: 'Whether the domain is probably a misspelling of a big mail domain. A hint, never a verdict.',
  stage: 'local',
  facts: [
    {
      id: 'typo.suggestion',
      type: 'string',
      values: [NONE, ...TABLE.popular],
      description:
        'The big mail domain that was probably meant; none when the domain is no misspelling of one.',
      example: 'gmail.com',
      never_unknown: true,
      // In a record that keeps no domain, the suggestion would tell which domain the person meant to type.
      personal: 'domain',
    },
    {
      id: 'typo.is_likely',
      type: 'boolean',
      description: 'The domain is probably a misspelling of a big mail domain.',
      example: true,
      never_unknown: true,
    },
  ],
  prepare: () => ({
    state: undefined,
    source: `typo-domains@${TABLE.date}`,
    lists: [{ name: 'data/domains.yaml', date: TABLE.date, entries: TABLE.popular.size }],
  }),
  check: ({ canonical, domainKind }) => {
    const suggestion = domainKind === 'name' ? suggest(canonical.domain, TABLE) : undefined;
    return {
      facts: { 'typo.suggestion': suggestion ?? NONE, 'typo.is_likely': suggestion !== undefined },
    };
  },
});
