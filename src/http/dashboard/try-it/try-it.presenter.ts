import type { Trial, TrialEvent } from '../../../checks/try-it.ts';
import type { SignalProvider } from '../../../provider-kit/index.ts';
import type { FactCatalogue } from '../../../signals/fact-catalogue.ts';
import { presentCheck } from '../../v1/check.presenter.ts';
import { presentDecision } from '../decision.presenter.ts';

export function presentFacts({ facts }: FactCatalogue) {
  return [...facts.values()].map(({ id, provider, description, type, values, never_unknown, disabled }) => ({
    id,
    provider,
    description,
    type,
    values: [...(values ?? [])],
    can_be_unknown: never_unknown !== true || disabled === true,
    is_disabled: disabled === true,
  }));
}

export function presentBegun({ address }: Trial, providers: readonly SignalProvider[], deadlineMs: number) {
  return {
    event: 'begun' as const,
    email: address.raw,
    canonical: address.canonical.address,
    deadline_ms: deadlineMs,
    providers: providers.map(({ id, stage, description }) => ({ id, stage, description })),
  };
}

export interface TrialReader {
  /** Who answers for the installation sees what its lists say of why an entry stands there. */
  readonly isOperator: boolean;
  /** Of the check that there would have been. */
  readonly id: string;
}

export function presentEvent({ address }: Trial, event: TrialEvent, { isOperator, id }: TrialReader) {
  if (event.kind === 'decided') {
    const { signals, decision, atUs, at } = event;
    return {
      event: 'decided' as const,
      decision: presentDecision(decision),
      facts: signals.facts,
      unknown: signals.unknown,
      degraded: [...signals.degraded],
      at_us: atUs,
      response: JSON.parse(presentCheck({ id, createdAt: at, address, signals, decision })),
    };
  }
  if (event.kind === 'so_far') {
    return { event: 'so_far' as const, decision: presentDecision(event.decision), at_us: event.atUs };
  }
  const { provider, outcome, facts, unknown, evidence, tookUs, atUs } = event;
  return {
    event: 'answer' as const,
    provider,
    outcome,
    facts,
    unknown,
    evidence: isOperator ? evidence : withoutOperators(evidence),
    took_us: tookUs,
    at_us: atUs,
  };
}

/** Why an entry of a list stands there, and who wanted it, is the operator's business. */
function withoutOperators(evidence: Readonly<Record<string, unknown>> | null) {
  if (evidence === null) return null;
  const { reason: _reason, owner: _owner, ...rest } = evidence;
  return rest;
}
