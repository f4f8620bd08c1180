import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { runContract } from 'postern/provider-kit/vitest';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PATTERNS } from '../../bench/gibberish/generated.ts';
import { nameLike } from '../../bench/gibberish/people.ts';
import { randomFrom } from '../../bench/support/random.ts';
import { heldBackNames } from '../../test/bench/gibberish/held-back.ts';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck, withDefaults } from '../../test/support/check-with.ts';
import { hasMeasuringData, measuringRows } from '../../test/support/measuring-data.ts';
import gibberish from './index.ts';
import { loadModel } from './model.ts';

const { find, source } = await prepareCheck(gibberish);
const ask = async (localPart: string) => {
  const { facts, evidence } = await find(anAddress(localPart));
  return {
    score: Number(facts['gibberish.score']),
    isLikely: facts['gibberish.is_likely'] === true,
    evidence,
  };
};
const share = async (localParts: readonly string[]) => {
  const answers = await Promise.all(localParts.map(ask));
  return answers.filter(({ isLikely }) => isLikely).length / answers.length;
};

describe('score', () => {
  it('is a number from 0 to 1 with at most 4 decimals for any local part, and the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 80 }), async (text) => {
        const { score, isLikely } = await ask(text);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        expect(Number(score.toFixed(4))).toBe(score);
        expect(await ask(text)).toMatchObject({ score, isLikely });
      }),
    );
  });

  it.each(['', 'j', 'xz', 'qxzj', 'x.q.z.j', '....', '1234'])(
    'is 0 for %j: too short to judge',
    async (text) => {
      expect(await ask(text)).toEqual({ score: 0, isLikely: false, evidence: undefined });
    },
  );

  it.each(['用户测试地址', 'почтовыйящик', 'χρήστης123', 'उपयोगकर्ता', 'مستخدم', 'jane用户测试'])(
    'is 0 for %s: the model was not trained on that script',
    async (text) => expect((await ask(text)).score).toBe(0),
  );

  it.each([
    ['josé.garcía', 'jose.garcia'],
    ['müllerstraße', 'mullerstrasse'],
    ['łukasz.żółć', 'lukasz.zolc'],
    ['ızgın', 'izgin'],
  ])('of %s is that of %s', async (marked, plain) => {
    expect(await ask(marked)).toEqual(await ask(plain));
  });

  it('of a local part of more than 64 characters is the score of its beginning', async () => {
    const long = 'jane.doe'.repeat(10_000);
    expect(await ask(long)).toEqual(await ask(long.slice(0, 64)));
  });

  it('of a text that is written twice is close to the score of the text once', async () => {
    const [once, twice] = [await ask('dqxjb'), await ask('dqxjbdqxjb')];
    const [other] = [await ask('dqxjbkvzwf')];
    expect(twice.score).toBeLessThan(other.score);
    expect(Math.abs(twice.score - once.score)).toBeLessThan(0.2);
  });

  it('does not count initials as evidence', async () => {
    expect((await ask('sarah.connor.xqj')).score).toBeLessThan(0.1);
  });

  it.each(['hans.m', 'olga_v', 'doe.j', 'jane.doe-x'])(
    'does not count the initial at the end of %s',
    async (localPart) => {
      expect((await ask(localPart)).score).toBeLessThan(0.1);
    },
  );

  it.each(['87.ghosh', 'uwe_31_voss', '7-kuhn'])(
    'does not count the number apart in %s',
    async (localPart) => {
      expect((await ask(localPart)).score).toBeLessThan(0.1);
    },
  );

  it('counts short parts where no word is beside them', async () => {
    expect((await ask('x7.k2.q9.vb')).score).toBeGreaterThan(0.9);
  });

  it('is computed from the canonical local part, without the tag', async () => {
    const address = { ...anAddress('jane.doe'), localPart: 'jane.doe+k3x9q7zm', subaddress: 'k3x9q7zm' };
    expect((await find(address)).facts).toEqual((await find(anAddress('jane.doe'))).facts);
  });
});

