import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { runContract } from 'postern/provider-kit/vitest';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { requireAddress } from '../../src/checks/assessor.ts';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck, withDefaults } from '../../test/support/check-with.ts';
import { hasMeasuringData, measuringRows } from '../../test/support/measuring-data.ts';
import entropy from './index.ts';
import { lengthOf, shannonEntropy } from './shannon.ts';

describe('score', () => {
  it.each([
    ['', 0],
    ['a', 0],
    ['aaaa', 0],
    ['ab', 1],
    ['abcd', 2],
    ['aab', 0.9183],
    ['jane.doe', 2.75],
    ['💌💌ab', 1.5],
  ])('of %j is %d bits', (text, bits) => {
    expect(shannonEntropy(text)).toBe(bits);
  });

  it('lies between 0 and log2 of the length, with at most 4 decimals, in any order of characters', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
        const bits = shannonEntropy(text);
        const characters = [...text];
        expect(bits).toBeGreaterThanOrEqual(0);
        expect(bits).toBeLessThanOrEqual(Math.log2(characters.length) + 0.0001);
        expect(Number(bits.toFixed(4))).toBe(bits);
        expect(shannonEntropy(characters.reverse().join(''))).toBe(bits);
      }),
    );
  });
});

it('counts the same in ASCII as in all of Unicode', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 80 }), (text) => {
      const beyond = text.replaceAll(/./gs, (character) =>
        String.fromCodePoint((character.codePointAt(0) ?? 0) + 0x1f300),
      );
      expect(shannonEntropy(beyond)).toBe(shannonEntropy(text));
      expect(lengthOf(beyond)).toBe(text.length);
      expect(lengthOf(text)).toBe(text.length);
    }),
  );
});

describe('suspicious', () => {
  const isSuspicious = async (localPart: string, thresholds = {}) => {
    const { find } = await prepareCheck(entropy, { thresholds });
    return (await find(anAddress(localPart))).facts['entropy.suspicious'];
  };

  it.each(['j', 'jane.doe', 'christopher.lee', 'bkqhuoxzt', 'maria.fernanda.gonzalez'])(
    'is false for %s',
    async (name) => expect(await isSuspicious(name)).toBe(false),
  );

  it.each(['k3x9q7zm2v4b', 'k3x9q7zm2v4bw8td', '6134069b-9786-4384-89ec-bb3aa7c7a5cc'])(
    'is true for %s',
    async (name) => expect(await isSuspicious(name)).toBe(true),
  );

  it.each([
    'maria.fernanda.de.la.cruz.gonzalez.rodriguez',
    'jan-willem_van.der.berg.hoekstra',
    'luiz_fernando_de_vasconcelos_junqueira',
    'venkatasubramanian.krishnamurthy.jayaraman',
    'abdul.rahman.bin.mohammed.al-harbi1974',
    'donnie_dooley.schumacher695',
    'konstantinos.papadimitropoulos.2006',
    'sukhothai-phitsanulok_worawut.chaiyaphum',
    'joaopedrodeoliveirasantosvasconcelos',
    'guilhermevasconcelosdebrito',
  ])('is false for a person with a long name: %s', async (name) => {
    expect(await isSuspicious(name)).toBe(false);
    const { find } = await prepareCheck(entropy);
    const atGmail = anAddress(name.replaceAll('.', ''), 'gmail.com', {
      localPart: `${name}+news`,
      subaddress: 'news',
      hasDotsRemoved: true,
    });
    expect((await find(atGmail)).facts['entropy.suspicious']).toBe(false);
  });

  it.each([
    'qzkx.k3x9q7zm2v4b8td',
    'word-brand-7jbexyq84f0c',
    'k3x9.q7zm.2v4b.w8td.1985',
    'xkqzvwjhgfbnpdlm.jane',
  ])('is true for %s, which has no words or a random word', async (name) =>
    expect(await isSuspicious(name)).toBe(true),
  );

  it('does not depend on upper and lower case, with a tag too', async () => {
    const { find } = await prepareCheck(entropy);
    for (const tag of ['', '+groß', '+gross']) {
      for (const name of ['cruz.de.whyte.ximena', 'cruz.de.whyte.groß', 'cruz.de.whyte.GROSS']) {
        const { facts } = await find(requireAddress(`${name}${tag}@gmail.com`));
        expect(facts['entropy.suspicious'], `${name}${tag}`).toBe(false);
      }
    }
  });

  it('compares a text without a digit with the limit of its own row', async () => {
    const thresholds = { suspicious_above: [{ from_length: 4, bits: 1, bits_without_digit: 2 }] };
    expect(await isSuspicious('a1b2', thresholds)).toBe(true);
    expect(await isSuspicious('abcd', thresholds)).toBe(false);
    expect(await isSuspicious('abcde', thresholds)).toBe(true);
  });

  it('needs a score above the limit, from the length on that the table gives', async () => {
    const thresholds = {
      suspicious_above: [
        { from_length: 4, bits: 2 },
        { from_length: 5, bits: 2.3 },
      ],
    };
    expect(await isSuspicious('abcd', thresholds)).toBe(false);
    expect(await isSuspicious('abcde', thresholds)).toBe(true);
    expect(await isSuspicious('abcd', { suspicious_above: [{ from_length: 4, bits: 1.99 }] })).toBe(true);
    expect(await isSuspicious('abc', { suspicious_above: [{ from_length: 4, bits: 0 }] })).toBe(false);
  });

  it('refuses a table whose lengths do not ascend, at the row that is out of order', () => {
    const table = (...lengths: readonly number[]) => ({
      suspicious_above: lengths.map((from_length) => ({ from_length, bits: 3 })),
    });
    expect(entropy.checkThresholds?.(table(8, 9, 30))).toEqual([]);
    expect(entropy.checkThresholds?.(table(8, 8, 7))).toEqual([
      {
        path: ['suspicious_above', 1, 'from_length'],
        message: 'must be above 8, the length before: lengths ascend',
      },
      {
        path: ['suspicious_above', 2, 'from_length'],
        message: 'must be above 8, the length before: lengths ascend',
      },
    ]);
  });

  it('has the default thresholds in the shipped file', () => {
    const shipped = parse(readFileSync(new URL('../../rules/signals.yaml', import.meta.url), 'utf8'));
    expect(shipped.entropy).toEqual(withDefaults(entropy.thresholds));
  });
});

it.skipIf(!hasMeasuringData)(
  'finds part of the generated local parts, and few that look like names',
  async () => {
    const { find } = await prepareCheck(entropy);
    const share = async (wanted: string) => {
      const rows = measuringRows('generated-local-parts.tsv').filter(([, kind]) => kind === wanted);
      const found = await Promise.all(
        rows.map(
          async ([, , text = '']) => (await find(anAddress(text.toLowerCase()))).facts['entropy.suspicious'],
        ),
      );
      return found.filter(Boolean).length / rows.length;
    };
    expect(await share('random')).toBeGreaterThan(0.1);
    expect(await share('name')).toBeLessThan(0.005);
  },
);

runContract(entropy, {
  cases: [
    { email: 'jane.doe@example.com', expect: { 'entropy.score': 2.75, 'entropy.suspicious': false } },
    { email: 'x7k2m9qz4w8v@example.com', expect: { 'entropy.suspicious': true } },
  ],
});
