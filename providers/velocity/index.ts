import { defineProvider, type FactDeclaration, ownerCluster, unknown } from 'postern/provider-kit';
import { shapeOf } from './shape.ts';

const CANONICAL = 'velocity.canonical_24h';
const OWNER_CLUSTER = 'velocity.owner_cluster_24h';
const DOMAIN = 'velocity.domain_1h';
const PATTERN = 'velocity.pattern_1h';

const counted = (id: string, description: string, example: number): FactDeclaration => ({
  id,
  type: 'integer',
  description,
  example,
});

export default defineProvider({
  id: 'velocity',
  apiVersion: 1,
  description:
    'How often the same mailbox, owner, domain or pattern was checked lately, this check included.',
  stage: 'local',
  needs: ['mx.provider'],
  facts: [
    counted(CANONICAL, 'Checks of this canonical address in the last 24 hours.', 1),
    counted(OWNER_CLUSTER, 'Checks of addresses of probably this owner in the last 24 hours.', 2),
    counted(DOMAIN, 'Checks of addresses at this canonical domain in the last hour.', 14),
    counted(
      PATTERN,
      'Checks of local parts of this shape, such as a name and four digits, in the last hour, at any domain.',
      9,
    ),
  ],
  counts: (address, { needs }) => {
    const { canonical } = address;
    const mailHost = needs['mx.provider'];
    const owner = ownerCluster(address, typeof mailHost === 'string' ? mailHost : null);
    return [
      { fact: CANONICAL, text: canonical.address, window: '24h' },
      ...(owner.isSettled ? [{ fact: OWNER_CLUSTER, text: owner.key, window: '24h' } as const] : []),
      { fact: DOMAIN, text: canonical.domain, window: '1h' },
      { fact: PATTERN, text: shapeOf(canonical.localPart), window: '1h' },
    ];
  },
  check: (_address, { counted }) =>
    counted
      ? { facts: { [OWNER_CLUSTER]: unknown('not_run', 'who runs the MX is unknown'), ...counted } }
      : unknown('not_run', 'nothing is counted here'),
});
