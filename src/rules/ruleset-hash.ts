import { createHash } from 'node:crypto';
import { compareKeys } from '../lib/text.ts';
import type { CompiledPoints, CompiledRule, DecidingParts } from './compile.ts';
import type { NormalCondition } from './conditions.ts';
import type { Facts } from './decision.ts';

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
    points: points.map(pointsContent),
    forces: forces.map((rule) => ({ ...ruleContent(rule), action: rule.action })),
    levels: levels.map((rule) => ({ ...ruleContent(rule), level: rule.level })),
    actions: actions.map((rule) => ({ ...ruleContent(rule), action: rule.action })),
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
  return hashOf({ language: LANGUAGE_VERSION, ...pointsContent(rule), thresholds }, 8);
}

function hashOf(content: unknown, digits: number): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex').slice(0, digits);
}

/** JSON with sorted keys and no spaces, in the manner of RFC 8785. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(compareKeys)
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

function pointsContent(rule: CompiledPoints): Record<string, unknown> {
  const { group, points, absorbs } = rule;
  return { ...ruleContent(rule), group, points, absorbs };
}

function ruleContent({ id, condition }: CompiledRule): { id: string; condition: unknown } {
  return { id, condition: unordered(condition) };
}

/** Equal texts mean the same: the order of parts and of words in a list is not in it. */
export function meaningOf(condition: NormalCondition): string {
  return canonicalJson(unordered(condition));
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
