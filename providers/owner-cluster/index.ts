import { defineProvider, ownerCluster, unknown } from 'postern/provider-kit';

export default defineProvider({
  id: 'owner_cluster',
  apiVersion: 1,
  description: 'Which addresses are probably one person, and how far this one was written from the others.',
  stage: 'local',
  needs: ['mx.provider'],
  facts: [
    {
      id: 'owner_cluster.basis',
      type: 'string',
      values: ['canonical', 'provider', 'mail_host'],
      description:
        'What tells the probable owner: the canonical form alone, the mail provider of the domain, or who runs the MX of an own domain.',
      example: 'mail_host',
    },
    {
      id: 'owner_cluster.changes',
      type: 'integer',
      description:
        'How many kinds of change lie between the canonical form and the form of its probable owner; 0 to 4.',
      example: 1,
    },
  ],
  never: [
    [
      { fact: 'owner_cluster.basis', operator: 'equal', value: 'canonical' },
      { fact: 'owner_cluster.changes', operator: 'greaterThan', value: 0 },
    ],
    [
      { fact: 'owner_cluster.basis', operator: 'equal', value: 'mail_host' },
      { fact: 'mx.provider', operator: 'in', value: ['none', 'other'] },
    ],
  ],
  check: (address, { needs }) => {
    const mailHost = needs['mx.provider'];
    const { basis, changes, isSettled } = ownerCluster(
      address,
      typeof mailHost === 'string' ? mailHost : null,
    );
    // The provider mx reports its failed look-up; this one had nothing to try, so `not_run`.
    if (!isSettled) return unknown('not_run', 'who runs the MX is unknown');
    return {
      facts: { 'owner_cluster.basis': basis, 'owner_cluster.changes': changes.length },
      ...(changes.length > 0 && { evidence: { changes } }),
    };
  },
});
