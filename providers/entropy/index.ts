import { defineProvider } from 'postern/provider-kit';
import { lengthOf, shannonEntropy } from './shannon.ts';
import { checkAscending, limitAt, THRESHOLDS_SCHEMA, type Threshold, tableOf } from './thresholds.ts';

export default defineProvider<readonly Threshold[]>({
  id: 'entropy',
  apiVersion: 1,
  description: 'How much the local part looks like random characters. A weak signal; see its README.',
  stage: 'local',
  facts: [
    {
      id: 'entropy.score',
      slot: 'entropy.score',
      type: 'number',
      description: 'Shannon entropy of the canonical local part, in bits per character.',
      example: 2.9219,
      never_unknown: true,
    },
    {
      id: 'entropy.suspicious',
      slot: 'entropy.suspicious',
      type: 'boolean',
      description: 'The score is above what local parts of this length that people choose have.',
      example: false,
      never_unknown: true,
    },
  ],
  thresholds: THRESHOLDS_SCHEMA,
  checkThresholds: checkAscending,
  prepare: ({ thresholds }) => ({ state: tableOf(thresholds) }),
  check: ({ canonical }, { state }) => {
    const score = shannonEntropy(canonical.localPart);
    const length = lengthOf(canonical.localPart);
    const limit = limitAt(length, state);
    return {
      facts: { 'entropy.score': score, 'entropy.suspicious': score > limit },
      evidence: { length, suspicious_above: Number.isFinite(limit) ? limit : null },
    };
  },
});
