import { randomUUID } from 'node:crypto';
import type { DescribedComparison, DescribedRule } from './description.ts';
import { addUp, type MakeEngine } from './engine.ts';

const OPERATORS = { equal: '==', greaterThan: '>', lessThan: '<' } as const;

/** A decision table that collects all matching rows: a column per fact, a row per rule. */
export const zenEngine: MakeEngine = async (rules) => {
  const { ZenEngine } = await import('@gorules/zen-engine');
  const decision = new ZenEngine().createDecision(decisionTable(rules));
  const firedBy = async (facts: unknown): Promise<{ id: string; points: number }[]> =>
    (await decision.evaluate(facts)).result;
  return {
    name: '@gorules/zen-engine, decision table: the rules that fired',
    decide: (facts) => decision.evaluate(facts),
    outcome: async (facts) => addUp(await firedBy(facts)),
  };
};

function decisionTable(rules: readonly DescribedRule[]): object {
  const facts = [...new Set(rules.flatMap(({ when }) => when.map(({ fact }) => fact)))];
  const content = {
    hitPolicy: 'collect',
    inputs: facts.map((fact) => ({ id: fact, name: fact, field: fact })),
    outputs: ['id', 'points'].map((field) => ({ id: `out_${field}`, name: field, field })),
    rules: rules.map(({ id, points, when }) => ({
      _id: id,
      ...Object.fromEntries(facts.map((fact) => [fact, ''])),
      ...Object.fromEntries(when.map((comparison) => [comparison.fact, cell(comparison)])),
      out_id: JSON.stringify(id),
      out_points: String(points),
    })),
  };
  const node = (id: string, type: string, more: object = {}) => ({
    id,
    type,
    name: id,
    position: { x: 0, y: 0 },
    ...more,
  });
  const edge = (sourceId: string, targetId: string) => ({
    id: randomUUID(),
    type: 'edge',
    sourceId,
    targetId,
  });
  return {
    nodes: [
      node('in', 'inputNode'),
      node('table', 'decisionTableNode', { content }),
      node('out', 'outputNode'),
    ],
    edges: [edge('in', 'table'), edge('table', 'out')],
  };
}

function cell({ operator, value }: DescribedComparison): string {
  return `${OPERATORS[operator]} ${JSON.stringify(value)}`;
}
