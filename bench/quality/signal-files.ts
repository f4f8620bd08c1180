/** The signals in the order of the tables, each with the files of measuring data that it needs. */
export const SIGNAL_FILES = {
  syntax: ['syntax.json'],
  canonical: ['normalize.json'],
  disposable: ['abused-domains.tsv', 'free-top.txt', 'not-disposable.tsv'],
  free: ['abused-domains.tsv', 'free-top.txt', 'not-disposable.tsv'],
  role: ['generated-local-parts.tsv'],
  entropy: ['generated-local-parts.tsv'],
  gibberish: ['generated-local-parts.tsv'],
  tld: ['abused-domains.tsv', 'free-top.txt', 'not-disposable.tsv', 'tld-hagezi.txt'],
  decision: ['abused-domains.tsv', 'free-top.txt', 'generated-local-parts.tsv', 'not-disposable.tsv'],
} as const;

export type SignalName = keyof typeof SIGNAL_FILES;

export function isSignalName(name: string): name is SignalName {
  return Object.hasOwn(SIGNAL_FILES, name);
}
