import type { CompiledForce, CompiledLevel, CompiledPoints, CompiledRule, RuleSet } from './compile.ts';
import { type Action, type Decision, type Facts, LEVELS } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import { fire } from './evaluate.ts';
import { writeLedger } from './ledger.ts';
import { addUp, type Tally } from './score.ts';

/** All that the ledger is written from. Lists of rules are sorted by id. */
export interface Outcome {
  /** The facts with the thresholds and the score among them. */
  readonly facts: Facts;
  readonly forces: readonly CompiledForce[];
  readonly points: readonly CompiledPoints[];
  readonly shadows: readonly CompiledPoints[];
  readonly tally: Tally;
  /** The rule that gave the level; undefined when none fired. */
  readonly level: CompiledLevel | undefined;
  /** The rules that gave the action; none when it is ALLOW because nothing fired. */
  readonly deciders: readonly CompiledRule[];
  readonly action: Action;
}

/**
 * Decides on facts. A function of its two arguments: no clock, no randomness, no memory between calls.
 * Rejects when a fact that a rule reads is missing, or when the engine lost a rule: both are bugs.
 */
export async function decide(ruleSet: RuleSet, given: Facts): Promise<Decision> {
  const evidence = { ...given, ...ruleSet.thresholdFacts };
  const { forces, points, shadows, levels, actions } = ruleSet;
  const first = await fire([...forces, ...points, ...shadows], evidence);
  const firedForces = forces.filter(({ id }) => first.has(id));
  const firedPoints = points.filter(({ id }) => first.has(id));
  const tally = addUp(firedPoints, ruleSet.caps);

  const facts = { ...evidence, [RISK_SCORE]: tally.score };
  const second = await fire([...levels, ...actions], facts);
  const level = gravest(levels.filter(({ id }) => second.has(id)));
  const forced = firedForces.find(({ action }) => action === 'ALLOW') ?? firedForces[0];
  const deciders = forced ? [forced] : actions.filter(({ id }) => second.has(id));
  const action = deciders[0]?.action ?? 'ALLOW';

  const firedShadows = shadows.filter(({ id }) => first.has(id));
  const outcome = {
    facts,
    forces: firedForces,
    points: firedPoints,
    shadows: firedShadows,
    tally,
    level,
    deciders,
    action,
  };
  return {
    score: tally.score,
    level: level?.level ?? 'low',
    action,
    ledger: writeLedger(ruleSet, outcome),
    ruleset: ruleSet.hash,
  };
}

/** The gravest level; of several rules for it, the first by id. */
function gravest(fired: readonly CompiledLevel[]): CompiledLevel | undefined {
  return fired.reduce<CompiledLevel | undefined>((gravestSoFar, rule) => {
    if (!gravestSoFar) return rule;
    return LEVELS.indexOf(rule.level) > LEVELS.indexOf(gravestSoFar.level) ? rule : gravestSoFar;
  }, undefined);
}
