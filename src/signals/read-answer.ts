import {
  type Answer,
  type FactType,
  type FactValue,
  isUnknown,
  UNKNOWN_REASONS,
  type Unknown,
  unknown,
} from '../provider-kit/index.ts';

/** Told where a provider answers against its declaration; for the log. */
export type ReportBreach = (breach: string) => void;

/** Does a value fit a declared type? Strings must be of the closed list. */
export function fits(
  value: unknown,
  fact: { readonly type: FactType; readonly values?: readonly string[] | undefined },
): value is FactValue {
  switch (fact.type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'string':
      return typeof value === 'string' && (fact.values?.includes(value) ?? true);
  }
}

/**
 * What a provider answered, as far as it can be used. A plugin may be plain JavaScript that no compiler has seen:
 * an answer against its declaration makes its facts unknown, and never ends a check.
 */
export function readAnswer(candidate: unknown, report: ReportBreach): Answer {
  if (isUnknown(candidate)) return readUnknown(candidate, report);
  const { facts, evidence, ttlSeconds }: Readonly<Record<string, unknown>> = Object(candidate);
  if (typeof facts !== 'object' || facts === null) {
    // A promise where none is awaited; its rejection must not end the process.
    if (candidate instanceof Promise) candidate.catch(() => undefined);
    report('answered neither findings nor unknown');
    return unknown('error');
  }
  const isKept = evidence === undefined || isPlainJson(evidence);
  if (!isKept) report('answered evidence that is no plain JSON');
  return {
    // The members are judged one by one against the declaration.
    facts: facts as Record<string, never>,
    evidence: isKept ? evidence : undefined,
    ttlSeconds: typeof ttlSeconds === 'number' ? ttlSeconds : undefined,
  };
}

/** Rules and records know a closed list of reasons. */
export function readUnknown({ unknown: reason, detail }: Unknown, report: ReportBreach): Unknown {
  if (UNKNOWN_REASONS.includes(reason))
    return unknown(reason, typeof detail === 'string' ? detail : undefined);
  report('answered unknown for a reason that is not of the list');
  return unknown('error');
}

/** Records hold evidence as JSON: what cannot be written, such as a cycle, would fail the whole check there. */
function isPlainJson(evidence: unknown): evidence is Readonly<Record<string, unknown>> {
  try {
    return typeof evidence === 'object' && evidence !== null && JSON.stringify(evidence) !== undefined;
  } catch {
    return false;
  }
}
