import { byId } from './by-id.ts';
import type { CompiledForce, CompiledLevel, CompiledPoints, CompiledRule, RuleSet } from './compile.ts';
import { type Action, type Facts, LEVELS } from './decision.ts';
import { RISK_SCORE } from './definitions.ts';
import { fire } from './evaluate.ts';
import { truthOf } from './kleene.ts';
import { addUp, type Tally } from './score.ts';

/** A rule that unknown facts left open, and which. */
export interface StoodAside {
  readonly id: string;
  readonly unknown: readonly string[];
}

/**
 * All of a decision but the values that its ledger quotes: a function of the rule set, of which comparisons
 * hold, and of which facts are unknown. Lists of rules are sorted by id.
 */
export interface Verdict {
  readonly forces: readonly CompiledForce[];
  readonly points: readonly CompiledPoints[];
  readonly shadows: readonly CompiledPoints[];
  readonly tally: Tally;
  readonly stoodAside: readonly StoodAside[];
  /** The rule that gave the level; undefined when none fired. */
  readonly level: CompiledLevel | undefined;
  /** The rules that gave the action; none when it is ALLOW because nothing fired. */
  readonly deciders: readonly CompiledRule[];
  readonly action: Action;
}

/** Asks json-rules-engine. Rejects when a fact that a rule reads is missing, or when the engine lost a rule: bugs both. */
export async function reachVerdict(ruleSet: RuleSet, given: Facts): Promise<Verdict> {
  const evidence = { ...given, ...ruleSet.thresholdFacts };
  const { forces, points, shadows, levels, actions } = ruleSet;
  const first = await fire([...forces, ...points, ...shadows], evidence);
  const firedForces = forces.filter(({ id }) => first.has(id));
  const firedPoints = points.filter(({ id }) => first.has(id));
  const tally = addUp(firedPoints, ruleSet.caps);

  const facts = { ...evidence, [RISK_SCORE]: tally.score };
  const second = await fire([...levels, ...actions], facts);
  const forced = firedForces.find(({ action }) => action === 'ALLOW') ?? firedForces[0];
  const deciders = forced ? [forced] : actions.filter(({ id }) => second.has(id));
  return {
    forces: firedForces,
    points: firedPoints,
    shadows: shadows.filter(({ id }) => first.has(id)),
    tally,
    stoodAside: stoodAside(ruleSet, facts),
    level: gravest(levels.filter(({ id }) => second.has(id))),
    deciders,
    action: deciders[0]?.action ?? 'ALLOW',
  };
}

/** The gravest level; of several rules for it, the first by id. */
function gravest(fired: readonly CompiledLevel[]): CompiledLevel | undefined {
  return fired.reduce<CompiledLevel | undefined>((gravestSoFar, rule) => {
    if (!gravestSoFar) return rule;
    return LEVELS.indexOf(rule.level) > LEVELS.indexOf(gravestSoFar.level) ? rule : gravestSoFar;
  }, undefined);
}

/** Rules that could have acted and were left open by unknown facts. Shadow rules cannot act. */
function stoodAside({ forces, points, actions }: RuleSet, facts: Facts): readonly StoodAside[] {
  return [...forces, ...points, ...actions]
    .flatMap(({ id, condition }) => {
      const truth = truthOf(condition, facts);
      return truth.is === 'unknown' ? [{ id, unknown: [...new Set(truth.because)].sort() }] : [];
    })
    .toSorted(byId);
}
