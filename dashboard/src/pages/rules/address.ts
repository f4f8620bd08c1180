import type { RuleFiles } from './language/names.ts';

/** The one of `words` that `text` is; otherwise the first. */
export function oneOf<Word extends string>(words: readonly [Word, ...Word[]], text: string | null): Word {
  return words.find((word) => word === text) ?? words[0];
}

const FIRST_FILE = 'decision.yaml';

/** The file that the URL names; otherwise decision.yaml, or the first file. */
export function shownFile(files: RuleFiles, named: string | null): string {
  const wanted = [named ?? FIRST_FILE, FIRST_FILE].find((name) => Object.hasOwn(files, name));
  return wanted ?? Object.keys(files)[0] ?? '';
}

/** The tabs of the effect panel. */
export const TABS = ['scores', 'flips', 'rules', 'curves'] as const;
export type Tab = (typeof TABS)[number];

/** Days of records, as in the URL; by default the first. */
export const SPANS = ['30', '7', '90'] as const;

export const SPAN_CHOICES = SPANS.toSorted((a, b) => Number(a) - Number(b)).map((value) => ({
  value,
  label: `Last ${value} days`,
}));
