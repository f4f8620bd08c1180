import { defineProvider } from 'postern/provider-kit';

export default defineProvider({
  id: 'canonical',
  apiVersion: 1,
  description: 'How far the address was written from its canonical form, and who says what that form is.',
  stage: 'local',
  facts: [
    {
      id: 'canonical.basis',
      type: 'string',
      values: ['provider', 'generic', 'none'],
      description:
        "What made the canonical form: the mail provider's own rule, the general one, or none (an IP address).",
      example: 'provider',
      never_unknown: true,
    },
    {
      id: 'canonical.has_tag',
      type: 'boolean',
      description: 'A tag was cut off, such as news in jane+news.',
      example: false,
      never_unknown: true,
    },
    {
      id: 'canonical.has_dots_removed',
      type: 'boolean',
      description: 'Dots that do not count at this provider were taken away or replaced.',
      example: false,
      never_unknown: true,
    },
    {
      id: 'canonical.has_other_domain',
      type: 'boolean',
      description: 'The domain was replaced by the one it stands for, such as gmail.com for googlemail.com.',
      example: false,
      never_unknown: true,
    },
    {
      id: 'canonical.changes',
      type: 'integer',
      description:
        'How many kinds of change lie between the address as written and its canonical form; 0 to 5.',
      example: 0,
      never_unknown: true,
    },
  ],
  never: ['has_tag', 'has_dots_removed', 'has_other_domain'].map((change) => [
    { fact: `canonical.${change}`, operator: 'equal', value: true },
    { fact: 'canonical.changes', operator: 'lessThan', value: 1 },
  ]),
  check: ({ canonical: { basis, changes } }) => ({
    facts: {
      'canonical.basis': basis,
      'canonical.has_tag': changes.includes('tag'),
      'canonical.has_dots_removed': changes.includes('dots'),
      'canonical.has_other_domain': changes.includes('domain'),
      'canonical.changes': changes.length,
    },
    ...(changes.length > 0 && { evidence: { changes } }),
  }),
});