describe('is_likely', () => {
  it.each(
    `jane.doe maryjane1987 jsmith krzysztof.brzeczyszczykiewicz mkrtchyan nguyenthithanhthuy xiaojingzhang o'brien
     tanaka mohamedabdelrahman suthichai yitzhak.rabin venkataramanan oluwaseun virtanen szabolcs noreply webmaster
     13812345678 20050412 harryw4 nick282uk bigsadpanda jrr_tolkien abc123 jane123456 maria0987654321`.split(
      /\s+/,
    ),
  )('is false for %s', async (localPart) => expect((await ask(localPart)).isLikely).toBe(false));

  it.each([
    ['bkqhuoxzt', 'random'],
    ['k3x9q7zm2v4b', 'random'],
    ['e92a0c7cb1', 'random'],
    ['6134069b-9786-4384-89ec-bb3aa7c7a5cc', 'random'],
    ['swift-otter-k3x9q7zm', 'random'],
    ['zuqaxojewi', 'alternating'],
    ['asdfghjkl', 'keyboard'],
    ['poiuytrewq12', 'keyboard'],
    ['1q2w3e4r5t', 'random'],
    ['178543210987612345678901', 'digits'],
    ['jane1785402169873126458', 'digits'],
  ])('is true for %s, because it looks %s', async (localPart, pattern) => {
    expect(await ask(localPart)).toMatchObject({ isLikely: true, evidence: { pattern } });
  });

  it('is true from the threshold on, and false below', async () => {
    const { score } = await ask('bkqhuo');
    const says = async (likely_from: number) => {
      const strict = await prepareCheck(gibberish, { thresholds: { likely_from } });
      return (await strict.find(anAddress('bkqhuo'))).facts['gibberish.is_likely'];
    };
    expect(score).toBeGreaterThan(0.1);
    expect(score).toBeLessThan(0.999);
    expect(await says(score)).toBe(true);
    expect(await says(score + 0.0001)).toBe(false);
  });

  it('has the default threshold in the shipped file', () => {
    const shipped = parse(readFileSync(new URL('../../rules/signals.yaml', import.meta.url), 'utf8'));
    expect(shipped.gibberish).toEqual(withDefaults(gibberish.thresholds));
  });
});

