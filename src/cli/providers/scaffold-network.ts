/** Asks a JSON API. */
export function networkSources(id: string) {
  const description = 'What a register of your own knows of the domain, by its JSON API.';
  return {
    description,
    index: `import { defineProvider, unknown, unknownFrom } from '@postern/provider-kit';

export default defineProvider({
  id: '${id}',
  apiVersion: 1,
  description: '${description}',
  stage: 'network',
  // After this the host answers unknown: timeout for it.
  timeoutMs: 300,
  cache: { by: 'domain', knownSeconds: 3600, unknownSeconds: 10 },
  uses: ['http'],
  // Nothing else is asked.
  http: { origins: [{ option: 'url' }] },
  facts: [
    {
      id: '${id}.is_known',
      type: 'boolean',
      description: 'The register knows the domain.',
      example: true,
    },
    {
      id: '${id}.reports',
      type: 'integer',
      description: 'How many reports the register has of the domain.',
      example: 4,
    },
  ],
  // Operators set it in their configuration, under providers.${id}.
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      url: {
        description: 'Where the register is; null asks nothing.',
        type: ['string', 'null'],
        format: 'https-url',
        default: null,
      },
    },
  },
  check: async ({ canonical: { domain }, domainKind }, { http, options, signal }) => {
    if (domainKind !== 'name') return unknown('not_run', 'no domain name');
    if (typeof options.url !== 'string') return unknown('not_run', 'no url is configured');
    if (!http) return unknown('error', 'the host gave no port');
    const url = new URL(\`/domains/\${encodeURIComponent(domain)}\`, options.url);
    const answer = await http.getJson(url.href, { signal });
    if (answer.outcome === 'status' && answer.status === 404)
      return { facts: { '${id}.is_known': false, '${id}.reports': 0 } };
    if (answer.outcome !== 'ok') return unknownFrom(answer);
    // What comes from elsewhere is looked at before it is a fact.
    const { reports }: { reports?: unknown } = Object(answer.body);
    if (!Number.isSafeInteger(reports)) return unknown('malformed', 'reports');
    return { facts: { '${id}.is_known': true, '${id}.reports': Number(reports) } };
  },
});
`,
    cases: `import { unknown } from '@postern/provider-kit';
import { type ContractCases, fakeHttp } from '@postern/provider-kit/testing';

const cases: ContractCases = {
  given: {
    options: { url: 'https://register.example' },
    ports: { http: fakeHttp({ 'https://register.example/domains/busy.example': { reports: 4 } }) },
  },
  cases: [
    { email: 'jane@busy.example', expect: { '${id}.is_known': true, '${id}.reports': 4 } },
    { email: 'jane@other.example', expect: { '${id}.is_known': false, '${id}.reports': 0 } },
    {
      name: 'an answer that is none',
      email: 'jane@busy.example',
      given: { ports: { http: fakeHttp(() => ({ outcome: 'ok', status: 200, body: { reports: 'many' } })) } },
      expect: unknown('malformed'),
    },
    {
      name: 'nothing configured',
      email: 'jane@busy.example',
      given: { options: { url: null } },
      expect: unknown('not_run'),
    },
  ],
};

export default cases;
`,
  };
}
