import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weaknessOf } from '../../src/accounts/password-policy.ts';

const ada = { email: 'ada.lovelace@firm.example', name: 'Ada Lovelace' };

describe('a password', () => {
  it.each(['four walnut canoes adrift', 'xK9#mQ2$vL7!', 'пароль из трёх слов', '犬猫鳥魚馬牛羊豚虎象鹿狐'])(
    '%s is accepted',
    (password) => expect(weaknessOf(password, ada)).toBeUndefined(),
  );

  it.each([
    ['is too short', 'xK9#mQ2$vL7', /at least 12/],
    ['is too long', 'ab3$'.repeat(33), /at most 128/],
    ['is a word that is guessed first', 'password1234', /guessed/],
    ['is a row of keys', '1q2w3e4r5t6y', /guessed/],
    ['is the person’s name', 'AdaLovelace1815', /guessed/],
    ['is the person’s firm', 'firm.example.1', /guessed/],
    ['is the product’s name', 'Postern-2026!', /guessed/],
    ['says one thing again and again', 'abababababab', /guessed/],
  ])('%s: %s', (_why, password, why) => {
    expect(weaknessOf(password, ada)).toMatch(why);
  });

  it('is judged in time that grows with its length alone, however many known parts follow each other', () => {
    // Following each sequence of parts by itself takes forty times as long, and fails by the time-out.
    const parts = Array.from({ length: 20_000 }, (_, n) =>
      n.toString(4).replace(/\d/g, (digit) => 'iabc'.charAt(+digit)),
    );
    const person = { email: 'i@firm.example', name: `iii iiii iiiii ${parts.join(' ')}` };
    expect(weaknessOf('ⅲ'.repeat(128), person)).toMatch(/guessed/);
  }, 20_000);

  it('may contain a commonly guessed word where enough other text is left', () => {
    expect(weaknessOf('password of the seventh walrus', ada)).toBeUndefined();
  });
});

const ann = { email: 'ann.lee@example.org', name: 'Ann Lee' };

describe("a password made of the person's own data", () => {
  it.each([
    'ann.lee@example.org',
    'ann.lee@example.org1',
    'ANN.LEE@EXAMPLE.ORG',
    'Ann.Lee@Example.Org!2026',
    'annleeexampleorg',
    'ann lee example org',
    'org.example@lee.ann',
    'orgexampleleeann',
    'ann_lee@example',
    '***2026-ann.lee@example.org-1234***',
    'annlee-annlee-annlee',
    'lee ann lee ann 24121985',
    'xxann.lee@example.orgyy',
    'annleeann.lee@example.org',
    'ann1lee2example3org4',
    'example.org-postern-2026',
    'PosternAnnLee',
    'ｅｘａｍｐｌｅ．ａｎｎ．ｌｅｅ',
    'gro.elpmaxe@eel.nna',
    'elpmaxe-eel-nna-1',
    'a.n.n.l.e.e.1.2',
    'annandlee2026',
    'AnnLovesLee!12',
    'leeundann-2026',
    'annlovesexample',
    'ann.lee@gmail.com',
    'Ann.Lee@outlook.co.uk1',
    'lee.ann@mein-anbieter.de',
    'annleegmailcom',
    'annlee_hotmail_2026',
  ])('%s is refused', (password) => expect(weaknessOf(password, ann)).toMatch(/guessed/));

  it.each([
    ['b@q.io', 'b@q.io b@q.io'],
    ['b@q.io', 'bqio-bqio-2026'],
    ['li.wu85@mail.co.uk', 'liwu85mail.co.uk'],
    ['li.wu85@mail.co.uk', 'uk.co.mail.wu.li'],
    ["o'brien+x@my-firm.example", 'myfirm.obrien!'],
  ])('of %s, %s is refused', (email, password) =>
    expect(weaknessOf(password, { email, name: 'B' })).toMatch(/guessed/),
  );

  it.each(['JoseGarcia2026', 'josé-garcía-josé', 'JOSE\u0301GARCI\u0301A1', 'Łódź jose garcia'])(
    'of José García of łódź.example, %s is refused',
    (password) =>
      expect(weaknessOf(password, { email: 'jg@łódź.example', name: 'José García' })).toMatch(/guessed/),
  );

  const label = fc.stringMatching(/^[a-z]{1,9}$/);
  const around = fc.stringMatching(/^[0-9!?.*#_ -]{0,8}$/);
  const emails = fc.record({
    local: fc.array(label, { minLength: 1, maxLength: 3 }),
    domain: fc.array(label, { minLength: 2, maxLength: 3 }),
  });

  it('is refused in any order, case and number of parts, with any separators, and with any digits and signs around it', () => {
    fc.assert(
      fc.property(
        emails.chain(({ local, domain }) => {
          const parts = [...local, ...domain, 'postern'];
          return fc.record({
            email: fc.constant(`${local.join('.')}@${domain.join('.')}`),
            chosen: fc.array(fc.constantFrom(...parts), { minLength: 3, maxLength: 9 }),
            separator: fc.constantFrom('', '.', '-', ' ', '@', '7', '__'),
            isUpper: fc.boolean(),
            before: around,
            after: around,
          });
        }),
        ({ email, chosen, separator, isUpper, before, after }) => {
          const made = before + chosen.join(separator) + after;
          fc.pre(made.length >= 12);
          expect(weaknessOf(isUpper ? made.toUpperCase() : made, { email, name: 'Q' })).toMatch(/guessed/);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is refused as the whole email, and as its local part or domain', () => {
    fc.assert(
      fc.property(emails, around, around, ({ local, domain }, before, after) => {
        const email = `${local.join('.')}@${domain.join('.')}`;
        for (const part of [email, local.join('.'), domain.join('.'), domain.slice(0, -1).join('.')]) {
          const made = before + part + after;
          if (made.length >= 12) expect(weaknessOf(made, { email, name: 'Q' })).toMatch(/guessed/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a passphrase of other words', () => {
  it.each([
    'planning-cannon-walrus',
    'planning-cannon-fleet-organ',
    'sleepy organs cannot fleece',
    'annex leeward organ gallery',
    'manners fleeting morgue',
    'the lee shore of a walnut canoe',
    'ann walks nine purple ferrets',
    'xK9#mQ2$vL7!annlee',
    'my postern guards seven otters',
    'annotated otters flee',
    'walrus.canoe@gmail.com',
    'annealed walnut settlee',
    'a bleak outlook for walruses',
  ])('%s is accepted for Ann Lee', (password) => expect(weaknessOf(password, ann)).toBeUndefined());

  const WORDS =
    'planning cannon sleeping morgan cargo fleece walnut canoe purple ferret granite whistle'.split(' ');
  it('is accepted, although its words contain parts of the email', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 6 }),
        fc.constantFrom('-', ' ', '.', '', '4'),
        fc.constantFrom('ann.lee@example.org', 'a.n@io.in', 'car.go@eep.ing', 'li.wu85@mail.co.uk'),
        (words, separator, email) => {
          // At car.go@eep.ing, "sleeping planning cargo" has only seven letters that are not part of the email: a fourth word is
          // enough.
          fc.pre(words.length > 3 || email !== 'car.go@eep.ing');
          expect(weaknessOf(words.join(separator), { email, name: 'Ann Lee' })).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  });
});
