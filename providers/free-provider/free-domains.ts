/** Domains of mailbox providers that are open to everyone, and what they were compiled from. */
export interface FreeDomains {
  /** The version of the package whose list it is. */
  readonly version: string;
  /** How many domains were corrected by hand, and on which day (`YYYY-MM-DD`) last. */
  readonly corrections: number;
  readonly correctedOn: string;
  /** A-labels in lower case. */
  readonly domains: ReadonlySet<string>;
}

const HEAD = /^#free-domains (\S+) (\d+) (\d{4}-\d\d-\d\d)$/;

/** A line that tells what it was compiled from, then the domains, one to a line and sorted. */
export function writeFreeDomains({ version, corrections, correctedOn, domains }: FreeDomains): string {
  return `#free-domains ${version} ${corrections} ${correctedOn}\n${[...domains].sort().join('\n')}\n`;
}

export function readFreeDomains(text: string): FreeDomains {
  const [head = '', ...lines] = text.split('\n');
  const [, version, corrections, correctedOn] = HEAD.exec(head) ?? [];
  if (version === undefined || correctedOn === undefined)
    throw new Error('does not begin with "#free-domains"');
  // After the last line end is nothing.
  if (lines.pop() !== '') throw new Error('is cut off: there is no line end at its end');
  return { version, corrections: Number(corrections), correctedOn, domains: new Set(lines) };
}
