/** All that a signal provider may import from Postern. */
export { cleanLocalPart, localPartWithoutTag, spellingOf, wordsOf } from '../email/canonical.ts';
export { type OwnerCluster, type OwnerClusterChange, ownerCluster } from '../email/owner-cluster.ts';
export type * from './address.ts';
export * from './domain-names.ts';
export * from './ports.ts';
export * from './provider.ts';
export * from './unknown.ts';

/** The version of `@postern/provider-kit` that this is. A package of a provider names the versions that it works with in `peerDependencies`. */
export const KIT_VERSION = '0.1.0';
