import { defineProvider } from 'postern/provider-kit';
import { loadFigures } from './figures.ts';
import { checkCutOffs, type Judgement, judgeAll, LEVELS, readCutOffs, THRESHOLDS_SCHEMA } from './levels.ts';

/** By top-level domain; those without a figure are low. */
type State = ReadonlyMap<string, Judgement>;

export default defineProvider<State>({
  id: 'tld',
  apiVersion: 1,
  description: 'How much the top-level domain is abused, by published figures.',
  stage: 'local',
  facts: [
    {
      id: 'domain.tld_risk_level',
      slot: 'domain.tld_risk_level',
      type: 'string',
      values: LEVELS,
      description: 'How much of the top-level domain is abused, by the worst published figure.',
      example: 'low',
      never_unknown: true,
    },
  ],
  thresholds: THRESHOLDS_SCHEMA,
  checkThresholds: checkCutOffs,
  prepare: ({ thresholds }) => {
    const { figures, newest } = loadFigures();
    return {
      state: judgeAll(figures, readCutOffs(thresholds)),
      source: `tld-figures@${newest}`,
      lists: [{ name: 'data/abuse.yaml', date: newest, entries: figures.size }],
    };
  },
  check: ({ canonical, domainKind }, { state }) => {
    if (domainKind !== 'name') return { facts: { 'domain.tld_risk_level': 'low' } };
    const tld = canonical.domain.slice(canonical.domain.lastIndexOf('.') + 1);
    const judgement = state.get(tld);
    const level = judgement?.level ?? 'low';
    return {
      facts: { 'domain.tld_risk_level': level },
      evidence: { tld, ...(level !== 'low' && judgement?.figure) },
    };
  },
});
