import { defineProvider, localPartWithoutTag, wordsOf } from 'postern/provider-kit';
import { piecesOf } from './pieces.ts';
import { lengthOf, shannonEntropy } from './shannon.ts';
import { checkAscending, limitAt, THRESHOLDS_SCHEMA, type Threshold, tableOf } from './thresholds.ts';

export default defineProvider<readonly Threshold[]>({
  id: 'entropy',
  apiVersion: 1,
  description: 'How much the local part looks like random characters. A weak signal.',
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
      description: 'The local part, or a word of it, has more entropy than what people choose of its length.',
      example: false,
      never_unknown: true,
    },
  ],
  thresholds: THRESHOLDS_SCHEMA,
  checkThresholds: checkAscending,
  prepare: ({ thresholds }) => ({ state: tableOf(thresholds) }),
  check: (address, { state }) => {
    const pieces = piecesOf(wordsOf(address), localPartWithoutTag(address)).map((piece) => ({
      length: lengthOf(piece),
      bits: shannonEntropy(piece),
      limit: limitAt(piece, state),
    }));
    const found = pieces.find(({ bits, limit }) => bits > limit);
    const { length, limit } =
      found ?? pieces.reduce((one, other) => (other.length > one.length ? other : one));
    return {
      facts: {
        'entropy.score': shannonEntropy(address.canonical.localPart),
        'entropy.suspicious': found !== undefined,
      },
      evidence: { length, suspicious_above: Number.isFinite(limit) ? limit : null },
    };
  },
});
