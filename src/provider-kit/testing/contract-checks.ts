import { isDeepStrictEqual } from 'node:util';
import { createOptionsAjv, faultOfSchema } from '../../lib/options-schema.ts';
import { checkProvider } from '../../signals/check-provider.ts';
import type { FactValue, JsonSchema, SignalProvider } from '../provider.ts';
import { isUnknown, type Unknown } from '../unknown.ts';
import { anAddress } from './addresses.ts';
import {
  type CaseInWorld,
  type ContractCases,
  type ContractCheck,
  factOf,
  faultsOfCases,
  prepared,
  refuse,
  thrownBy,
  withWorld,
} from './contract-case.ts';
import { failureChecks } from './failure-checks.ts';
import { generatedChecks } from './generated-checks.ts';
import { propertiesOf, withDeclared } from './readme-tables.ts';

/** All checks of a provider, for any test runner: `runContract` hands them to vitest, `postern providers test` runs them itself. */
export function contractChecks(provider: SignalProvider, cases: ContractCases): readonly ContractCheck[] {
  const declaration = declarationChecks(provider);
  // All other checks would fail for the same reasons.
  if (provider === null || typeof provider !== 'object' || !Array.isArray(provider.facts)) return declaration;
  const faults = faultsOfCases(cases);
  if (faults.length > 0)
    return [...declaration, { name: 'the cases can be read', run: async () => refuse(faults) }];
  const inWorld = cases.cases.map((one) => withWorld(one, cases));
  return [
    ...declaration,
    ...inWorld.map((one) => ({
      name: `answers as expected: ${one.name ?? one.email}`,
      run: () => holdCase(provider, one),
    })),
    { name: 'every declared fact is known in one of the cases', run: () => holdAllFacts(provider, inWorld) },
    ...failureChecks(provider, inWorld),
    ...generatedChecks(provider, cases),
  ];
}

async function holdCase(provider: SignalProvider, { email, given, expect, evidence }: CaseInWorld) {
  const ask = await prepared(provider, given);
  const { answer, breaches } = await ask(anAddress(email)).catch((error) => {
    throw new Error(thrownBy(error));
  });
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

async function holdAllFacts(provider: SignalProvider, cases: readonly CaseInWorld[]) {
  const left = new Set(provider.facts.map(({ id }) => id));
  for (const { email, given } of cases) {
    const ask = await prepared(provider, given);
    // Another check reports what `check` throws.
    const run = await ask(anAddress(email)).catch(() => undefined);
    for (const id of left) if (run && !isUnknown(factOf(run.answer, id))) left.delete(id);
  }
  refuse([...left].map((id) => `no case has ${id}: add one whose answer is known`));
}

/** Compares unknowns by their reason alone, not by their `detail`. */
function isAs(found: FactValue | Unknown, expected: FactValue | Unknown): boolean {
  if (!isUnknown(expected)) return found === expected;
  return isUnknown(found) && found.unknown === expected.unknown;
}

function shown(value: FactValue | Unknown): string {
  return isUnknown(value)
    ? `unknown: ${value.unknown}${value.detail === undefined ? '' : ` (${value.detail})`}`
    : JSON.stringify(value);
}

/** The checks that do not call the provider's `check`. */
function declarationChecks(provider: SignalProvider): readonly ContractCheck[] {
  return [
    { name: 'the declaration has no fault', run: async () => refuse(checkProvider(provider)) },
    {
      name: 'options and thresholds are JSON Schemas whose defaults are valid',
      run: async () =>
        refuse([...faultsOf('options', provider.options), ...faultsOf('thresholds', provider.thresholds)]),
    },
    { name: 'the tables of its README can be made', run: async () => refuse(undescribed(provider)) },
  ];
}

function faultsOf(kind: 'options' | 'thresholds', schema: JsonSchema | undefined): readonly string[] {
  if (!schema) return [];
  const fault = faultOfSchema(schema);
  if (fault !== undefined) return [`${kind} is no JSON Schema: ${fault}`];
  // A property without a default must be configured; that is no fault of the defaults of the others.
  const validate = createOptionsAjv({}).compile({ type: 'object', ...schema, required: [] });
  validate({});
  return (validate.errors ?? []).map(({ instancePath, message }) => {
    const what = instancePath === '' ? 'the defaults together' : `the default of "${instancePath.slice(1)}"`;
    return `${kind}: ${what} ${message}`;
  });
}

/** Which options and thresholds have no description. Throws where all have one and the tables cannot be made. */
export function undescribed(provider: SignalProvider): readonly string[] {
  const sections = { option: provider.options, threshold: provider.thresholds };
  const silent = Object.entries(sections).flatMap(([kind, schema]) =>
    propertiesOf(schema).flatMap(([name, property]) =>
      typeof property.description === 'string' && property.description !== ''
        ? []
        : [`${kind} "${name}" has no description`],
    ),
  );
  if (silent.length === 0) withDeclared('', provider);
  return silent;
}
