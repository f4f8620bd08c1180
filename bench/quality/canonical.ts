import { domainToASCII } from 'node:url';
import validator from 'validator';
import { type Contestants, countHits } from './metric.ts';
import type { SignalQuality } from './signal-quality.ts';

const FILE = 'normalize.json';

interface Row {
  readonly input: string;
  /** Null where the input is no address and must be refused. */
  readonly canonical: string | null;
  readonly mode: string;
  readonly conflict: boolean;
  readonly contested: readonly string[];
}

export const canonical: SignalQuality = {
  peers: ['validator'],
  async measure(data, postern) {
    const rows = data
      .json<Row>(FILE)
      .filter(({ mode, conflict, contested }) => mode === 'default' && !conflict && contested.length === 0);
    const right =
      (canonicalOf: (input: string) => Promise<string | null> | string | null) => async (row: Row) =>
        comparable(await canonicalOf(row.input)) === comparable(withoutGmailDots(row.canonical));
    const contestants: Contestants<Row> = {
      Postern: right(async (input) => (await postern.assess(input))?.address.canonical.address ?? null),
      'validator normalizeEmail': right((input) => validator.normalizeEmail(input) || null),
      'lower case alone': right((input) => input.toLowerCase()),
    };
    return [await countHits('form as labelled', 'high', rows, contestants)];
  },
};

/** Two rows keep `..` at Gmail; Google says (support.google.com/mail/answer/7436150) that dots do not count. */
function withoutGmailDots(address: string | null): string | null {
  return address !== null && /\.\..*@gmail\.com$/.test(address) ? address.replaceAll('..', '') : address;
}

/** The local part without case, the domain as A-labels. */
function comparable(address: string | null): string | null {
  if (address === null) return null;
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at).toLowerCase()}@${domainToASCII(address.slice(at + 1))}`;
}
