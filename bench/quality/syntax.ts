import { isEmailValid } from '@hapi/address';
import { validate as isEmailByPattern } from 'email-validator';
import { validate as isEmailByGrammar } from 'isemail';
import validator from 'validator';
import { countHits } from './metric.ts';
import type { SignalQuality } from './signal-quality.ts';

const FILE = 'syntax.json';

interface Row {
  readonly address: string;
  readonly expect: string;
  readonly conflict: boolean;
}

/** An ordinary address that is labelled invalid only for the line ends around it: valid once trimmed. */
const ONLY_LINE_ENDS = /^\s*[\r\n]\s*[a-z]+@[a-z]+\.[a-z]+$|^[a-z]+@[a-z]+\.[a-z]+\s*[\r\n]\s*$/;
const EDGES = /^\p{White_Space}+|\p{White_Space}+$/gu;

export const syntax: SignalQuality = {
  peers: ['validator', 'isemail', '@hapi/address', 'email-validator'],
  async measure(data, postern) {
    const rows = data
      .json<Row>(FILE)
      .filter(({ conflict, expect }) => !conflict && (expect === 'valid' || expect === 'invalid'))
      .map(({ address, expect }) => ({
        // All contestants get the same trimmed string; Postern would trim it itself.
        address: address.replaceAll(EDGES, ''),
        isValid: expect === 'valid' || ONLY_LINE_ENDS.test(address),
      }));
    const accepts: Readonly<Record<string, (address: string) => boolean | Promise<boolean>>> = {
      Postern: (address) => postern.says(address, 'syntax.valid_format', true),
      'validator isEmail': isEmailByValidator,
      'isemail validate': (address) => isEmailByGrammar(address),
      '@hapi/address isEmailValid': (address) => isEmailValid(address),
      'email-validator validate': (address) => isEmailByPattern(address),
    };
    const judges = Object.fromEntries(
      Object.entries(accepts).map(([name, accept]) => [
        name,
        async ({ address, isValid }: (typeof rows)[number]) => (await accept(address)) === isValid,
      ]),
    );
    const [valid, invalid] = [true, false].map((wanted) =>
      rows.filter(({ isValid }) => isValid === wanted).map(({ address }) => address),
    );
    return [
      await countHits('judged as labelled', 'high', rows, judges),
      await countHits('valid ones accepted', 'high', valid ?? [], accepts),
      await countHits('invalid ones accepted', 'low', invalid ?? [], accepts),
    ];
  },
};

/** `validator` throws on a lone surrogate, which counts as a no. */
function isEmailByValidator(address: string): boolean {
  try {
    return validator.isEmail(address);
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
