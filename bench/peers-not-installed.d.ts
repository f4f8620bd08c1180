/**
 * The packages that only benchmarks compare with, for checking types where they are not installed: whatever they export is `any`.
 * A module declared here is taken from here even where it is installed, so that the check says the same on every machine.
 */
// biome-ignore lint/suspicious/noExplicitAny: what is not there has no type
type Anything = any;

declare module '@arcjet/analyze-wasm';
declare module '@faker-js/faker' {
  export const allLocales: Readonly<Record<string, { readonly person?: Readonly<Record<string, Anything>> }>>;
}
declare module '@gorules/zen-engine';
declare module '@hapi/address';
declare module 'any-ascii';
declare module 'deep-email-validator';
declare module 'email-validator';
declare module 'isemail';
declare module 'mailchecker';
declare module 'validator';
