import { hash } from 'node:crypto';
import { compareTexts } from '../lib/text.ts';
import type { Facts, LedgerEntry } from './decision.ts';
import {
  LIST_PREFIX,
  type NormalCondition,
  type PointsRule,
  type Rollout,
  type Rule,
} from './definitions.ts';
import { type Constants, compileNamedList, isNamedList } from './named-list.ts';
import type { CompiledPoints, RuleSet } from './rule-set.ts';

/** The fact with a person's bucket, `0` to `999`, the same in every rollout. No provider answers it, no condition in a file can read it. */
export const ROLLOUT_BUCKET = 'rollout.bucket';
/** Every check knows its bucket, and the lists of the rollouts tell its values apart. */
export const BUCKET_FACT = { id: ROLLOUT_BUCKET, type: 'domain', never_unknown: true } as const;
const BUCKETS = 1_000;
/** Hex digits of a hash that make a bucket: 2³² is so many times 1,000 that no bucket is likelier than another by a millionth. */
const DIGITS = 8;

/** A live rule with points that counts for a part of people. */
export type RolledOutRule = PointsRule & { readonly rollout: Rollout };

export function isBucket(value: unknown): value is string {
  return typeof value === 'string' && /^(0|[1-9]\d{0,2})$/.test(value);
}

/** `addressHmac`: the column of that name. Null where a record has none. */
export function bucketOf(addressHmac: string | null): string | null {
  return addressHmac === null ? null : String(Number.parseInt(addressHmac.slice(0, DIGITS), 16) % BUCKETS);
}

/** The first `percent` % in an order that the salt alone makes: a higher percentage keeps everyone inside, another salt chooses others. */
export function bucketsInside({ percent, salt }: Pick<Rollout, 'percent' | 'salt'>): readonly string[] {
  const places = Array.from({ length: BUCKETS }, (_, bucket) => {
    const place = hash('sha256', `${salt} ${bucket}`);
    return { bucket: String(bucket), place };
  });
  const sorted = places.toSorted((one, other) => compareTexts(one.place, other.place));
  return sorted.slice(0, (BUCKETS * percent) / 100).map(({ bucket }) => bucket);
}

export function isRolledOut(rule: Rule): rule is RolledOutRule {
  return rule.kind === 'points' && rule.mode === 'live' && rule.rollout !== null;
}

/** No list file can have this name: it holds a blank. */
function listNameOf(rule: string): string {
  return `rollout ${rule}`;
}

/** The buckets inside, as named lists: engine, memo, hash and lint already handle lists, and need no code for rollouts. */
export function listsOfInside(rules: readonly RolledOutRule[]): Constants {
  return Object.fromEntries(
    rules.map(({ id, rollout }) => {
      const list = compileNamedList(listNameOf(id), bucketsInside(rollout));
      return [`${LIST_PREFIX}${list.name}`, list];
    }),
  );
}

/** The rule for people inside, where it counts, and outside, where it runs in shadow: for each person only one of them can fire. */
export function sidesOf<Sided extends Pick<CompiledPoints, 'id' | 'condition' | 'reads'>>(
  rule: Sided,
): Readonly<Record<'inside' | 'outside', Sided>> {
  const list = `${LIST_PREFIX}${listNameOf(rule.id)}`;
  const side = (operator: 'in_list' | 'not_in_list'): Sided => {
    const isOnSide: NormalCondition = { fact: ROLLOUT_BUCKET, operator, value: { fact: list } };
    return {
      ...rule,
      condition: { all: [isOnSide, rule.condition] },
      reads: [...rule.reads, list, ROLLOUT_BUCKET].sort(),
    };
  };
  return { inside: side('in_list'), outside: side('not_in_list') };
}

/** The rule with the condition under which it counts: by its own, lint would take other rules to be covered by it for everyone. */
export function whereItCounts(rule: Rule): Rule {
  return isRolledOut(rule) ? sidesOf(rule).inside : rule;
}

/** The rules that checks run without effect: shadow rules, and rolled-out rules, the latter as they are without the rollout. */
export function triedRules({
  shadows,
  rollouts,
}: Pick<RuleSet, 'shadows' | 'rollouts'>): readonly CompiledPoints[] {
  return shadows.map((rule) => rollouts[rule.id]?.rule ?? rule);
}

/** Hashes of the shadow rules that run on these facts: a rolled-out rule only where the person is known to be outside. */
export function shadowsFor(ruleSet: RuleSet, facts: Facts): RuleSet['shadowHashes'] {
  const isTried = (id: string) =>
    !Object.hasOwn(ruleSet.rollouts, id) || isInside(id, ruleSet, facts) === false;
  return Object.fromEntries(Object.entries(ruleSet.shadowHashes).filter(([id]) => isTried(id)));
}

export type SideOfRollout = ReturnType<typeof sidesIn>[number];

/** For each rolled-out rule in a ledger: whether the person is inside; null where neither the facts nor the ledger say. */
export function sidesIn(ruleSet: Rollouts, ledger: readonly LedgerEntry[], facts: Facts) {
  return Object.entries(ruleSet.rollouts).flatMap(([rule, { percent }]) => {
    const entries = ledger.filter((entry) => 'id' in entry && entry.id === rule);
    if (entries.length === 0) return [];
    return [{ rule, percent, inside: isInside(rule, ruleSet, facts) ?? sideToldBy(entries) }];
  });
}

/** For a record without an address hash: the kind of the rule's entry shows the side. */
function sideToldBy(entries: readonly LedgerEntry[]): boolean | null {
  if (entries.some(({ kind }) => kind === 'rule')) return true;
  return entries.some(({ kind }) => kind === 'shadow') ? false : null;
}

const NO_HASH = 'the address is not known, nor its hash';

/** `outside the 10 % of its rollout`; where that is not known, why. */
export function describeSide({ percent, inside }: Omit<SideOfRollout, 'rule'>, because = NO_HASH): string {
  if (inside !== null) return `${inside ? 'inside' : 'outside'} the ${percent} % of its rollout`;
  return `inside or outside the ${percent} % of its rollout: ${because}`;
}

type Rollouts = Pick<RuleSet, 'rollouts' | 'constants'>;

/** Adds the person's bucket to the facts where some rule is rolled out; the bucket is null where it is not known. */
export function withBucket(
  facts: Facts,
  { rollouts }: Pick<RuleSet, 'rollouts'>,
  bucket: () => string | null,
): Facts {
  return Object.keys(rollouts).length === 0 ? facts : { ...facts, [ROLLOUT_BUCKET]: bucket() };
}

/** Whether the person is inside the rollout of a rule; null where the facts do not say. */
export function isInside(rule: string, { constants }: Rollouts, facts: Facts): boolean | null {
  const [list, bucket] = [constants[`${LIST_PREFIX}${listNameOf(rule)}`], facts[ROLLOUT_BUCKET]];
  return isNamedList(list) && typeof bucket === 'string' ? list.domains.has(bucket) : null;
}
