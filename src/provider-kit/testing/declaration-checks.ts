import { createOptionsAjv, faultOfSchema } from '../../lib/options-schema.ts';
import { checkProvider } from '../../signals/check-provider.ts';
import type { JsonSchema, SignalProvider } from '../provider.ts';
import { type ContractCheck, refuse } from './contract-case.ts';
import { propertiesOf, withDeclared } from './readme-tables.ts';
import { withDefaults } from './run-provider.ts';

/** What can be told without asking the provider anything. */
export function declarationChecks(provider: SignalProvider): readonly ContractCheck[] {
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
  const bad = propertiesOf(schema).flatMap(([name, property]) => {
    if (property.default === undefined) return [];
    const validate = createOptionsAjv({ useDefaults: false }).compile(property);
    return validate(property.default)
      ? []
      : validate.errors?.map(({ message }) => `${kind}: the default of "${name}" ${message}`);
  });
  if (bad.length > 0) return bad.filter((text) => text !== undefined);
  try {
    // What has no default must be configured, and is no fault of the others.
    withDefaults({ ...schema, required: [] });
    return [];
  } catch (error) {
    return [`${kind}: the defaults together are refused: ${(error as Error).message}`];
  }
}

function undescribed(provider: SignalProvider): readonly string[] {
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
