import { readAddress } from '../../email/read-address.ts';
import { frozen } from '../../lib/concurrency.ts';
import type { Address } from '../address.ts';
import { Random } from './random.ts';

/** An address as the service hands it to providers: parsed, normalized and frozen. Throws where the service would answer 422. */
export function anAddress(text = 'jane.doe@example.com'): Address {
  const reading = readAddress(text);
  if (!reading.ok) throw new Error(`${JSON.stringify(text)} is no address: ${reading.refusal.message}`);
  return frozen(reading.address);
}

export interface GeneratedAddress {
  /** Its place in the sequence of its seed, from 0. */
  readonly index: number;
  readonly address: Address;
  /** A random word in the local part or its tag. Where it is found elsewhere, it can only have come from this address. */
  readonly marker: string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const WORDS = ['jane', 'doe', 'info', 'maria', 'o-neil', 'x', '1987', 'José', 'müller', '李', 'иван', '٣'];
const ATEXT = "!#$%&'*/=?^_`{|}~";
const BIG = ['gmail.com', 'googlemail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'mailinator.com'];
const OWN = ['example.com', 'mail.example.co.uk', 'bücher.example', 'xn--bcher-kva.example', 'a-b.example'];
const UNCLEAN = ['localhost', '[192.0.2.1]', '[IPv6:2001:db8::1]', 'under_score.example', '-x-.example'];

/**
 * Addresses as people, programs and attackers write them: clean and not, with tags, in quotes, in many scripts, up to the longest that
 * can be read. The same seed gives the same addresses in the same order, in the same version of the kit.
 */
export function* generatedAddresses(count: number, seed = 1): Generator<GeneratedAddress> {
  for (let index = 0, stream = 0; index < count; stream++) {
    const random = new Random(seed, stream);
    const marker = random.some(12, 12, () => random.pick([...LETTERS]));
    const reading = readAddress(anyText(random, marker));
    // A few are no addresses: providers never see these.
    if (reading.ok) yield { index: index++, address: frozen(reading.address), marker };
  }
}

function anyText(random: Random, marker: string): string {
  const local = random.weigh<() => string>([
    [4, () => marker],
    [3, () => `${random.pick(WORDS)}.${marker}`],
    [3, () => `${random.pick(WORDS)}+${marker}`],
    [2, () => `${marker}${random.below(10_000)}`],
    [2, () => `${marker.slice(0, 6)}.${marker}.${random.pick(WORDS)}`],
    [1, () => marker.toUpperCase()],
    [1, () => `"${marker} ${random.pick(WORDS)}"`],
    [1, () => `${random.some(1, 4, () => random.pick([...ATEXT]))}${marker}`],
    [1, () => `.${marker}..${random.pick(WORDS)}.`],
    [1, () => `${marker}${random.some(60, 300, () => random.pick([...LETTERS]))}`],
    [1, () => `${marker}${random.some(1, 8, () => String.fromCodePoint(random.between(0xa1, 0x2fff)))}`],
  ])();
  const domain = random.weigh<() => string>([
    [5, () => random.pick(BIG)],
    [5, () => random.pick(OWN)],
    [3, () => `${random.some(1, 63, () => random.pick([...LETTERS]))}.${random.pick(['com', 'de', 'zip'])}`],
    [2, () => random.pick(UNCLEAN)],
    [1, () => `${random.some(1, 30, () => `${random.pick([...LETTERS])}.`)}example`],
  ])();
  const text = `${local}@${domain}`;
  return random.weigh<() => string>([
    [12, () => text],
    [1, () => `  ${text}\n`],
    [1, () => `Jane Doe <${text}>`],
    [1, () => `${text} (home)`],
    [1, () => text.toUpperCase()],
  ])();
}
