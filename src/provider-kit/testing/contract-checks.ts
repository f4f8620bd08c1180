import { isDeepStrictEqual } from 'node:util';
import type { FactValue, SignalProvider } from '../provider.ts';
import { isUnknown, type Unknown } from '../unknown.ts';
import { anAddress } from './an-address.ts';
import {
  type CaseInWorld,
  type ContractCases,
  type ContractCheck,
  factOf,
  refuse,
  withWorld,
} from './contract-case.ts';
import { declarationChecks } from './declaration-checks.ts';
import { failureChecks } from './failure-checks.ts';
import { generatedChecks } from './generated-checks.ts';
import { prepareProvider } from './run-provider.ts';

/** All that a provider is held to, for any runner of tests: `runContract` hands it to vitest, `postern providers test` runs it by itself. */
export function contractChecks(provider: SignalProvider, cases: ContractCases): readonly ContractCheck[] {
  const declaration = declarationChecks(provider);
  // Whatever else would be asked of it would fail for the same reasons.
  if (provider === null || typeof provider !== 'object' || !Array.isArray(provider.facts)) return declaration;
  return [
    ...declaration,
    ...cases.cases.map((one) => ({
      name: `answers as expected: ${one.name ?? one.email}`,
      run: () => holdCase(provider, withWorld(one, cases)),
    })),
    { name: 'every declared fact is known in one of the cases', run: () => holdAllFacts(provider, cases) },
    ...failureChecks(
      provider,
      cases.cases.map((one) => withWorld(one, cases)),
    ),
    ...generatedChecks(provider, cases),
  ];
}

async function holdCase(provider: SignalProvider, { email, given, expect, evidence }: CaseInWorld) {
  const ask = await prepareProvider(provider, given);
  const { answer, breaches } = await ask(anAddress(email));
  const faults = [...breaches];
  const expected = isUnknown(expect)
    ? Object.fromEntries(provider.facts.map(({ id }) => [id, expect]))
    : expect;
  for (const [id, value] of Object.entries(expected)) {
    const declared = provider.facts.some((fact) => fact.id === id);
    if (!declared) faults.push(`the case expects "${id}", which is no fact of the provider`);
    else if (!isAs(factOf(answer, id), value))
      faults.push(`${id} is ${shown(factOf(answer, id))}, not ${shown(value)}`);
  }
  const told = isUnknown(answer) ? undefined : answer.evidence;
  if (evidence !== undefined && !isDeepStrictEqual(told, evidence))
    faults.push(`the evidence is ${JSON.stringify(told)}, not ${JSON.stringify(evidence)}`);
  refuse(faults);
}

async function holdAllFacts(provider: SignalProvider, cases: ContractCases) {
  const left = new Set(provider.facts.map(({ id }) => id));
  for (const one of cases.cases) {
    const { email, given } = withWorld(one, cases);
    const { answer } = await (await prepareProvider(provider, given))(anAddress(email));
    for (const id of left) if (!isUnknown(factOf(answer, id))) left.delete(id);
  }
  refuse([...left].map((id) => `no case has ${id}: add one whose answer is known`));
}

/** Of an unknown the reason matters, and not what is said of it. */
function isAs(found: FactValue | Unknown, expected: FactValue | Unknown): boolean {
  if (!isUnknown(expected)) return found === expected;
  return isUnknown(found) && found.unknown === expected.unknown;
}

function shown(value: FactValue | Unknown): string {
  return isUnknown(value)
    ? `unknown: ${value.unknown}${value.detail === undefined ? '' : ` (${value.detail})`}`
    : JSON.stringify(value);
}
