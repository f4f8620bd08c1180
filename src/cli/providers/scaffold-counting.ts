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
