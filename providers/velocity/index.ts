import {
  type Count,
  defineProvider,
  type FactDeclaration,
  ownerCluster,
  spellingOf,
  unknown,
  wordsOf,
} from 'postern/provider-kit';
import { shapeOf } from './shape.ts';

const CANONICAL: Count['facts'] = {
  'velocity.canonical_24h': '24h',
  'velocity.canonical_7d': '7d',
  'velocity.canonical_30d': '30d',
};
const OWNER_CLUSTER: Count['facts'] = {
  'velocity.owner_cluster_24h': '24h',
  'velocity.owner_cluster_7d': '7d',
  'velocity.owner_cluster_30d': '30d',
};
const SPELLINGS: Count['facts'] = { 'velocity.spellings_24h': '24h' };
const DOMAIN: Count['facts'] = { 'velocity.domain_1h': '1h' };
const PATTERN: Count['facts'] = { 'velocity.pattern_1h': '1h' };

const LAST = { '1h': 'hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const;

const counted = (facts: Count['facts'], what: string, example: number): FactDeclaration[] =>
  Object.entries(facts).map(([id, window]) => ({
    id,
    type: 'integer',
    description: `${what} in the last ${LAST[window]}.`,
    example,
  }));

export default defineProvider({
  id: 'velocity',
  apiVersion: 1,
  description:
    'How often the same mailbox, owner, domain or pattern was checked lately, this check included.',
  stage: 'local',
  needs: ['mx.provider'],
  facts: [
    ...counted(CANONICAL, 'Checks of this canonical address', 1),
    ...counted(OWNER_CLUSTER, 'Checks of addresses of probably this owner', 2),
    ...counted(SPELLINGS, 'Different forms in which this canonical address was typed, 100 at most,', 1),
    ...counted(DOMAIN, 'Checks of addresses at this canonical domain', 14),
    ...counted(
      PATTERN,
      'Checks of local parts of this shape, such as a name and four digits, at any domain',
      9,
    ),
  ],
  // A longer window includes the shorter one.
  never: [
    ['canonical_24h', 'canonical_7d'],
    ['canonical_7d', 'canonical_30d'],
    ['canonical_24h', 'canonical_30d'],
    ['owner_cluster_24h', 'owner_cluster_7d'],
    ['owner_cluster_7d', 'owner_cluster_30d'],
    ['owner_cluster_24h', 'owner_cluster_30d'],
  ].map(([less, more]) => [
    { fact: `velocity.${less}`, operator: 'greaterThan', value: { fact: `velocity.${more}` } },
  ]),
  counts: (address, { needs }) => {
    const { canonical } = address;
    const mailHost = needs['mx.provider'];
    const owner = ownerCluster(address, typeof mailHost === 'string' ? mailHost : null);
    return [
      { facts: CANONICAL, text: canonical.address },
      ...(owner.isSettled ? [{ facts: OWNER_CLUSTER, text: owner.key }] : []),
      { facts: SPELLINGS, text: canonical.address, distinct: spellingOf(address) },
      { facts: DOMAIN, text: canonical.domain },
      { facts: PATTERN, text: shapeOf(wordsOf(address)) },
    ];
  },
  check: (_address, { counted }) => {
    if (!counted) return unknown('not_run', 'nothing is counted here');
    const noOwner = unknown('not_run', 'who runs the MX is unknown');
    return {
      facts: { ...Object.fromEntries(Object.keys(OWNER_CLUSTER).map((id) => [id, noOwner])), ...counted },
    };
  },
});
