import { describe, it } from 'vitest';
import type { SignalProvider } from './provider.ts';
import type { ContractCases } from './testing/contract-case.ts';
import { contractChecks } from './testing/contract-checks.ts';

/**
 * Makes a test of vitest from each check of the contract that Postern holds a provider to. Call it in a test file:
 *
 *     runContract(provider, { cases: [{ email: 'jane.doe@example.com', expect: { 'my_signal.seen': false } }] });
 */
export function runContract(provider: SignalProvider, cases: ContractCases): void {
  describe(`provider "${provider.id}"`, () => {
    for (const { name, run } of contractChecks(provider, cases)) it(name, run);
  });
}
