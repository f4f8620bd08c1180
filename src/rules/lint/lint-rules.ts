import { join } from 'node:path';
import type { FactCatalogue } from '../../signals/signals.ts';
import {
  type DatedListEntry,
  isExpired,
  type Rule,
  type RuleDefinitions,
  type RuleGroup,
  type RuleTest,
} from '../definitions.ts';
import { checkLists, readListFile } from '../list-entries.ts';
import { type Fix, type Place, type Problem, ProblemList } from '../problem.ts';
import type { RuleSource, RuleSources } from '../rule-files.ts';
import { type Located, readYaml } from '../yaml-document.ts';
import { checkOverlap, checkWorlds } from './check-conditions.ts';
import { checkReach } from './check-reach.ts';
import {
  checkAbsorption,
  checkCare,
  checkScoreOrder,
  checkTested,
  checkThresholdsUsed,
  checkUnknown,
} from './check-rules.ts';
import { Declared } from './declared.ts';
import { openRuleFile, readDecision, readGroup, readThresholds } from './read-rule-files.ts';
import { readSignalsFile } from './read-signals-file.ts';
import { readTestFile } from './read-test-file.ts';
import { ReadableFacts } from './readable-facts.ts';
import { Logic } from './worlds.ts';

export interface LintResult {
  /** By place; the same files give the same list. */
  readonly problems: readonly Problem[];
  /** Present when there is no error; warnings do not keep rules from being used. */
  readonly definitions: RuleDefinitions | undefined;
}

export interface LintOptions {
  /** The moment that expiries are judged at, in ms since the epoch. */
  readonly now: number;
  /** For whoever does not read warnings, which take most of the time: whether a rule can ever fire is one. */
  readonly onlyErrors?: boolean;
}

/** Reads and judges a rules directory: the one validator of start-up, reload and `rules lint`. */
export function lintRules(
  sources: RuleSources,
  catalogue: FactCatalogue,
  { now, onlyErrors = false }: LintOptions,
): LintResult {
  const problems = new ProblemList();
  for (const file of sources.ignored) {
    problems.report('ignored_file', { file, line: 1, column: 1 }, 'this file is not read: name it .yaml');
  }
  const documents = readDocuments(sources.rules, problems);
  const take = (name: string): Located | undefined => {
    const document = documents.get(name);
    documents.delete(name);
    return document;
  };
  if (!documents.has('decision.yaml')) {
    const place = { file: join(sources.dir, 'decision.yaml'), line: 1, column: 1 };
    problems.report(
      'missing_file',
      place,
      'there is no decision.yaml: it holds levels, actions and forced actions; copy the one that Postern ships',
    );
  }
  const signals = readSignalsFile(take('signals.yaml'), catalogue.thresholds, problems);
  const lists = {
    allow: readList(take('allow.yaml'), problems),
    deny: readList(take('deny.yaml'), problems),
  };
  checkLists(lists.allow, lists.deny, now, problems);

  const files = [...documents].flatMap(([name, value]) =>
    value ? (openRuleFile(value, name === 'decision.yaml', problems) ?? []) : [],
  );
  const thresholds = readThresholds(files, problems);
  const isComplete = files.length === documents.size;
  const facts = new ReadableFacts(catalogue, thresholds, isComplete);
  const declared = new Declared(isComplete);
  const groups: RuleGroup[] = [];
  const rules: Rule[] = [];
  let levelsPlace: Place = { file: join(sources.dir, 'decision.yaml'), line: 1, column: 1 };
  for (const file of files) {
    if (file.isDecision) {
      levelsPlace = file.fields.placeOf('levels');
      rules.push(...readDecision(file, { facts, declared, problems }));
      continue;
    }
    const read = readGroup(file, { facts, declared, problems });
    if (read.group) groups.push(read.group);
    rules.push(...read.rules);
  }
  checkUnknown(rules, facts, problems);
  checkAbsorption(rules, declared, problems);
  checkScoreOrder(rules, thresholds, problems);
  const tests: RuleTest[] = [];
  for (const document of readDocuments(sources.tests, problems).values()) {
    if (document) tests.push(...readTestFile(document, { facts, declared, problems }));
  }
  if (!onlyErrors) warn({ rules, groups, facts, thresholds, tests, levelsPlace }, now, problems);
  const found = problems.sorted();
  const definitions = { groups, rules, thresholds: [...thresholds.values()], signals, lists, tests };
  return {
    problems: onlyErrors ? found.filter(({ severity }) => severity === 'error') : found,
    definitions: problems.hasErrors ? undefined : definitions,
  };
}

