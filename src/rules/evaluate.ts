import { Engine, Operator as EngineOperator, type TopLevelCondition } from 'json-rules-engine';
import type { FactValue } from '../provider-kit/index.ts';
import type { CompiledRule } from './compile.ts';
import type { Facts } from './decision.ts';
import { factValue } from './kleene.ts';
import type { NormalCondition } from './negation-normal-form.ts';
import { holds, OPERATOR_NAMES, type RightSide } from './operators.ts';

const ENGINE_OPERATORS = OPERATOR_NAMES.map(
  (name) => new EngineOperator<FactValue | null, RightSide>(name, (left, right) => holds(name, left, right)),
);

/**
 * The ids of the rules whose condition is true, found by json-rules-engine. A new Engine for each run: its
 * `status` lives on the engine, and of two overlapping runs the one that ends first would make the other
 * skip rules without a word (7.3.1). The count of results guards against any such loss.
 */
export async function fire(rules: readonly CompiledRule[], facts: Facts): Promise<ReadonlySet<string>> {
  if (rules.length === 0) return new Set();
  const engine = new Engine();
  for (const operator of ENGINE_OPERATORS) engine.addOperator(operator);
  for (const { id, kind, condition } of rules) {
    engine.addRule({ name: id, event: { type: kind }, conditions: toEngineForm(condition) });
  }
  const read = new Set(rules.flatMap(({ reads }) => reads));
  const { results, failureResults } = await engine.run(
    Object.fromEntries([...read].map((id) => [id, factValue(id, facts)])),
  );
  if (results.length + failureResults.length !== rules.length) {
    const count = results.length + failureResults.length;
    throw new Error(
      `only ${count} of ${rules.length} rules were evaluated: an incomplete run is no decision`,
    );
  }
  return new Set(results.map(({ name }) => name));
}

/** The engine wants a combiner at the root. Conditions are frozen plain data, which it does not change. */
function toEngineForm(condition: NormalCondition): TopLevelCondition {
  const root = 'fact' in condition ? { all: [condition] } : condition;
  // The engine's types ask for mutable arrays; it clones what it is given.
  return root as TopLevelCondition;
}
