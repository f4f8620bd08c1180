import { bareWord, suggest } from '../lib/did-you-mean.ts';
import { compareTexts } from '../lib/text.ts';
import { ODD_BLANKS } from '../lib/yaml-syntax.ts';

/** Where something stands in a rule file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The column after the last character; absent for a mapping, a list, an empty value, and text over several lines. */
  readonly endColumn?: number;
}

export type Severity = 'error' | 'warning';

/**
 * Every check of the linter, by its stable code. An error keeps the rule set from being used; a warning does
 * not. `docs/rules.md` has a paragraph for each; a test keeps the two equal.
 */
export const PROBLEM_SEVERITIES = {
  // Files and YAML
  missing_file: 'error',
  ignored_file: 'warning',
  yaml_syntax: 'error',
  yaml_alias: 'error',
  duplicate_key: 'error',
  not_as_written: 'warning',
  // Shape
  wrong_shape: 'error',
  unknown_key: 'error',
  missing_key: 'error',
  unknown_value: 'error',
  out_of_range: 'error',
  bad_id: 'error',
  bad_date: 'error',
  duplicate_id: 'error',
  wrong_event: 'error',
  shadow_decides: 'error',
  rollout_decides: 'error',
  // Conditions
  empty_condition: 'error',
  mixed_condition: 'error',
  engine_extra: 'error',
  path_refused: 'error',
  decorator_refused: 'error',
  unknown_fact: 'error',
  unknown_operator: 'error',
  operator_misfit: 'error',
  value_misfit: 'error',
  ends_within_label: 'warning',
  value_never_fits: 'warning',
  long_list: 'error',
  counted_twice: 'error',
  large_condition: 'error',
  unknown_threshold: 'error',
  unused_threshold: 'warning',
  unknown_condition: 'error',
  condition_cycle: 'error',
  unused_condition: 'warning',
  unknown_list: 'error',
  unused_list: 'warning',
  never_true: 'warning',
  always_true: 'warning',
  subsumed_condition: 'warning',
  plain_count: 'warning',
  duplicate_value: 'warning',
  duplicate_condition: 'warning',
  duplicate_rule: 'warning',
  subsumed_rule: 'warning',
  // Points, levels and actions that make no difference
  unreachable_rule: 'warning',
  points_over_cap: 'warning',
  unreachable_score: 'warning',
  level_gap: 'warning',
  action_gap: 'warning',
  // Unknown, and all that keeps a score monotone
  negative_points_unknown: 'error',
  forced_allow_unknown: 'error',
  absorbs_unknown_rule: 'error',
  absorbs_other_group: 'error',
  absorbs_negative: 'error',
  absorbs_half: 'error',
  absorbs_too_much: 'error',
  score_not_ready: 'error',
  level_reads_fact: 'error',
  falls_with_score: 'error',
  level_order: 'error',
  // Care
  expired: 'warning',
  idle_rollout: 'warning',
  personal_fact: 'warning',
  disabled_fact: 'warning',
  untested_rule: 'warning',
  // Lists, signals, tests
  bad_list_value: 'error',
  duplicate_entry: 'warning',
  covered_entry: 'warning',
  entry_never_fits: 'warning',
  forced_clash: 'warning',
  unknown_section: 'error',
  bad_threshold: 'error',
  unknown_rule: 'error',
  contradicting_facts: 'warning',
} as const satisfies Record<string, Severity>;

export type ProblemCode = keyof typeof PROBLEM_SEVERITIES;

/** One mistake in the rules directory, and where. */
export interface Problem extends Place {
  readonly code: ProblemCode;
  readonly severity: Severity;
  readonly message: string;
  /** What was probably meant. */
  readonly hint?: string | undefined;
  /** Text to put in place of the columns up to `endColumn`, which mends the problem; absent where only a person can decide. */
  readonly replacement?: string | undefined;
}

/** As the command line and the dashboard show it. */
export function presentProblem({ endColumn: end_column, hint, replacement, ...problem }: Problem) {
  const { line, column } = problem;
  const isFixed = end_column !== undefined && replacement !== undefined;
  return { ...problem, hint: hint ?? null, fix: isFixed ? { line, column, end_column, replacement } : null };
}

