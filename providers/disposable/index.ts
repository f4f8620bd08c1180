import { defineProvider } from 'postern/provider-kit';
import { type DomainList, type Exemption, loadExemptions, loadLists } from './load.ts';
import { matchDomain } from './match.ts';
import { countByHost, hostOf } from './siblings.ts';

interface State {
  readonly lists: readonly DomainList[];
  readonly exemptions: ReadonlyMap<string, Exemption>;
  readonly listedByHost: ReadonlyMap<string, number>;
  readonly minLists: number;
}

export default defineProvider<State>({
  id: 'disposable',
  apiVersion: 1,
  description: 'Whether the domain is a known throw-away mail service.',
  stage: 'local',
  cache: { by: 'domain' },
  facts: [
    {
      id: 'domain.is_known_disposable',
      slot: 'domain.is_known_disposable',
      type: 'boolean',
      description:
        'The domain, or a parent that somebody registered, is on a list of throw-away mail services.',
      example: false,
      never_unknown: true,
    },
    {
      id: 'disposable.listed_siblings',
      type: 'integer',
      description:
        'How many listed domains share the host that gave out this subdomain; 0 for a domain of its own.',
      example: 0,
      never_unknown: true,
    },
  ],
  thresholds: {
    type: 'object',
    additionalProperties: false,
    properties: {
      min_lists: {
        description: 'How many of the lists must name a domain.',
        type: 'integer',
        minimum: 1,
        maximum: 2,
        default: 1,
      },
    },
  },
  prepare: ({ thresholds }) => {
    const lists = loadLists();
    const exemptions = loadExemptions();
    return {
      state: {
        lists,
        exemptions,
        listedByHost: countByHost(lists),
        // The host has checked the section against the schema above.
        minLists: thresholds.min_lists as number,
      },
      source: lists.map(({ name, version }) => `${name}@${version}`).join(' '),
      lists: [
        ...lists.map(({ name, version, domains }) => ({ name, version, entries: domains.size })),
        { name: 'data/exempt.yaml', entries: exemptions.size },
      ],
    };
  },
  check: ({ canonical }, { state }) => {
    const match = matchDomain(canonical.domain, state.lists, state.exemptions);
    const host = hostOf(canonical.domain);
    const siblings =
      (host === null || match.kind === 'exempt' ? undefined : state.listedByHost.get(host)) ?? 0;
    return {
      facts: {
        'domain.is_known_disposable': match.kind === 'listed' && match.lists.length >= state.minLists,
        'disposable.listed_siblings': siblings,
      },
      evidence: {
        ...(match.kind === 'listed' && { matched: match.domain, lists: match.lists }),
        ...(match.kind === 'exempt' && { exempt: match.domain, because: match.exemption.kind }),
        ...(siblings > 0 && { host }),
      },
    };
  },
});
