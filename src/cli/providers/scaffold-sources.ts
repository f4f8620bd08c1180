/** Answers at once, from the address alone. */
export function localSources(id: string) {
  const description = 'How much of the local part is digits.';
  return {
    description,
    index: `import { defineProvider, wordsOf } from '@postern/provider-kit';

export default defineProvider({
  id: '${id}',
  apiVersion: 1,
  description: '${description}',
  stage: 'local',
  facts: [
    {
      id: '${id}.share',
      type: 'number',
      description: 'Share of digits in the local part, 0 to 1.',
      example: 0.5,
      never_unknown: true,
    },
    {
      id: '${id}.is_high',
      type: 'boolean',
      description: 'The share is at or above the threshold.',
      example: true,
      never_unknown: true,
    },
  ],
  // Analysts set it in rules/signals.yaml, under ${id}.
  thresholds: {
    type: 'object',
    additionalProperties: false,
    properties: {
      high_from: {
        description: 'From which share on it is high.',
        type: 'number',
        minimum: 0,
        maximum: 1,
        default: 0.6,
      },
    },
  },
  check: (address, { thresholds }) => {
    const characters = [...wordsOf(address)];
    const digits = characters.filter((character) => /\\p{Nd}/u.test(character)).length;
    const share = characters.length === 0 ? 0 : digits / characters.length;
    return {
      facts: { '${id}.share': share, '${id}.is_high': share >= Number(thresholds.high_from) },
    };
  },
});
`,
    cases: `import type { ContractCases } from '@postern/provider-kit/testing';

const cases: ContractCases = {
  cases: [
    { email: 'jane1987@example.com', expect: { '${id}.share': 0.5, '${id}.is_high': false } },
    { email: '8005550199@example.com', expect: { '${id}.share': 1, '${id}.is_high': true } },
    {
      name: 'a threshold of the analyst',
      email: 'jane1987@example.com',
      given: { thresholds: { high_from: 0.3 } },
      expect: { '${id}.is_high': true },
    },
  ],
};

export default cases;
`,
  };
}

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
        format: 'uri',
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

/** Counts the service's own checks. */
export function countingSources(id: string) {
  const description = 'How often addresses of the domain were checked lately, and how many of them.';
  return {
    description,
    index: `import { type Count, defineProvider, unknown } from '@postern/provider-kit';

export default defineProvider({
  id: '${id}',
  apiVersion: 1,
  description: '${description}',
  stage: 'local',
  facts: [
    {
      id: '${id}.checks_1h',
      type: 'integer',
      description: 'Checks of addresses at this domain in the last hour, this one included.',
      example: 3,
    },
    {
      id: '${id}.addresses_24h',
      type: 'integer',
      description: 'Different addresses at this domain, 100 at most, in the last 24 hours.',
      example: 2,
    },
  ],
  // A keyed hash of each text is kept, within the account: never the text.
  counts: ({ canonical }): readonly Count[] => [
    { facts: { '${id}.checks_1h': '1h' }, text: canonical.domain },
    { facts: { '${id}.addresses_24h': '24h' }, text: canonical.domain, distinct: canonical.address },
  ],
  check: (_address, { counted }) =>
    counted ? { facts: { ...counted } } : unknown('not_run', 'nothing is counted here'),
});
`,
    cases: `import { unknown } from '@postern/provider-kit';
import type { ContractCases } from '@postern/provider-kit/testing';

const email = 'jane.doe@example.com';
const cases: ContractCases = {
  cases: [
    { name: 'the first check', email, expect: { '${id}.checks_1h': 1, '${id}.addresses_24h': 1 } },
    {
      name: 'a busy domain',
      email,
      given: { counted: { '${id}.checks_1h': 40 } },
      expect: { '${id}.checks_1h': 40 },
    },
    { name: 'a command, which counts nothing', email, given: { counted: null }, expect: unknown('not_run') },
  ],
};

export default cases;
`,
  };
}
