/** The version of `@postern/provider-kit` that this is. A package of a provider names the versions that it works with in `peerDependencies`. */
export const KIT_VERSION = '0.1.0';
