/** What a provider's tests are written with, whatever the test runner. */
export { anAddress, type GeneratedAddress, generatedAddresses } from './addresses.ts';
export type { ContractCase, ContractCases, ContractCheck } from './contract-case.ts';
export { contractChecks } from './contract-checks.ts';
export * from './fake-ports.ts';
export { withDeclared } from './readme-tables.ts';
export { type Given, type ProviderRun, prepareProvider } from './run-provider.ts';
