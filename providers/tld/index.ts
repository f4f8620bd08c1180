import { defineProvider } from 'postern/provider-kit';
import { type Figure, loadFigures } from './figures.ts';
import { type CutOffs, LEVELS, levelOf, readCutOffs, THRESHOLDS_SCHEMA } from './levels.ts';

interface State {
  readonly figures: ReadonlyMap<string, readonly Figure[]>;
  readonly cutOffs: CutOffs;
}

export default defineProvider<State>({
  id: 'tld',
  apiVersion: 1,
  description: 'How much the top-level domain is abused, by published figures.',
  stage: 'local',
  cache: { by: 'domain' },
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
  prepare: ({ thresholds }) => {
    const { figures, newest } = loadFigures();
    return {
      state: { figures, cutOffs: readCutOffs(thresholds) },
      source: `tld-figures@${newest}`,
      lists: [{ name: 'data/abuse.yaml', date: newest, entries: figures.size }],
    };
  },
  check: ({ canonical, domainKind }, { state }) => {
    if (domainKind !== 'name') return { facts: { 'domain.tld_risk_level': 'low' } };
    const tld = canonical.domain.slice(canonical.domain.lastIndexOf('.') + 1);
    const judged = (state.figures.get(tld) ?? []).map((figure) => ({
      figure,
      level: levelOf(figure, state.cutOffs),
    }));
    const level = LEVELS.findLast((candidate) => judged.some((row) => row.level === candidate)) ?? 'low';
    const decisive = judged.find((row) => row.level === level);
    return {
      facts: { 'domain.tld_risk_level': level },
      evidence: { tld, ...(level !== 'low' && decisive && { ...decisive.figure }) },
    };
  },
});
