import { closestSuffix, defineProvider, unknown } from 'postern/provider-kit';
import { type Backend, loadBackends, loadSharedHosts, passing } from './load.ts';

export default defineProvider<ReadonlyMap<string, Backend>>({
  id: 'disposable_mx',
  apiVersion: 1,
  description: 'Whether mail goes to a host that throw-away mail services share, by live DNS.',
  stage: 'network',
  // Cached for as long as DNS says. The resolver itself caches failures, for seconds.
  cache: { by: 'domain', knownSeconds: 3600, unknownSeconds: 0 },
  needs: ['mx.outcome'],
  uses: ['dns'],
  facts: [
    {
      id: 'disposable_mx.shares_backend',
      type: 'boolean',
      description:
        'The most preferred mail exchange is one whose domains are nearly all throw-away mail services.',
      example: false,
    },
  ],
  never: [
    [
      { fact: 'disposable_mx.shares_backend', operator: 'equal', value: true },
      { fact: 'mx.outcome', operator: 'notIn', value: ['mx', 'unresolvable_mx'] },
    ],
  ],
  thresholds: {
    type: 'object',
    additionalProperties: false,
    properties: {
      min_domains: {
        description: 'How many listed domains a mail host must have served to count as a backend.',
        type: 'integer',
        minimum: 1,
        maximum: 1_000_000,
        default: 50,
      },
      min_share: {
        description: 'Which share of the domains that it served must have been listed, 0 to 1.',
        type: 'number',
        minimum: 0,
        maximum: 1,
        default: 0.95,
      },
    },
  },
  prepare: ({ thresholds }) => {
    const backends = loadBackends();
    const shared = loadSharedHosts();
    const state = passing(backends, shared, {
      // The host has checked the section against the schema above.
      minDomains: thresholds.min_domains as number,
      minShare: thresholds.min_share as number,
    });
    return {
      state,
      lists: [
        { name: 'data/backends.yaml', entries: state.size },
        { name: 'data/shared.yaml', entries: shared.size },
      ],
    };
  },
  check: async ({ canonical }, { dns, needs, signal, state }) => {
    const outcome = needs['mx.outcome'];
    // The provider mx reports its failed look-up; this one had nothing to try, so `not_run`.
    if (outcome === null) return unknown('not_run', 'the mail exchanges are unknown');
    const none = { facts: { 'disposable_mx.shares_backend': false } };
    if (outcome !== 'mx' && outcome !== 'unresolvable_mx') return none;
    if (!dns) return unknown('error', 'the host gave no DNS port');
    // The provider mx asked this a moment ago: the resolver has the answer in its cache.
    const answer = await dns.mx(canonical.domain, signal);
    if (answer.outcome === 'nxdomain' || answer.outcome === 'nodata') return { ...none, ...lifeOf(answer) };
    if (answer.outcome !== 'found') return unknown(answer.outcome, 'MX records');
    const lowest = Math.min(...answer.records.map(({ preference }) => preference));
    // Less preferred exchanges are often spare hosts of another provider, and seldom where the mail is read.
    for (const { exchange, preference } of answer.records) {
      const backend = state.get(preference === lowest ? (closestSuffix(exchange, state) ?? '') : '');
      if (backend === undefined) continue;
      const { host, listed, resolved } = backend;
      return {
        facts: { 'disposable_mx.shares_backend': true },
        evidence: { exchange, backend: host, ...(listed !== undefined && { listed, resolved }) },
        ...lifeOf(answer),
      };
    }
    return { ...none, ...lifeOf(answer) };
  },
});

function lifeOf({ ttlSeconds }: { readonly ttlSeconds?: number }): { readonly ttlSeconds?: number } {
  return ttlSeconds === undefined ? {} : { ttlSeconds };
}
