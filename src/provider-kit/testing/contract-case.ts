import { fileURLToPath } from 'node:url';
import { kindOfThrown, messageOf } from '../../lib/thrown.ts';
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

const OF_CASES = ['given', 'cases', 'seed'];
const OF_CASE = ['name', 'email', 'given', 'expect', 'evidence'];
const OF_GIVEN = ['options', 'thresholds', 'lists', 'downloads', 'needs', 'counted', 'ports'];

/** Of cases in plain JavaScript: a member that is not read would be taken for tested. */
export function faultsOfCases(all: ContractCases): readonly string[] {
  const unknownIn = (object: unknown, known: readonly string[], prefix = '') =>
    Object.keys(Object(object))
      .filter((key) => !known.includes(key))
      .map((key) => `has an unknown member "${prefix}${key}"`);
  const givenIn = ({ given }: { given?: unknown }) => unknownIn(given, OF_GIVEN, 'given.');
  if (!Array.isArray(all?.cases)) return ['there is no list of cases'];
  return [
    ...[...unknownIn(all, OF_CASES), ...givenIn(all)].map((fault) => `what holds for all cases ${fault}`),
    ...all.cases.flatMap((candidate: unknown, place) => {
      const one: Partial<ContractCase> = Object(candidate);
      const faults = [...unknownIn(one, OF_CASE), ...givenIn(one)];
      if (typeof one.email !== 'string') faults.push('has no email');
      if (typeof one.expect !== 'object' || one.expect === null)
        faults.push('has no expect: what is to be answered, { "fact.id": value } or unknown(reason)');
      return faults.map((fault) => `case ${place + 1} ${fault}`);
    }),
  ];
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

/** Where the kit itself lies: a port that refuses what it is given was called from elsewhere. */
const OURS = fileURLToPath(new URL('../../', import.meta.url));

/** What was thrown, with the place in the provider's own code where the trace names one. */
export function thrownBy(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  const said = error === undefined ? '' : `: ${messageOf(error)}`;
  const places = kindOfThrown(error).at;
  const place = places.find((at) => !at.startsWith(OURS)) ?? places[0];
  return `threw ${name}${said}${place === undefined ? '' : ` at ${place}`}`;
}
