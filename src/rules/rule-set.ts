import { hash } from 'node:crypto';
import { canonicalJson } from '../lib/text.ts';
import type { ListEntry } from '../provider-kit/index.ts';
import { unordered } from './conditions.ts';
import type { EffectOf, NormalCondition } from './definitions.ts';
import { type Constants, isNamedList } from './named-list.ts';

interface CompiledBase {
  readonly id: string;
  /** Without `not`; see `toNegationNormalForm`. */
  readonly condition: NormalCondition;
  /** The facts, thresholds and lists that the condition reads, sorted. */
  readonly reads: readonly string[];
}
export type CompiledPoints = CompiledBase & EffectOf<'points'> & { readonly absorbs: readonly string[] };
export type CompiledForce = CompiledBase & EffectOf<'force'>;
export type CompiledLevel = CompiledBase & EffectOf<'level'>;
export type CompiledAction = CompiledBase & EffectOf<'action'>;
export type CompiledRule = CompiledPoints | CompiledForce | CompiledLevel | CompiledAction;

/** A named condition. */
export interface CompiledCondition extends Pick<CompiledBase, 'condition'> {
  readonly name: string;
  /** Ids of the rules in force, shadow rules too, that use it; sorted. */
  readonly rules: readonly string[];
}

/** All that can change a decision, and nothing else; the hash is taken over this. */
export interface DecidingParts {
  /** Sorted by id, as all lists of rules here. */
  readonly points: readonly CompiledPoints[];
  readonly forces: readonly CompiledForce[];
  readonly levels: readonly CompiledLevel[];
  readonly actions: readonly CompiledAction[];
  /** By group. */
  readonly caps: Readonly<Record<string, number>>;
  /** Thresholds and named lists; those that a rule in force reads. */
  readonly constants: Constants;
  /** By provider: its section of signals.yaml, from which it makes signals. */
  readonly signals: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A rolled-out rule; `rule` is the rule without its rollout. */
interface CompiledRollout {
  readonly percent: number;
  readonly rule: CompiledPoints;
}

/** Rules ready to decide. Immutable. A rule that has expired or has not started is left out. */
export interface RuleSet extends DecidingParts {
  /** 16 hex digits; the response header `Postern-Ruleset`. */
  readonly hash: string;
  /** Run beside the other rules and shown in the ledger, never acted on. Includes each rolled-out rule, for people outside its rollout. */
  readonly shadows: readonly CompiledPoints[];
  /** By id of a live rule that is rolled out. */
  readonly rollouts: Readonly<Record<string, CompiledRollout>>;
  /** By id of a shadow rule; see `hashShadowRule`. */
  readonly shadowHashes: Readonly<Record<string, string>>;
  /** The named conditions that the rules use, for explanations only: a rule's own condition has their meaning written out. */
  readonly conditions: readonly CompiledCondition[];
  /** The entries in force. */
  readonly lists: { readonly allow: readonly ListEntry[]; readonly deny: readonly ListEntry[] };
  /** In ms since the epoch: when the next rule starts or the next rule or entry expires, and a new set must be compiled; else null. */
  readonly nextChange: number | null;
}

type RuleLists = Pick<RuleSet, 'points' | 'forces' | 'levels' | 'actions' | 'shadows'>;

/** Every rule of a set, shadow rules too. */
export function rulesOf({ points, forces, levels, actions, shadows }: RuleLists): readonly CompiledRule[] {
  return [...points, ...forces, ...levels, ...actions, ...shadows];
}

/** Raise it when the same rules come to decide otherwise: a change of an operator, the logic, or the order of stages. */
const LANGUAGE_VERSION = 1;

/**
 * The first 16 hex digits of SHA-256 over the canonical JSON of all that can change a decision. Left out: order of
 * files, rules and conditions, descriptions, owners, tests, shadow rules, and entries of allow.yaml and deny.yaml.
 */
export function hashRuleSet(parts: DecidingParts): string {
  const { points, forces, levels, actions, caps, constants, signals } = parts;
  const groups = new Set(points.map(({ group }) => group));
  const content = {
    language: LANGUAGE_VERSION,
    points: points.map(contentOf),
    forces: forces.map(contentOf),
    levels: levels.map(contentOf),
    actions: actions.map(contentOf),
    caps: Object.fromEntries(Object.entries(caps).filter(([group]) => groups.has(group))),
    thresholds: numbersOf(constants),
    ...listsOf(constants),
    signals,
  };
  return hashOf(content, 16);
}

/**
 * 8 hex digits over all that says when a rule fires and what it is worth, its thresholds and lists included. Tells whether the
 * shadow rule of a record is the same as the one in the files now.
 */
export function hashShadowRule(rule: CompiledPoints, constants: Constants): string {
  const read = Object.fromEntries(Object.entries(constants).filter(([id]) => rule.reads.includes(id)));
  return hashOf(
    { language: LANGUAGE_VERSION, ...contentOf(rule), thresholds: numbersOf(read), ...listsOf(read) },
    8,
  );
}

function numbersOf(constants: Constants): Readonly<Record<string, number>> {
  const numbers = Object.entries(constants).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  return Object.fromEntries(numbers);
}

/** Each list by its digest. Without lists the member is absent, so that rules keep the hash that they had before lists existed. */
function listsOf(constants: Constants): { readonly named_lists?: Readonly<Record<string, string>> } {
  const lists = Object.values(constants).filter(isNamedList);
  if (lists.length === 0) return {};
  return { named_lists: Object.fromEntries(lists.map(({ name, digest }) => [name, digest])) };
}

function hashOf(content: unknown, digits: number): string {
  return hash('sha256', canonicalJson(content)).slice(0, digits);
}

function contentOf({ kind, reads, condition, ...content }: CompiledRule): Record<string, unknown> {
  return { ...content, condition: unordered(condition) };
}
