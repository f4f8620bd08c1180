import { Engine } from 'json-rules-engine';
import { addUp, type MakeEngine } from './engine.ts';

/**
 * The library alone, at its fastest: one engine for all runs, one run after the other. Overlapping runs on one engine
 * silently lose rules, which is why Postern never shares an engine.
 */
export const jsonRulesEngine: MakeEngine = (rules) => {
  const engine = new Engine();
  for (const { id, points, when } of rules) {
    engine.addRule({ conditions: { all: [...when] }, event: { type: id, params: { points } } });
  }
  return {
    name: 'json-rules-engine alone: the rules that fired',
    decide: (facts) => engine.run(facts),
    async outcome(facts) {
      const { events } = await engine.run(facts);
      return addUp(events.map(({ type, params }) => ({ id: type, points: Number(params?.points) })));
    },
  };
};
