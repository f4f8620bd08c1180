import { fileURLToPath } from 'node:url';
import { kindOfThrown, messageOf } from '../../lib/thrown.ts';
import type { Answer, FactDeclaration, FactValue, SignalProvider } from '../provider.ts';
import { isUnknown, type Unknown } from '../unknown.ts';
import { type Given, prepareProvider } from './run-provider.ts';

/** An address, what is given to the provider, and the answer that is expected. */
export interface ContractCase {
  /** What is special about the case, for the name of its test; the address unless told. */
  readonly name?: string;
  /** As a person types it. */
  readonly email: string;
  /** Replaces members of the `given` of all cases, and single ports in it. */
  readonly given?: Given;
  /** By fact: the value, or `unknown(reason)`. One `unknown(reason)` stands for all facts. Facts that are not named may be anything. */
  readonly expect: Readonly<Record<string, FactValue | Unknown>> | Unknown;
  /** Compared as a whole; not compared where left out. */
  readonly evidence?: Readonly<Record<string, unknown>>;
}

/** The cases of a provider. */
export interface ContractCases {
  /** What is given for the generated addresses, and for each case unless it says otherwise. */
  readonly given?: Given;
  readonly cases: readonly ContractCase[];
  /** Seed of the generated addresses; 1 unless told. */
  readonly seed?: number;
}

const OF_CASES = ['given', 'cases', 'seed'];
const OF_CASE = ['name', 'email', 'given', 'expect', 'evidence'];
const OF_GIVEN = ['options', 'thresholds', 'lists', 'downloads', 'needs', 'counted', 'ports'];

/** Faults of cases, which may be plain JavaScript: a misspelt member would not be read, and its author would take it for tested. */
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

/** One check of the contract. */
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

/** The folder of the kit's own code. Where a port throws, the fault is in the provider's code that called it, further on in the trace. */
const OURS = fileURLToPath(new URL('../../', import.meta.url));

/** What was thrown, with the place in the provider's own code where the trace names one. */
export function thrownBy(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  const said = error === undefined ? '' : `: ${messageOf(error)}`;
  const places = kindOfThrown(error).at;
  const place = places.find((at) => !at.startsWith(OURS)) ?? places[0];
  return `threw ${name}${said}${place === undefined ? '' : ` at ${place}`}`;
}

/** As `prepareProvider`. Rejects in the words of the start, with the place where the provider's own code threw. */
export async function prepared(provider: SignalProvider, given: Given) {
  return prepareProvider(provider, given).catch((error) => {
    const [place] = kindOfThrown(error).at;
    const at = place === undefined || place.startsWith(OURS) ? '' : ` at ${place}`;
    throw new Error(`cannot prepare: ${messageOf(error)}${at}`);
  });
}
