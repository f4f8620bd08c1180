import { defineProvider, wordsOf } from 'postern/provider-kit';
import { judge } from './judge.ts';
import { inLatin } from './latin.ts';
import { loadModel } from './model.ts';
import { scoreOf } from './score.ts';

interface State {
  readonly costs: Uint8Array;
  readonly likelyFrom: number;
}

/** The answer for a text that is too short, or of a script that the model does not know: no evidence. */
const NOTHING = Object.freeze({
  facts: Object.freeze({ 'gibberish.score': 0, 'gibberish.is_likely': false }),
});

export default defineProvider<State>({
  id: 'gibberish',
  apiVersion: 1,
  description: 'Whether the local part reads as if a program had made it up, by its letter sequences.',
  stage: 'local',
  facts: [
    {
      id: 'gibberish.score',
      type: 'number',
      description:
        'How much the local part looks made up by a program, 0 to 1; above 0.5 for 2 in 100 people.',
      example: 0.0123,
      never_unknown: true,
    },
    {
      id: 'gibberish.is_likely',
      type: 'boolean',
      description: 'The score is at least `likely_from`.',
      example: false,
      never_unknown: true,
    },
  ],
  never: [
    [{ fact: 'gibberish.score', operator: 'greaterThan', value: 1 }],
    [{ fact: 'gibberish.score', operator: 'lessThan', value: 0 }],
    [
      { fact: 'gibberish.is_likely', operator: 'equal', value: true },
      { fact: 'gibberish.score', operator: 'equal', value: 0 },
    ],
  ],
  thresholds: {
    type: 'object',
    additionalProperties: false,
    properties: {
      likely_from: {
        description: 'From this score on a local part is likely made up.',
        type: 'number',
        exclusiveMinimum: 0,
        maximum: 1,
        default: 0.5,
      },
    },
  },
  prepare: ({ thresholds }) => {
    const { costs, date } = loadModel();
    return {
      // The host has checked the section against the schema above.
      state: { costs, likelyFrom: thresholds.likely_from as number },
      source: `trigrams.json@${date}`,
      lists: [{ name: 'trigrams.json', date, entries: costs.length }],
    };
  },
  check: (address, { state }) => {
    const text = inLatin(wordsOf(address));
    const judgement = text === null ? null : judge(text, state.costs);
    if (judgement === null) return NOTHING;
    const score = scoreOf(judgement.logOdds);
    const isLikely = score >= state.likelyFrom;
    const facts = { 'gibberish.score': score, 'gibberish.is_likely': isLikely };
    return isLikely ? { facts, evidence: { pattern: judgement.pattern } } : { facts };
  },
});
