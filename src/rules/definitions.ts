import type { FactValue, ListEntry } from '../provider-kit/index.ts';
import type { Action, Facts, Level } from './decision.ts';
import type { Operator } from './operators.ts';
import type { Place } from './problem.ts';

/** The score as a fact of levels and actions. */
export const RISK_SCORE = 'risk_score';
export const THRESHOLD_PREFIX = 'threshold.';

export const MODES = ['live', 'shadow', 'off'] as const;
export type Mode = (typeof MODES)[number];

/** A literal, a list of an enum's values, or the name of a fact or threshold. */
export type Operand = FactValue | readonly string[] | { readonly fact: string };

export interface Literal {
  readonly fact: string;
  readonly operator: Operator;
  readonly value: Operand;
}

export interface Comparison extends Literal {
  readonly place: Place;
}

/** A condition as written, checked. */
export type Condition =
  | Comparison
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

/** A condition without `not`: what json-rules-engine is given. */
export type NormalCondition =
  | Literal
  | { readonly all: readonly NormalCondition[] }
  | { readonly any: readonly NormalCondition[] };

interface RuleBase {
  readonly id: string;
  readonly description: string;
  /** Null where a rule of decision.yaml names none. */
  readonly owner: string | null;
  readonly mode: Mode;
  /** From this moment, in ms since the epoch, the rule acts as off. */
  readonly expires: number | null;
  /** As written. */
  readonly conditions: Condition;
  readonly condition: NormalCondition;
  /** The facts and thresholds that it reads, sorted. */
  readonly reads: readonly string[];
  readonly place: Place;
}

/** What a rule does when it fires. */
export type Effect = Readonly<
  | { kind: 'points'; group: string; points: number }
  | { kind: 'force'; action: Action }
  | { kind: 'level'; level: Level }
  | { kind: 'action'; action: 'BLOCK' }
>;
export type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

export type PointsRule = RuleBase &
  EffectOf<'points'> & {
    /** Ids of the rules that this one replaces when it fires, sorted. */
    readonly absorbs: readonly string[];
    /** The same where they stand in the file. */
    readonly absorbsAt: readonly { readonly id: string; readonly place: Place }[];
  };
export type LevelRule = RuleBase & EffectOf<'level'>;
export type Rule = PointsRule | LevelRule | (RuleBase & EffectOf<'force'>) | (RuleBase & EffectOf<'action'>);

/** What a rule does when it fires; of points also what it absorbs. */
export function effectOf(rule: Rule) {
  switch (rule.kind) {
    case 'points':
      return { kind: rule.kind, group: rule.group, points: rule.points, absorbs: rule.absorbs };
    case 'level':
      return { kind: rule.kind, level: rule.level };
    default:
      return { kind: rule.kind, action: rule.action };
  }
}

export interface RuleGroup {
  readonly id: string;
  readonly description: string;
  /** The sum of the group's points counts up to this. */
  readonly maxScore: number;
}

export interface Threshold {
  readonly name: string;
  readonly value: number;
  readonly description: string;
  readonly place: Place;
}

export interface DatedListEntry extends ListEntry {
  readonly expires: number | null;
  readonly place: Place;
}

/** What a test of a rule file expects; what it leaves out may be anything. */
export interface Expectation {
  readonly action?: Action;
  readonly level?: Level;
  readonly score?: { readonly min: number; readonly max: number };
  readonly fired: readonly string[];
  readonly notFired: readonly string[];
}

export interface RuleTest {
  readonly name: string;
  readonly place: Place;
  /** The address whose local signals are the facts to begin with. */
  readonly email: string | null;
  /** What the test states; null is unknown. */
  readonly facts: Facts;
  readonly expect: Expectation;
}

/** A rules directory that passed lint. */
export interface RuleDefinitions {
  readonly groups: readonly RuleGroup[];
  readonly rules: readonly Rule[];
  readonly thresholds: readonly Threshold[];
  /** By provider: its section of signals.yaml, checked, defaults filled in. */
  readonly signals: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly lists: { readonly allow: readonly DatedListEntry[]; readonly deny: readonly DatedListEntry[] };
  readonly tests: readonly RuleTest[];
}

/** Whether a rule or an entry is past its date. */
export function isExpired({ expires }: { readonly expires: number | null }, now: number): boolean {
  return expires !== null && now >= expires;
}
