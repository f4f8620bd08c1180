/** All that a signal provider may import from Postern. */
export { cleanLocalPart, spellingOf, wordsOf } from '../email/canonical.ts';
export { type OwnerCluster, type OwnerClusterChange, ownerCluster } from '../email/owner-cluster.ts';
export type * from './address.ts';
export * from './domain-names.ts';
export * from './http.ts';
export * from './ports.ts';
export * from './provider.ts';
export * from './unknown.ts';
export { KIT_VERSION } from './version.ts';
