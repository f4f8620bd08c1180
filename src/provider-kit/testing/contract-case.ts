import { messageOf } from '../../lib/thrown.ts';
import type { Answer, FactDeclaration, FactValue } from '../provider.ts';
import { isUnknown, type Unknown } from '../unknown.ts';
import type { Given } from './run-provider.ts';

/** An address in a world, and what the provider is to say of it. */
export interface ContractCase {
  /** What is special about it; the address unless told. */
  readonly name?: string;
  /** As a person types it. */
  readonly email: string;
  /** Over the `given` of all cases. */
  readonly given?: Given;
  /** By fact: the value, or `unknown(reason)`. One `unknown(reason)` stands for all facts. Facts that are not named may be anything. */
  readonly expect: Readonly<Record<string, FactValue | Unknown>> | Unknown;
  /** Where it matters; compared as a whole. */
  readonly evidence?: Readonly<Record<string, unknown>>;
}

/** What a provider is held to. */
export interface ContractCases {
  /** The world of the generated addresses, and of each case that says nothing else. */
  readonly given?: Given;
  readonly cases: readonly ContractCase[];
  /** Of the generated addresses; 1 unless told. */
  readonly seed?: number;
}

/** One thing that a provider has to hold. */
export interface ContractCheck {
  readonly name: string;
  /** Rejects where it does not hold, with a message for the provider's author. */
  readonly run: () => Promise<void>;
}

/** A case with what is given to all of them. */
export type CaseInWorld = ContractCase & { readonly given: Given };

export function withWorld(one: ContractCase, { given }: ContractCases): CaseInWorld {
  const ports = { ...given?.ports, ...one.given?.ports };
  return { ...one, given: { ...given, ...one.given, ports } };
}

/** A fact of an answer as the service reads it. */
export function factOf(answer: Answer, id: FactDeclaration['id']): FactValue | Unknown {
  return isUnknown(answer) ? answer : (answer.facts[id] ?? { unknown: 'error' });
}

/** Throws where there are faults. */
export function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** What was thrown, with the place in the provider's own code where the trace names one. */
export function thrownBy(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  return `threw ${name}: ${messageOf(error)}`;
}
