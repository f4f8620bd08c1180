import { createHash } from 'node:crypto';
import { canonicalJson } from '../lib/text.ts';
import type { ListEntry } from '../provider-kit/index.ts';
import type { Facts } from './decision.ts';
import type { EffectOf, NormalCondition } from './definitions.ts';

interface CompiledBase {
  readonly id: string;
  /** Without `not`; see `toNegationNormalForm`. */
  readonly condition: NormalCondition;
  /** The facts and thresholds that the condition reads, sorted. */
  readonly reads: readonly string[];
}
export type CompiledPoints = CompiledBase & EffectOf<'points'> & { readonly absorbs: readonly string[] };
export type CompiledForce = CompiledBase & EffectOf<'force'>;
export type CompiledLevel = CompiledBase & EffectOf<'level'>;
export type CompiledAction = CompiledBase & EffectOf<'action'>;
export type CompiledRule = CompiledPoints | CompiledForce | CompiledLevel | CompiledAction;

/** All that can change a decision, and nothing else; the hash is taken over this. */
export interface DecidingParts {
  /** Sorted by id, as all lists of rules here. */
  readonly points: readonly CompiledPoints[];
  readonly forces: readonly CompiledForce[];
  readonly levels: readonly CompiledLevel[];
  readonly actions: readonly CompiledAction[];
  /** By group. */
  readonly caps: Readonly<Record<string, number>>;
  /** By fact id, `threshold.<name>`; those that a rule in force reads. */
  readonly thresholdFacts: Facts;
  /** What providers make signals by: their sections of signals.yaml. */
  readonly signals: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Rules ready to decide. Immutable; an expired rule is not in it. */
export interface RuleSet extends DecidingParts {
  /** 16 hex digits; the response header `Postern-Ruleset`. */
  readonly hash: string;
  /** Run beside the others and shown in the ledger, never acted on. */
  readonly shadows: readonly CompiledPoints[];
  /** By id of a shadow rule; see `hashShadowRule`. */
  readonly shadowHashes: Readonly<Record<string, string>>;
  /** The entries in force. */
  readonly lists: { readonly allow: readonly ListEntry[]; readonly deny: readonly ListEntry[] };
  /** In ms since the epoch: when the next rule or entry expires, and a new set must be compiled. */
  readonly nextExpiry: number | null;
}

type RuleLists = Pick<RuleSet, 'points' | 'forces' | 'levels' | 'actions' | 'shadows'>;

/** Every rule of a set, shadow rules too. */
export function rulesOf({ points, forces, levels, actions, shadows }: RuleLists): readonly CompiledRule[] {
  return [...points, ...forces, ...levels, ...actions, ...shadows];
}

/** Raised when the same rules come to mean something else: an operator, the logic, the order of stages. */
const LANGUAGE_VERSION = 1;

/**
 * The first 16 hex digits of SHA-256 over the canonical JSON of all that can change a decision. Order of
 * files, rules and conditions, descriptions, owners, tests, shadow rules and list entries are not in it.
 */
export function hashRuleSet(parts: DecidingParts): string {
  const { points, forces, levels, actions, caps, thresholdFacts, signals } = parts;
  const groups = new Set(points.map(({ group }) => group));
  const content = {
    language: LANGUAGE_VERSION,
    points: points.map(contentOf),
    forces: forces.map(contentOf),
    levels: levels.map(contentOf),
    actions: actions.map(contentOf),
    caps: Object.fromEntries(Object.entries(caps).filter(([group]) => groups.has(group))),
    thresholds: thresholdFacts,
    signals,
  };
  return hashOf(content, 16);
}

/**
 * 8 hex digits over all that says when a rule fires and what it is worth, its thresholds included: whether the shadow rule
 * of a record is the one that stands in the files now.
 */
export function hashShadowRule(rule: CompiledPoints, thresholdFacts: Facts): string {
  const thresholds = Object.fromEntries(
    rule.reads.filter((id) => id in thresholdFacts).map((id) => [id, thresholdFacts[id]]),
  );
  return hashOf({ language: LANGUAGE_VERSION, ...contentOf(rule), thresholds }, 8);
}

function hashOf(content: unknown, digits: number): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex').slice(0, digits);
}

function contentOf({ kind, reads, condition, ...content }: CompiledRule): Record<string, unknown> {
  return { ...content, condition: unordered(condition) };
}

/** `all` and `any` mean the same in any order, and so do the words of a list. */
function unordered(condition: NormalCondition): unknown {
  if ('fact' in condition) {
    const { value } = condition;
    return Array.isArray(value) ? { ...condition, value: value.toSorted() } : condition;
  }
  const parts = ('all' in condition ? condition.all : condition.any).map(unordered).map(canonicalJson).sort();
  return 'all' in condition ? { all: parts } : { any: parts };
}
