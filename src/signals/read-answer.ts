import { roundTo4 } from '../lib/statistics.ts';
import {
  type Answer,
  type FactDeclaration,
  type FactType,
  type FactValue,
  type Findings,
  isUnknown,
  type SignalProvider,
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
 * What a provider answered, as far as it can be used: each declared fact is a value of its type or unknown, and no object of the
 * provider's own is left, which could change or throw later. A plugin may be plain JavaScript that no compiler has seen: an
 * answer against its declaration makes its facts unknown, and never ends a check. Throws what the answer throws as it is read.
 */
export function readAnswer(
  { facts: declared }: SignalProvider,
  candidate: unknown,
  report: ReportBreach,
): Answer {
  ignoreRejection(candidate);
  if (isUnknown(candidate)) {
    const whole = readUnknown(candidate, report);
    const promised = declared.find((fact) => fact.never_unknown);
    return promised ? brokenPromise(promised, whole, report) : whole;
  }
  const { facts, evidence, ttlSeconds }: Readonly<Record<string, unknown>> = Object(candidate);
  if (typeof facts !== 'object' || facts === null) {
    report('answered neither findings nor unknown');
    return unknown('error');
  }
  const found = facts as Readonly<Record<string, unknown>>;
  return {
    facts: Object.fromEntries(declared.map((fact) => [fact.id, readFact(fact, found, declared, report)])),
    evidence: readEvidence(evidence, report),
    ttlSeconds: typeof ttlSeconds === 'number' ? ttlSeconds : undefined,
  };
}

/** Of a promise where none is awaited: it would end the process. */
export function ignoreRejection(candidate: unknown): void {
  if (candidate instanceof Promise) candidate.catch(() => undefined);
}

function readFact(
  fact: FactDeclaration,
  found: Readonly<Record<string, unknown>>,
  declared: readonly FactDeclaration[],
  report: ReportBreach,
): FactValue | Unknown {
  const value = found[fact.id];
  if (fits(value, fact)) return asRecorded(value, fact);
  if (isUnknown(value)) {
    const read = readUnknown(value, report);
    return fact.never_unknown ? brokenPromise(fact, read, report) : read;
  }
  // Names that are not declared are not told: a plugin may have made them of the address.
  const others = Object.keys(found).filter((id) => declared.every((one) => one.id !== id)).length;
  report(
    value === undefined
      ? `did not answer "${fact.id}"${others > 0 ? `, but ${others} of a name that it does not declare` : ''}`
      : `answered "${fact.id}" with a value that is not of its type`,
  );
  return unknown('error');
}

/** Rules were admitted on the promise that this fact is always there: an answer without it is a failure. */
function brokenPromise(
  { id }: FactDeclaration,
  { unknown: reason, detail }: Unknown,
  report: ReportBreach,
): Unknown {
  report(`left "${id}" unknown (${reason}) although it is declared never_unknown`);
  return unknown(reason === 'not_run' ? 'error' : reason, detail);
}

/** As JSON gives it back: a decision on what is recorded must be the one that was made. JSON has no minus zero. */
function asRecorded(value: FactValue, { type }: FactDeclaration): FactValue {
  if (type === 'number') return roundTo4(Number(value));
  return type === 'integer' ? Number(value) + 0 : value;
}

/** Rules and records know a closed list of reasons. */
function readUnknown({ unknown: reason, detail }: Unknown, report: ReportBreach): Unknown {
  if (UNKNOWN_REASONS.includes(reason))
    return unknown(reason, typeof detail === 'string' ? detail : undefined);
  report('answered unknown for a reason that is not of the list');
  return unknown('error');
}

/** As records hold it, which is as JSON: what cannot be written, such as a cycle, would fail the whole check there. */
function readEvidence(evidence: unknown, report: ReportBreach): Findings['evidence'] {
  if (evidence === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(JSON.stringify(evidence));
    if (typeof read === 'object' && read !== null) return read as Findings['evidence'];
  } catch {
    // Told below.
  }
  report('answered evidence that is no plain JSON');
  return undefined;
}
