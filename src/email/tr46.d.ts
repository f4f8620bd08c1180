/** The part of tr46 that Postern uses; the package brings no types. */
declare module 'tr46' {
  interface Options {
    readonly checkBidi?: boolean;
    readonly checkJoiners?: boolean;
  }
  /** The A-labels, or null when the name is not valid. */
  export function toASCII(domain: string, options?: Options): string | null;
  /** The mapped and decoded name, whether or not it is valid. */
  export function toUnicode(domain: string, options?: Options): { domain: string; error: boolean };
}
