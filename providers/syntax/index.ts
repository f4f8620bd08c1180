import { defineProvider } from 'postern/provider-kit';

/** Faults that are kept as evidence: a thousand dots would make a record of 40 KB. */
const MOST_SHOWN = 20;

/** What is copied along with an address from a letter or a page, `Maria <maria@x.org> (work)`: one kind of fault, however much there is. */
const COPIED_ALONG = new Set(['comment', 'display_name', 'invisible_character', 'white_space']);

export default defineProvider({
  id: 'syntax',
  apiVersion: 1,
  description: 'Whether the address is written in a clean form, and what is wrong where it is not.',
  stage: 'local',
  facts: [
    {
      id: 'syntax.valid_format',
      slot: 'syntax.valid_format',
      type: 'boolean',
      description: 'The address is clean: plain local part, full domain name, nothing around it.',
      example: true,
      never_unknown: true,
    },
    {
      id: 'syntax.fault_count',
      type: 'integer',
      description: 'How many kinds of fault the address has that can be read over but are not clean.',
      example: 0,
      never_unknown: true,
    },
  ],
  never: [
    [{ fact: 'syntax.fault_count', operator: 'lessThan', value: 0 }],
    [
      { fact: 'syntax.valid_format', operator: 'equal', value: true },
      { fact: 'syntax.fault_count', operator: 'greaterThan', value: 0 },
    ],
    [
      { fact: 'syntax.valid_format', operator: 'equal', value: false },
      { fact: 'syntax.fault_count', operator: 'lessThan', value: 1 },
    ],
  ],
  check: ({ faults }) => ({
    facts: {
      'syntax.valid_format': faults.length === 0,
      'syntax.fault_count': new Set(
        faults.map(({ code }) => (COPIED_ALONG.has(code) ? 'copied_along' : code)),
      ).size,
    },
    // Codes and positions only: a fault's message may quote the address.
    ...(faults.length > 0 && {
      evidence: { faults: faults.slice(0, MOST_SHOWN).map(({ code, position }) => ({ code, position })) },
    }),
  }),
});
