import { createRequire } from 'node:module';
import { getDomainWithoutSuffix } from 'tldts';
import { expect, it } from 'vitest';
import { loadShipped, loadTellingNames } from './load.ts';
import { tellingName } from './telling-name.ts';

const telling = loadTellingNames();
const named = (label: string) => tellingName(label, telling)?.certainty;
const names = [...telling].filter(([, { role }]) => role === 'name');
const certain = names.filter(([, { certainty }]) => certainty === 'certain');

const ORDINARY = [
  ...[
    'acme',
    'attach',
    'block',
    'check',
    'detect',
    'ever',
    'garden',
    'harbor',
    'italian',
    'kitchen',
    'last',
    'north',
  ],
  ...['paper', 'school', 'stop', 'summer', 'travel', 'winter'],
];
/**
 * Neighbouring letters that make another word of a name that ends in `mail`, `inbox` or `temp`, or begins with `temp`,
 * `fake` or `mail`.
 */
const ENDINGS = [
  'chimp',
  'er',
  'ers',
  'est',
  'ing',
  'late',
  'lates',
  'man',
  'merge',
  'o',
  'order',
  'orary',
  'ress',
  'tation',
];
const BEGINNINGS = ['at', 'con', 'ex', 'last', 'over', 'un'];

it('is not found in compounds of ordinary words around each name', () => {
  const compounds = names.flatMap(([name]) => [
    ...ORDINARY.flatMap((word) => [`${word}${name}`, `${name}${word}`, `${word}-${name}`, `${name}-${word}`]),
    ...ORDINARY.map((word, at) => `${word}${name}${ORDINARY.at(-at)}`),
    ...ENDINGS.flatMap((ending) => [`${name}${ending}`, `my-${name}${ending}`]),
    ...BEGINNINGS.map((beginning) => `${beginning}${name}`),
  ]);
  // tempmail and er make tempmailer, which is a name itself; mailtemp and o make mailtempo, which is not a name.
  const found = compounds.filter((label) => named(label) !== undefined && !label.endsWith('mailer'));
  expect(compounds.length).toBeGreaterThan(15_000);
  expect(found).toEqual([]);
});

it.each([
  ...[
    'minutemailer',
    'emailtemplates',
    'mail-templates',
    'mailtemplate',
    'email-temperature',
    'mailtempo',
    'mailtemptation',
  ],
  ...[
    'last-minute-mail',
    'block-disposable-email',
    'fakemailman',
    'trash-mailing',
    'templemail',
    'temporarymailman',
  ],
])('is not found in %s', (label) => expect(named(label)).toBe(undefined));

it('is certain alone, with a hyphen between its words, with digits, and with the words that services put beside it', () => {
  for (const [name, { seams }] of certain) {
    const cut = [...name].map((letter, at) =>
      seams.has(at + 1) && at + 1 < name.length ? `${letter}-` : letter,
    );
    for (const label of [
      name,
      cut.join(''),
      `24${name}`,
      `${name}-7`,
      `my${name}`,
      `the-best-${name}`,
      `free${name}online`,
    ])
      expect(named(label), label).toBe('certain');
  }
  expect(certain.length).toBeGreaterThan(150);
});

it('is not found where a hyphen cuts one of its words', () => {
  const cut = names.flatMap(([name, { seams }]) =>
    Array.from(name, (_, at) => at)
      .filter((at) => at > 0 && !seams.has(at))
      .map((at) => `${name.slice(0, at)}-${name.slice(at)}`),
  );
  expect(cut.length).toBeGreaterThan(2_000);
  // `temporarymail-box` is another name with a word beside it, `e-mail` is also spelt so, and digits are allowed anywhere.
  const other = /-box$|^e-mail|^1-?0/;
  expect(cut.filter((label) => named(label) !== undefined && !other.test(label))).toEqual([]);
  expect(['tempe-mail', 'temp-e-mail', 'temp-email'].map(named)).toEqual([undefined, 'certain', 'certain']);
});

it('is not found after one letter, and has no plural except with mail', () => {
  const behind = names.flatMap(([name]) => [...'bcdfhjklnopqrstuvwxyz'].map((letter) => `${letter}${name}`));
  expect(behind.filter((label) => named(label) !== undefined)).toEqual([]);
  expect(['tempmails', 'temp-mails', 'mailtemps', 'email-temps'].map(named)).toEqual([
    'certain',
    'certain',
    undefined,
    undefined,
  ]);
});

it.each([
  ...[
    'tempomail',
    'tempo-mail',
    'temporalmail',
    'tempforward',
    'tempfree',
    'tempfreeusa',
    'throwaway',
    'throwawayworld',
  ],
  ...[
    'throwaway-club',
    'fakebox',
    'tmpbox',
    'burnmail',
    'dumpmail',
    'minutemail',
    'minutesmail',
    'yourminutemail',
  ],
  ...[
    'newminutemail',
    'the-minute-mail',
    'oneminutemail',
    '1-minute-mail',
    'temporarymailbox',
    'temporarymailservice',
  ],
  ...['temporary-mail-services', 'disposableemailapi', 'fakeemailapi', 'disposable-email-server'],
])('is ambiguous in %s: its words can be read differently', (label) =>
  expect(named(label)).toBe('ambiguous'),
);

it.each([
  ...[
    'wegwerfmail',
    'wegwerf-adresse',
    'muellmail',
    'einwegmail',
    'mailjetable',
    'email-jetable',
    'adressemailjetable',
  ],
  ...[
    'emaildescartavel',
    'correodesechable',
    'tempmailer',
    'trashmailer',
    'tmpmailer',
    'trashmailr',
    'tempmail4u',
    'tempmail1s',
    '20-minute-mail',
  ],
  ...[
    '15minutesemail',
    '30minutenmail',
    'tenminutemail',
    'onetimeemail',
    'singleusemail',
    'wegwerpmail',
    'linshiyouxiang',
  ],
  ...[
    'linshi-email',
    'gmailnator',
    'geciciemail',
    '12minutemail24',
    'temp-email',
    '20minute-email',
    'trash-email',
  ],
])('is certain in %s', (label) => expect(named(label)).toBe('certain'));

it('is in no domain of a mail provider except those that lists of disposable services name', () => {
  const providers: readonly string[] = createRequire(import.meta.url)('email-providers/all.json');
  const found = providers.filter((domain) => named(getDomainWithoutSuffix(domain) ?? '') !== undefined);
  expect(found).toContain('mailinator.com');
  expect(found.filter((domain) => loadShipped().ballotOf(domain) === -1)).toEqual([]);
});

it('takes no longer for a label of words than for any other', () => {
  const label = `${'services'.repeat(7)}tempmai`;
  const start = performance.now();
  for (let round = 0; round < 100; round += 1) named(`tempmail${label}`);
  expect(performance.now() - start).toBeLessThan(1_000);
});
