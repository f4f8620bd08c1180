/**
 * Types for the packages that benchmarks compare with, where these are not installed: all exports are `any`.
 * TypeScript prefers these declarations even to an installed package, so type checking gives the same result on every machine.
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
