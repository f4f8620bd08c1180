import {
  type Answer,
  type Findings,
  isUnknown,
  UNKNOWN_REASONS,
  type Unknown,
  type UnknownReason,
  unknown,
} from '../provider-kit/index.ts';

/** Where a breach of a provider's declaration is told; no closure, which would be made for each answer and hardly ever called. */
export interface Breaches {
  report(provider: string, breach: string): void;
}

/**
 * What a provider answered, as far as it can be used. A plugin may be plain JavaScript that no compiler has
 * seen: whatever it answers, that is its own unknown, and never the end of a check.
 */
export function readAnswer(candidate: unknown, provider: string, breaches: Breaches): Answer {
  if (isUnknown(candidate)) return readUnknown(candidate, provider, breaches);
  const { facts, evidence, ttlSeconds } = membersOf(candidate);
  if (typeof facts !== 'object' || facts === null) {
    // A promise where none is awaited; its rejection must not end the process.
    if (candidate instanceof Promise) candidate.catch(() => undefined);
    breaches.report(provider, 'answered neither findings nor unknown');
    return unknown('error');
  }
  // The members are judged one by one against the declaration.
  const own = facts as Record<string, never>;
  // All of one shape, whatever the provider left out.
  const ttl = typeof ttlSeconds === 'number' ? ttlSeconds : undefined;
  if (evidence === undefined || isPlainJson(evidence)) return { facts: own, evidence, ttlSeconds: ttl };
  breaches.report(provider, 'answered evidence that is no plain JSON');
  return { facts: own, evidence: undefined, ttlSeconds: ttl };
}

/** Rules and records know a closed list of reasons. */
export function readUnknown(
  { unknown: reason, detail }: Unknown,
  provider: string,
  breaches: Breaches,
): Unknown {
  if (isReason(reason)) return unknown(reason, typeof detail === 'string' ? detail : undefined);
  breaches.report(provider, 'answered unknown for a reason that is not of the list');
  return unknown('error');
}

function membersOf(candidate: unknown): { readonly [Member in keyof Findings]?: unknown } {
  return typeof candidate === 'object' && candidate !== null ? candidate : {};
}

function holdsMore(evidence: object): boolean {
  for (const key in evidence) {
    const member: unknown = evidence[key as keyof typeof evidence];
    if (Array.isArray(member) ? member.some(isDeep) : isDeep(member)) return true;
  }
  return false;
}

function isDeep(member: unknown): boolean {
  const type = typeof member;
  return (type === 'object' && member !== null) || type === 'bigint' || type === 'function';
}

function isReason(reason: unknown): reason is UnknownReason {
  return UNKNOWN_REASONS.some((known) => known === reason);
}

/** Records hold it as JSON: what cannot be written, such as a cycle, would fail the whole check there. */
function isPlainJson(evidence: unknown): evidence is Readonly<Record<string, unknown>> {
  if (typeof evidence !== 'object' || evidence === null) return false;
  // Nearly all evidence is words, numbers and lists of them; only what holds more is worth writing out twice.
  if (!holdsMore(evidence)) return true;
  try {
    return JSON.stringify(evidence) !== undefined;
  } catch {
    return false;
  }
}
