import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  type Address,
  type Answer,
  type Context,
  type DnsResolver,
  type DownloadedList,
  type Findings,
  isUnknown,
  type JsonSchema,
  type Setup,
  type SignalProvider,
} from '../../src/provider-kit/index.ts';
import type { Facts } from '../../src/rules/decision.ts';
import { firesIn } from '../../src/rules/kleene.ts';

export interface Given {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly thresholds?: Readonly<Record<string, unknown>>;
  readonly lists?: Partial<Setup['lists']>;
  readonly downloads?: readonly DownloadedList[];
  readonly dns?: DnsResolver;
  /** Counts for the check, by fact. */
  readonly counted?: Readonly<Record<string, number>>;
  /** Facts of other providers, as the host would have found them. */
  readonly needs?: Context['needs'];
}

/** A value as the host would pass it: checked against the schema, with defaults filled in. Throws when the schema refuses it. */
export function withDefaults(schema: JsonSchema | undefined, given: Readonly<Record<string, unknown>> = {}) {
  if (schema === undefined) return {};
  const value = structuredClone(given);
  const validate = new Ajv2020({ useDefaults: true, allowUnionTypes: true }).compile(schema);
  if (!validate(value)) throw new Error(JSON.stringify(validate.errors));
  return value;
}

function known({ facts }: Findings): Facts {
  return Object.fromEntries(Object.entries(facts).map(([id, fact]) => [id, isUnknown(fact) ? null : fact]));
}

/** Prepares a provider as the host does, and returns its check. */
export async function prepareCheck(provider: SignalProvider, given: Given = {}) {
  const options = withDefaults(provider.options, given.options);
  const thresholds = withDefaults(provider.thresholds, given.thresholds);
  const lists = { allow: [], deny: [], ...given.lists };
  const prepared = await provider.prepare?.({
    options,
    thresholds,
    lists,
    downloads: async () => given.downloads ?? [],
  });
  const check = async (address: Address) =>
    provider.check(address, {
      needs: given.needs ?? {},
      options,
      thresholds,
      state: prepared?.state,
      signal: new AbortController().signal,
      ...(given.dns && { dns: given.dns }),
      ...(given.counted && { counted: given.counted }),
    });
  /** Throws where an answer breaks the provider's own `never` declarations. */
  const ask = async (address: Address): Promise<Answer> => {
    const answer = await check(address);
    const facts = isUnknown(answer) ? {} : { ...given.needs, ...known(answer) };
    const broken = provider.never?.find((together) => firesIn({ all: together }, facts));
    if (broken) throw new Error(`${JSON.stringify(broken)} holds: ${JSON.stringify(facts)}`);
    return answer;
  };
  return {
    source: prepared?.source,
    ask,
    /** The findings; throws when the whole answer is unknown. */
    async find(address: Address): Promise<Findings> {
      const answer = await ask(address);
      if (isUnknown(answer)) throw new Error(`unknown: ${answer.unknown}`);
      return answer;
    },
  };
}
