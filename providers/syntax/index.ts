import { defineProvider } from 'postern/provider-kit';

/** Faults that are kept as evidence: a thousand dots would make a record of 40 KB; `syntax.fault_count` counts all. */
const MOST_SHOWN = 20;

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
      description: 'How many faults the address has that can be read over but are not clean.',
      example: 0,
      never_unknown: true,
    },
  ],
  check: ({ faults }) => ({
    facts: { 'syntax.valid_format': faults.length === 0, 'syntax.fault_count': faults.length },
    // Codes and positions only: a fault's message may quote the address.
    ...(faults.length > 0 && {
      evidence: { faults: faults.slice(0, MOST_SHOWN).map(({ code, position }) => ({ code, position })) },
    }),
  }),
});
