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
