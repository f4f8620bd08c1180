import type { FactValue, ListEntry } from '../provider-kit/index.ts';
import type { Action, Facts, Level } from './decision.ts';
import type { Operator } from './operators.ts';
import type { Place } from './problem.ts';

/** The score as a fact of levels and actions. */
export const RISK_SCORE = 'risk_score';
export const THRESHOLD_PREFIX = 'threshold.';
/** `in_list` and `not_in_list` have `list.<name>` on the right: a named list of the rules directory. */
export const LIST_PREFIX = 'list.';

/** Whether the id is that of a threshold or a list, not of a fact of an address. */
export function isConstant(id: string): boolean {
  return id.startsWith(THRESHOLD_PREFIX) || id.startsWith(LIST_PREFIX);
}

export const MODES = ['live', 'shadow', 'off'] as const;
export type Mode = (typeof MODES)[number];

/** A literal, a list of an enum's values, or the name of a fact, a threshold or a list. */
export type Operand = FactValue | readonly string[] | { readonly fact: string };

export interface Literal {
  readonly fact: string;
  readonly operator: Operator;
  readonly value: Operand;
}

export interface Comparison extends Literal {
  readonly place: Place;
  /** Name of the condition through which a rule reads the comparison; absent where the rule itself has it. */
  readonly by?: string;
}

/** `{ condition: <name> }`, where a comparison may stand. */
export interface NamedUse {
  readonly condition: string;
  /** The named condition as written where it is declared. */
  readonly means: Condition;
  readonly place: Place;
}

/** Combined parts: true when all parts are true, any is, or at least `count` are. */
export type Combined<Part> =
  | { readonly all: readonly Part[] }
  | { readonly any: readonly Part[] }
  | { readonly at_least: { readonly count: number; readonly of: readonly Part[] } };

/** A condition as written, checked. */
export type Condition =
  | Comparison
  | NamedUse
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly at_least: { readonly count: number; readonly of: readonly Condition[] } }
  | { readonly not: Condition };

/** A condition without names and `not`. An `at_least` has a count above 1 and below the number of parts: else it is `any` or `all`. */
export type NormalCondition =
  | Literal
  | { readonly all: readonly NormalCondition[] }
  | { readonly any: readonly NormalCondition[] }
  | { readonly at_least: { readonly count: number; readonly of: readonly NormalCondition[] } };

interface RuleBase {
  readonly id: string;
  readonly description: string;
  /** Null where a rule of decision.yaml names none. */
  readonly owner: string | null;
  readonly mode: Mode;
  /** Until this moment, in ms since the epoch, the rule acts as off. */
  readonly starts: number | null;
  /** From this moment on, in ms since the epoch, the rule acts as off. */
  readonly expires: number | null;
  /** As written. */
  readonly conditions: Condition;
  readonly condition: NormalCondition;
  /** The facts, thresholds and lists that the condition reads, sorted. */
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

/** The share of people for whom a rule counts. */
export interface Rollout {
  /** Whole, from 1 to 99. */
  readonly percent: number;
  /** Decides which people these are; the rule's id where the file has no salt. */
  readonly salt: string;
  readonly place: Place;
}

export type PointsRule = RuleBase &
  EffectOf<'points'> & {
    /** Null where it counts for everyone. */
    readonly rollout: Rollout | null;
    /** Ids of the rules that this one replaces when it fires, sorted. */
    readonly absorbs: readonly string[];
    /** `absorbs` with the place of each id, in the order of the file. */
    readonly absorbsAt: readonly { readonly id: string; readonly place: Place }[];
  };
export type LevelRule = RuleBase & EffectOf<'level'>;
export type Rule = PointsRule | LevelRule | (RuleBase & EffectOf<'force'>) | (RuleBase & EffectOf<'action'>);

/** What a rule does when it fires; for a rule with points, also which rules it absorbs. */
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
  /** Its value could not be read: what compares with it is not judged by what it means. */
  readonly isBroken?: true;
  readonly description: string;
  readonly place: Place;
}

/** A condition that rules share; it cannot read the score. */
export interface NamedCondition {
  readonly name: string;
  readonly description: string;
  readonly owner: string | null;
  /** As written. */
  readonly conditions: Condition;
  readonly condition: NormalCondition;
  readonly place: Place;
}

export interface DatedListEntry extends ListEntry {
  readonly expires: number | null;
  readonly place: Place;
}

/** An entry of a named list. `reason`, `owner` and `expires` are null in a `.txt` file and for a plain domain in YAML. */
export interface NamedListEntry {
  /** The form that is compared: `listKey` of the text in the file. */
  readonly key: string;
  readonly value: string;
  readonly reason: string | null;
  readonly owner: string | null;
  readonly expires: number | null;
  readonly line: number;
}

/** `lists/<name>.yaml` or `lists/<name>.txt`. */
export interface NamedListDefinition {
  readonly name: string;
  /** Null in a `.txt` file, which has no head. */
  readonly description: string | null;
  readonly owner: string | null;
  readonly entries: readonly NamedListEntry[];
  /** The file. */
  readonly place: Place;
}

/** What a test of a rule file expects; a member left out may have any value. */
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
  /** The test starts from the local signals of this address; null where it states facts only. */
  readonly email: string | null;
  /** The test runs the rules that are in force at this moment, in ms since the epoch; null for now. */
  readonly at: number | null;
  /** What the test states; null is unknown. */
  readonly facts: Facts;
  readonly expect: Expectation;
}

/** A rules directory that passed lint. */
export interface RuleDefinitions {
  readonly groups: readonly RuleGroup[];
  readonly rules: readonly Rule[];
  readonly thresholds: readonly Threshold[];
  readonly conditions: readonly NamedCondition[];
  /** By provider: its section of signals.yaml, checked, defaults filled in. */
  readonly signals: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly lists: { readonly allow: readonly DatedListEntry[]; readonly deny: readonly DatedListEntry[] };
  readonly namedLists: readonly NamedListDefinition[];
  readonly tests: readonly RuleTest[];
}

/** Whether a rule or an entry is past its date. */
export function isExpired({ expires }: { readonly expires: number | null }, now: number): boolean {
  return expires !== null && now >= expires;
}

/** Whether a rule has not started yet. */
export function isToCome({ starts }: Pick<Rule, 'starts'>, now: number): boolean {
  return starts !== null && now < starts;
}

/** The starts and expiries still ahead, of rules that are not off, soonest first. */
export function datesAhead({ rules }: Pick<RuleDefinitions, 'rules'>, now: number) {
  const dated = rules
    .filter(({ mode }) => mode !== 'off')
    .flatMap(({ id, starts, expires }) => [
      { id, change: 'starts' as const, at: starts },
      { id, change: 'expires' as const, at: expires },
    ]);
  return dated
    .flatMap(({ at, ...rest }) => (at !== null && at > now ? [{ ...rest, at }] : []))
    .toSorted((one, other) => one.at - other.at);
}

/** Whether a rule that is not off acts at this moment. */
export function isInTime(rule: Pick<Rule, 'starts' | 'expires'>, now: number): boolean {
  return !isToCome(rule, now) && !isExpired(rule, now);
}