interface ReadRules {
  readonly rules: readonly Rule[];
  readonly groups: readonly RuleGroup[];
  readonly facts: ReadableFacts;
  readonly thresholds: ReturnType<typeof readThresholds>;
  readonly tests: readonly RuleTest[];
  readonly levelsPlace: Place;
}

/** Everything that warns, and never refuses. */
function warn(
  { rules, groups, facts, thresholds, tests, levelsPlace }: ReadRules,
  now: number,
  problems: ProblemList,
): void {
  const logic = new Logic(facts, thresholds);
  const inForce = rules.filter((rule) => rule.mode === 'live' && !isExpired(rule, now));
  checkWorlds(rules, logic, problems);
  checkOverlap(inForce, logic, problems);
  checkCare(rules, facts, now, problems);
  // What seems to be missing may stand in what could not be read.
  if (!problems.hasErrors) {
    checkTested(rules, tests, now, problems);
    checkThresholdsUsed(facts, problems);
    checkReach({ rules: inForce, groups, levelsPlace }, logic, problems);
  }
}

/** By name; undefined for a file that is no YAML, so that it is not reported as missing too. */
function readDocuments(
  sources: readonly RuleSource[],
  problems: ProblemList,
): Map<string, Located | undefined> {
  const sorted = sources.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(sorted.map((source) => [source.name, readYaml(source, problems)]));
}

function readList(document: Located | undefined, problems: ProblemList): readonly DatedListEntry[] {
  return document ? readListFile(document, problems) : [];
}

interface FixedRules {
  /** The texts with the fixes in them; all but the characters that a fix names stay as they are. */
  readonly sources: RuleSources;
  /** The problems that were mended, as they were found. */
  readonly fixed: readonly Problem[];
}

/** A round may bring to light what the mistakes of the one before had hidden; few directories hide more. */
const MOST_ROUNDS = 5;

/**
 * Applies every fix that is safe: one after which lint says nothing that it did not say before. What a guess would
 * break elsewhere (a name that something else has, a value that does not fit) is left to a person. Pure.
 */
export function applyFixes(
  sources: RuleSources,
  catalogue: FactCatalogue,
  options: { readonly now: number },
): FixedRules {
  let current = sources;
  const fixed: Problem[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = lintRules(current, catalogue, options).problems;
    let known = before;
    const touched = new Set<string>();
    // From the last to the first: a fix does not move what stands before it.
    for (const problem of before.filter(({ fix }) => fix).toReversed()) {
      const place = `${problem.file}:${problem.line}:${problem.column}`;
      if (touched.has(place)) continue;
      const next = replaceText(current, problem);
      const after = lintRules(next, catalogue, options).problems;
      if (!isBetter(known, after, problem)) continue;
      current = next;
      known = after;
      fixed.push(problem);
      touched.add(place);
    }
    if (touched.size === 0) break;
  }
  return { sources: current, fixed };
}

/**
 * The problem is gone and no error is new. A file or rule that can be read at last is judged further, so warnings, and
 * errors of a file that was no YAML, may come to light.
 */
function isBetter(before: readonly Problem[], after: readonly Problem[], fixed: Problem): boolean {
  const known = new Set(before.map(key));
  const stays = after.some((problem) => key(problem) === key(fixed) && problem.line === fixed.line);
  if (stays && count(after, fixed) >= count(before, fixed)) return false;
  const wasUnreadable = fixed.code === 'yaml_syntax';
  return !after.some((problem) => problem.severity === 'error' && !known.has(key(problem)) && !wasUnreadable);
}

function count(problems: readonly Problem[], like: Problem): number {
  return problems.filter((problem) => key(problem) === key(like)).length;
}

function key({ file, code, message }: Problem): string {
  return `${file} ${code} ${message}`;
}

function replaceText(sources: RuleSources, { file, fix }: Problem): RuleSources {
  const change = (source: RuleSource): RuleSource =>
    source.file === file && fix ? { ...source, text: replaceIn(source.text, fix) } : source;
  return { ...sources, rules: sources.rules.map(change), tests: sources.tests.map(change) };
}

function replaceIn(text: string, { line, column, endColumn, replacement }: Fix): string {
  const lines = text.split('\n');
  const before = lines[line - 1] ?? '';
  lines[line - 1] = before.slice(0, column - 1) + replacement + before.slice(endColumn - 1);
  return lines.join('\n');
}
