import type { FactType, LocalProvider, NetworkProvider } from '../provider-kit/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: each provider alone reads the state it prepared
type State = any;
export type AnyLocalProvider = LocalProvider<State>;
export type AnyNetworkProvider = NetworkProvider<State>;

/**
 * What each check reads of a provider. A copy, so that all are of one shape whatever their authors wrote and in
 * what order: a reader that meets many shapes takes several times as long for each member.
 */
export interface Asked<Provider extends AnyLocalProvider | AnyNetworkProvider> {
  readonly id: string;
  readonly facts: readonly AskedFact[];
  readonly needs: readonly string[];
  readonly isCounting: boolean;
  readonly check: Provider['check'];
  /** Of a network provider that sets one. */
  readonly timeoutMs: number | undefined;
}

export interface AskedFact {
  readonly id: string;
  readonly type: FactType;
  readonly values: readonly string[] | undefined;
  readonly isNeverUnknown: boolean;
}

export type AskedProvider = Asked<AnyLocalProvider> | Asked<AnyNetworkProvider>;

export function asked<Provider extends AnyLocalProvider | AnyNetworkProvider>(
  provider: Provider,
): Asked<Provider> {
  return {
    id: provider.id,
    facts: provider.facts.map(({ id, type, values, never_unknown }) => ({
      id,
      type,
      values,
      isNeverUnknown: never_unknown === true,
    })),
    needs: provider.needs ?? [],
    isCounting: provider.uses?.includes('counters') === true,
    // Its author may have written `this`.
    check: provider.check.bind(provider),
    timeoutMs: provider.stage === 'network' ? provider.timeoutMs : undefined,
  };
}