describe('the model', () => {
  const file = JSON.parse(readFileSync(new URL('./data/trigrams.json', import.meta.url), 'utf8'));

  it('names its date and the packages that it was trained on', () => {
    expect(source).toBe(`trigrams.json@${file.date}`);
    expect(file.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    const readme = readFileSync(new URL('./data/SOURCE.md', import.meta.url), 'utf8');
    for (const { package: name, version, licence } of file.trained_on) {
      expect(readme).toContain(`\`${name}\` ${version} (${licence}`);
    }
  });

  it.each([
    ['a row too few', { ...file, costs: file.costs.slice(1) }],
    ['a row too short', { ...file, costs: ['AAAA', ...file.costs.slice(1)] }],
  ])('with %s is refused', (_, broken) => {
    expect(() => loadModel(broken)).toThrow('trigrams.json must hold 29 rows of 841 costs');
  });
});

describe('detection rates', () => {
  const random = randomFrom(4_211);
  const made = Map.groupBy(PATTERNS, ([, kind]) => kind);
  const sharesOf = async (kind: (typeof PATTERNS)[number][1]) =>
    Promise.all(
      (made.get(kind) ?? []).map(([, , make]) =>
        share(Array.from({ length: 600 }, () => make(random).toLowerCase())),
      ),
    );
  const mean = (shares: readonly number[]) => shares.reduce((sum, one) => sum + one, 0) / shares.length;

  it('finds 90 of 100 random local parts, and of each pattern at least 75', async () => {
    const shares = await sharesOf('random');
    expect(mean(shares)).toBeGreaterThan(0.9);
    expect(Math.min(...shares)).toBeGreaterThan(0.75);
  });

  it('finds more than half of the pronounceable ones', async () => {
    expect(Math.min(...(await sharesOf('pronounceable')))).toBeGreaterThan(0.6);
  });

  it('finds a random suffix after words, and does not flag words', async () => {
    const [letters = 0, hexadecimal = 0, digits, dot] = await sharesOf('words');
    expect(letters).toBeGreaterThan(0.6);
    expect(hexadecimal).toBeGreaterThan(0.7);
    expect([digits, dot]).toEqual([0, 0]);
  });

  const languages = [...heldBackNames()].map(([language, names]) => {
    const drawn = randomFrom(9);
    return { language, localParts: Array.from({ length: 500 }, () => nameLike(names, drawn)) };
  });

  it('flags at most 1 of 100 people over all languages, of names that it was not trained on', async () => {
    expect(languages.length).toBeGreaterThan(60);
    expect(mean(await Promise.all(languages.map(({ localParts }) => share(localParts))))).toBeLessThan(0.01);
  });

  it('flags at most 4 of 100 people by a name and an initial or a number, in either order', async () => {
    for (const { given, family } of heldBackNames().values()) {
      const localParts = given.flatMap((first, at) => {
        const last = family[at % family.length] ?? first;
        return [
          `${first}.${last.charAt(0)}`,
          `${last}_${first.charAt(0)}`,
          `${first.charAt(0)}.${last}`,
          `${at}.${last}`,
        ];
      });
      expect(await share(localParts)).toBeLessThan(0.04);
    }
  });

  it.each(languages)('flags at most 4 of 100 people: $language', async ({ localParts }) => {
    expect(await share(localParts)).toBeLessThan(0.04);
  });
});

/** Written by hand; in these languages the training had only the names of towns. */
const COMMON_NAMES =
  `mohammed ahmed mahmoud mustafa youssef abdullah khalid fatima aisha maryam khadija zainab yasmin nour
  hussein hassan tariq faisal ibrahim ismail abdulrahman abdelaziz alfarsi alghamdi alqahtani alsharif elsayed elmasry
  benali bouazizi mansouri haddad khoury najjar qasim rashid saleh shaheen zidane othman walid nizar ghassan jumana
  avraham yitzhak yaakov moshe shlomo yehuda eliyahu shimon menachem eitan yonatan gilad liora tamar rivka shira hadas
  michal cohen mizrahi peretz biton friedman shapiro azoulay goldberg rosenberg ashkenazi benyamin gabay
  somchai somsak suthichai nattapong kittisak wichai anuwat chaiwat prasert thanakorn siriporn kanya ratchanee supaporn
  wattana chalermchai phongsakorn srisuk saetang wongsawat thongchai rattanaporn jaidee charoensuk boonmee suwannarat
  hossein alireza mehdi mohsen behzad kourosh dariush farhad shirin parisa nasrin golnaz azadeh bahram khosrow ahmadi
  takahashi watanabe nakamura kobayashi yoshida yamamoto haruka sakura kenji hiroshi takeshi naoki daisuke shinichi
  kazuhiro masahiro tomoko akiko yumiko fujiwara matsumoto hasegawa okamoto nishimura miyazaki`.split(/\s+/);

it('flags at most 2 of 100 common Arabic, Hebrew, Thai, Persian and Japanese names', async () => {
  expect(COMMON_NAMES.length).toBeGreaterThan(140);
  expect(await share(COMMON_NAMES)).toBeLessThan(0.02);
});

it.skipIf(!hasMeasuringData)(
  'finds labelled local parts, and flags none that looks like a name',
  async () => {
    const rows = Map.groupBy(measuringRows('generated-local-parts.tsv'), ([, kind]) => kind);
    const found = async (kind: string) =>
      share((rows.get(kind) ?? []).map(([, , text = '']) => text.toLowerCase()));
    expect(await found('random')).toBeGreaterThan(0.85);
    expect(await found('pronounceable')).toBeGreaterThan(0.5);
    expect(await found('name')).toBeLessThan(0.005);
  },
);

runContract(gibberish, {
  cases: [
    { email: 'xkqzvwpt@example.com', expect: { 'gibberish.is_likely': true } },
    { email: 'jane.doe@example.com', expect: { 'gibberish.is_likely': false, 'gibberish.score': 0.0036 } },
  ],
});
