import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../../bench/support/random.ts';
import { heldBackNames } from '../bench/gibberish/held-back.ts';
import { openDefaultRules } from '../support/default-rules.ts';

/** The points of `unclean_form`, and of `several_faults` in addition. */
const ONE_FAULT = 25;
const SEVERAL_FAULTS = 35;

const escaped = (text: string) => [...text].map((character) => `\\${character}`).join('');
/**
 * Ways to write `localPart@domain` of words with single dots between, all of which are answered with `valid_format:
 * false`.
 */
const FORMS: Readonly<Record<string, (localPart: string, domain: string) => string>> = {
  'doubled dots': (local, domain) => `${local.replaceAll('.', '..')}.@${domain}`,
  'a leading dot': (local, domain) => `.${local}@${domain}`,
  'three trailing dots': (local, domain) => `${local}...@${domain}`,
  'dots everywhere': (local, domain) => `..${local.replaceAll('.', '...')}..@${domain}`,
  quotes: (local, domain) => `"${local}"@${domain}`,
  'quotes and escapes': (local, domain) => `"${escaped(local)}"@${domain}`,
  'quoted words': (local, domain) => `${local.replace(/[^.]+/g, '"$&"')}@${domain}`,
  'quotes and a space': (local, domain) => `"${local.replaceAll('.', ' ')} "@${domain}`,
  'quotes and an at': (local, domain) => `"${local.replaceAll('.', '@')}@"@${domain}`,
  'quotes and quotation marks': (local, domain) => `"\\"${local.replaceAll('.', '\\" \\"')}\\""@${domain}`,
  'quotes and dots': (local, domain) => `"${local.replaceAll('.', '..')}."@${domain}`,
  'a comment': (local, domain) => `(work) ${local}@${domain} (old)`,
  'spaces around dots': (local, domain) => `${local.replaceAll('.', ' . ')} @ ${domain}`,
  'a display name': (local, domain) => `"Lopez, M." <${local}@${domain}>`,
  'upper case': (local, domain) => `"${local.toUpperCase()}"@${domain.toUpperCase()}`,
  'a dot before the at': (local, domain) => `.${local}.@${domain}`,
  'letters and marks apart': (local, domain) => `"${local.normalize('NFD')}"@${domain}`,
  'soft hyphens': (local, domain) => `${[...local, ''].join('\u00ad')}@${domain}`,
  'what shows nothing': (local, domain) => `\u200b${local}\u3164\ufe0f@${domain}`,
  'a final dot': (local, domain) => `${local}@${domain}.`,
};
const DOMAINS = ['firm.info', 'example.com', 'gmail.com', 'yahoo.com', 'proton.me', 'yandex.ru'];

let rules: Awaited<ReturnType<typeof openDefaultRules>>;
beforeAll(async () => {
  rules = await openDefaultRules();
});
afterAll(() => rules.close());

/** Names of people, roles and programs: many of each kind. */
function localParts(): readonly string[] {
  const random = randomFrom(20_261_126);
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? '';
  const letters = (length: number) =>
    Array.from({ length }, () => pick([...'abcdefghijklmnopqrstuvwxyz0123456789'])).join('');
  const people = [...heldBackNames().values()].flatMap((names) =>
    Array.from({ length: 2 }, () => `${pick(names.given)}.${pick(names.family)}`),
  );
  const made = Array.from({ length: 30 }, () => `${letters(6)}.${letters(7)}`);
  return [
    ...people,
    ...made,
    'info',
    'no-reply',
    'josé.muñoz',
    'maria.lopez+news.2026',
    'x7k2q9zzvb+shop',
    'νίκος.παππάς',
    '1984',
    'a',
  ];
}

describe('an unclean form adds the points of the rules on the form, and no more', () => {
  it.each(Object.entries(FORMS))('%s', async (_name, write) => {
    const cleanOnes = localParts();
    expect(cleanOnes.length).toBeGreaterThan(100);
    for (const [index, local] of cleanOnes.entries()) {
      const domain = DOMAINS[index % DOMAINS.length] ?? '';
      const clean = await rules.decide(`${local}@${domain}`);
      const written = write(local, domain);
      const unclean = await rules.decide(written);
      const faults = new Set(unclean.address.faults.map(({ code }) => code)).size;
      expect({ written, faults }).not.toEqual({ written, faults: 0 });
      const most = clean.decision.score + (faults === 1 ? ONE_FAULT : SEVERAL_FAULTS);
      expect({ written, score: unclean.decision.score }).toEqual({
        written,
        score: Math.min(unclean.decision.score, most),
      });
      // It does not hide the words from other rules either.
      expect({ written, score: unclean.decision.score }).toEqual({
        written,
        score: Math.max(unclean.decision.score, clean.decision.score),
      });
    }
  });
});

it.each([
  ...[
    '_*_',
    '-*-',
    "'*'",
    '\u201c*\u201d',
    '\u00ab*\u00bb',
    '**',
    '{*}',
    '*!',
    '~*',
    '_*',
    '*_',
    '__*',
    '#*',
    '*$$',
    '/*/',
    '^*^',
  ],
  ...['|*|', '=*', '`*`', '\u00bf*?', '\u2039*\u203a', '\u2018*\u2019'],
])('marks around the words, as in %s, add no points and hide no role', async (marks) => {
  const between = ['maria', 'maria.lopez', 'info', 'sales', 'thomas', 'anna.schmidt', 'x7k2q9zzvb'];
  for (const local of between) {
    const marked = marks.replace('*', () => local);
    const [plain, decided] = [
      await rules.decide(`${local}@firm.de`),
      await rules.decide(`${marked}@firm.de`),
    ];
    expect([marked, decided.decision.score]).toEqual([marked, plain.decision.score]);
  }
});

it('an unclean form of an ordinary address never blocks, and has the level low or medium', async () => {
  expect((await rules.decide('maria..lopez@firm.info')).decision).toMatchObject({
    action: 'ALLOW',
    score: 35,
  });
  expect((await rules.decide('"foo@bar"@example.com')).decision).toMatchObject({
    action: 'ALLOW',
    score: 25,
  });
});