/** `file:line:col` */
export function describePlace({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** `file:line:col severity code message (did you mean …?)` */
export function formatProblem(problem: Problem): string {
  return `${describePlace(problem)} ${problem.severity} ${problem.code} ${describeProblem(problem)}`;
}

/** As `formatProblem`, for the log: what stands in a list may be an address, which identifies a person, and is not quoted. */
export function formatForLog(problem: Problem): string {
  const isOfList = /(?:^|\/)(?:(?:allow|deny)\.yaml|lists\/[^/]+)$/.test(problem.file);
  const mayQuote = isOfList && problem.code !== 'yaml_syntax';
  const message = '"postern rules lint" says what is wrong';
  return formatProblem(mayQuote ? { ...problem, message, hint: undefined } : problem);
}

/** `message (did you mean …?)` */
export function describeProblem({ message, hint }: Problem): string {
  return hint === undefined ? message : `${message} (did you mean "${hint}"?)`;
}

/** What was probably meant; and, where that is certain, YAML to write in place of the text. */
export type Meant = readonly [hint?: string | undefined, replacement?: string | undefined];

/** Collects what the checks find. */
export class ProblemList {
  readonly #problems: Problem[] = [];

  /** Returns undefined, so that a reader can return it for a broken value. */
  report(code: ProblemCode, place: Place, message: string, ...[hint, replacement]: Meant): undefined {
    const fix = place.endColumn === undefined ? undefined : replacement;
    const severity = PROBLEM_SEVERITIES[code];
    const explained = message + explainLookalike(message);
    this.add({ code, severity, ...place, message: explained, hint, replacement: fix });
  }

  get all(): readonly Problem[] {
    return this.#problems;
  }

  /** Adds a problem from another list, unchanged. */
  add(problem: Problem): void {
    this.#problems.push(problem);
  }

  get hasErrors(): boolean {
    return this.#problems.some(({ severity }) => severity === 'error');
  }

  /** By place, then by code, so that the same files always give the same text. */
  sorted(): readonly Problem[] {
    return this.#problems.toSorted(
      (a, b) =>
        compareTexts(a.file, b.file) ||
        a.line - b.line ||
        a.column - b.column ||
        compareTexts(a.code, b.code) ||
        compareTexts(a.message, b.message),
    );
  }
}

/** A Cyrillic, Greek or full-width letter next to a Latin one. */
const LETTER =
  /(?<=[a-z])[\p{Script=Cyrillic}\p{Script=Greek}\uff21-\uff5a]|[\p{Script=Cyrillic}\p{Script=Greek}\uff21-\uff5a](?=[a-z])/iu;
/** A dash, or the minus of mathematics, in front of a digit. */
const MINUS = /[\u2010-\u2015\u2212](?=\d)/;

/** Characters that only look like those that are meant: a person cannot see the difference. */
const LOOKALIKES: readonly (readonly [RegExp, (sign: string, code: string) => string])[] = [
  [LETTER, (letter, code) => `its letter ${letter} is ${code}, no Latin one`],
  [MINUS, (sign, code) => `its sign ${sign} is ${code}, not the plain -`],
  [ODD_BLANKS, (_, code) => `its ${code} looks like a blank, or like nothing`],
];

/** The end of a message that quotes such a character: its name. */
function explainLookalike(message: string): string {
  for (const [pattern, explain] of LOOKALIKES) {
    const [sign] = pattern.exec(message) ?? [];
    const code = sign?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    if (sign !== undefined) return `; ${explain(sign, `U+${code}`)}`;
  }
  return '';
}

/** A word that no parser takes for a number, a boolean or a null. */
const PLAIN_WORD = /^(?!(true|false|null)$)[a-z_.][\w.@-]*$/i;
/** A YAML 1.2 parser takes a date for text, so it needs no quotes. */
const DATE = /^\d{4}-\d{2}-\d{2}(T[\d:]+Z)?$/;

/** Text as a YAML scalar: plain where that is safe, else in quotes. */
export function asScalar(text: string): string {
  const isPlain = DATE.test(text) || (PLAIN_WORD.test(text) && !/^\.(inf|nan)$/i.test(text));
  return isPlain ? text : JSON.stringify(text);
}

/** The end of a message, where a text holds several known words, as in `[medium high]`: a comma is missing. Else empty. */
export function missingComma(text: unknown, isKnown: (word: string) => boolean): string {
  const words = typeof text === 'string' ? text.split(/[\s;|]+/) : [];
  return words.length > 1 && words.every(isKnown) ? ': a comma is missing between them' : '';
}

/** By known word: its names in other languages, in lower case. */
export type Elsewhere = Readonly<Record<string, readonly string[]>>;

/**
 * The known word that was probably meant. A replacement only where that is certain: the word is the known one in another spelling, or its
 * name elsewhere. A word that is merely similar may be meant as another one: `canonical_1h` is no misspelt `canonical_24h`.
 */
export function meantBy(word: string, known: Iterable<string>, elsewhere: Elsewhere = {}): Meant {
  const words = [...known];
  const same = words.filter(
    (candidate) =>
      bareWord(candidate) === bareWord(word) || elsewhere[candidate]?.includes(word.toLowerCase()),
  );
  const hint = same[0] ?? suggest(word, words);
  if (hint === undefined) return [];
  return same.length === 1 ? [hint, asScalar(hint)] : [hint];
}
