import { join } from 'node:path';
import { compareKeys } from '../../lib/text.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import { compileLists } from '../compile.ts';
import { factsIn } from '../conditions.ts';
import {
  isExpired,
  isInTime,
  LIST_PREFIX,
  type Rule,
  type RuleDefinitions,
  THRESHOLD_PREFIX,
} from '../definitions.ts';
import { checkLists, readListFile } from '../list-entries.ts';
import { describePlace, type Place, type Problem, ProblemList } from '../problem.ts';
import { isRolledOut, listsOfInside, whereItCounts } from '../rollout.ts';
import type { RuleSources } from '../rule-files.ts';
import { type Located, readYaml } from '../yaml-document.ts';
import { checkOverlap, checkWorlds } from './check-conditions.ts';
import { checkListEntries } from './check-list-entries.ts';
import { checkReach } from './check-reach.ts';
import {
  checkAbsorption,
  checkCare,
  checkConstantsUsed,
  checkScoreOrder,
  checkTested,
  checkUnknown,
} from './check-rules.ts';
import { Declared, type LintContext, readableFacts } from './context.ts';
import { openMap } from './fields.ts';
import { checkConditionsUsed, checkCopies, NamedConditions } from './read-named-conditions.ts';
import { isNamedListFile, readNamedLists } from './read-named-lists.ts';
import { DECISION_FILE, GROUP_FILE, readDecision, readGroup, readThresholds } from './read-rule-files.ts';
import { readSignalsFile } from './read-signals-file.ts';
import { readTestFile } from './read-test-file.ts';
import { Logic } from './worlds.ts';

export interface LintResult {
  /** By place; the same files give the same list. */
  readonly problems: readonly Problem[];
  /** Present when there is no error; warnings do not keep rules from being used. */
  readonly definitions: RuleDefinitions | undefined;
}

export interface LintOptions {
  /** The moment at which dates are judged, in ms since the epoch. */
  readonly now: number;
  /** Leaves out warnings, which take most of the time: whether a rule can ever fire is one. */
  readonly onlyErrors?: boolean;
  /** The most problems of a named list that are reported one by one; the rest are counted. */
  readonly mostOfList?: number;
}

const READ_INSTEAD =
  'rules are *.yaml in the directory itself, their tests tests/*.yaml, lists lists/*.txt or lists/*.yaml';

/** Reads and judges a rules directory: the one validator of start-up, reload and `rules lint`. */
export function lintRules(
  sources: RuleSources,
  catalogue: FactCatalogue,
  { now, onlyErrors = false, mostOfList }: LintOptions,
): LintResult {
  const problems = new ProblemList();
  for (const file of sources.ignored ?? []) {
    const message = `this file is not read: ${READ_INSTEAD}`;
    problems.report('ignored_file', { file, line: 1, column: 1 }, message);
  }
  const documents = readDocuments(sources, problems);
  const take = (name: string): Located | undefined => {
    const document = documents.get(name);
    documents.delete(name);
    return document;
  };
  const namedLists = readNamedLists(sources, now, problems, mostOfList);
  const testDocuments = [...documents.keys()].filter((path) => path.startsWith('tests/')).map(take);
  const start: Place = { file: join(sources.dir, DECISION), line: 1, column: 1 };
  if (!documents.has(DECISION)) {
    const message =
      'there is no decision.yaml: it holds levels, actions and forced actions; copy the one that Postern ships';
    problems.report('missing_file', start, message);
  }
  const signals = readSignalsFile(take('signals.yaml'), catalogue.thresholds, problems);
  const lists = {
    allow: readListFile(take('allow.yaml'), problems),
    deny: readListFile(take('deny.yaml'), problems),
  };
  checkLists(lists.allow, lists.deny, now, problems);

  const all = [...documents.values()];
  const whole = take(DECISION);
  const decision = whole && openMap(whole, DECISION_FILE, problems);
  const groupFiles = [...documents.values()].flatMap(
    (document) => (document && openMap(document, GROUP_FILE, problems)) ?? [],
  );
  const ruleFiles = [...groupFiles, ...(decision ? [decision] : [])];
  const isComplete = decision !== undefined && ruleFiles.length === all.length;
  const thresholds = readThresholds(ruleFiles, problems);
  const sections = ruleFiles.map(({ values }) => values.conditions);
  const named = new NamedConditions(sections, isComplete, problems);
  const context: LintContext = {
    catalogue,
    facts: readableFacts(catalogue, thresholds.values()),
    groups: new Declared('group', problems),
    rules: new Declared('rule', problems),
    thresholds,
    conditions: named,
    lists: namedLists,
    problems,
  };
  if (!isComplete) thresholds.isComplete = false;
  context.rules.isComplete = isComplete;
  const conditions = named.readAll(context);
  const read = groupFiles.map((fields) => readGroup(fields, context));
  const groups = read.flatMap(({ group }) => group ?? []);
  const rules = [...read.flatMap((file) => file.rules), ...(decision ? readDecision(decision, context) : [])];
  const inside = onlyErrors ? {} : listsOfInside(rules.filter(isRolledOut));
  const compiledLists = onlyErrors ? {} : compileLists(namedLists.values(), now);
  const logic = new Logic(
    context.facts,
    thresholds.values(),
    { ...compiledLists, ...inside },
    [...rules.map(whereItCounts), ...conditions],
    (catalogue.never ?? []).map((together) => ({ all: together })),
  );
  checkUnknown(rules, context);
  checkAbsorption(rules, context);
  const broken = thresholds.values().filter(({ isBroken }) => isBroken);
  const brokenIds = new Set(broken.map(({ name }) => `${THRESHOLD_PREFIX}${name}`));
  const isSound = ({ condition }: Pick<Rule, 'condition'>) =>
    !factsIn(condition).some((id) => brokenIds.has(id));
  checkScoreOrder(rules.filter(isSound), logic, problems);
  const tests = testDocuments.flatMap((document) => (document ? readTestFile(document, context) : []));
  if (!onlyErrors) {
    const live = rules.filter(({ mode }) => mode === 'live');
    const inForce = live.filter((rule) => isInTime(rule, now));
    // Where a list could not be read, its entries are not known: leave out the rules that read lists.
    const isTold = ({ condition }: Pick<Rule, 'condition'>) =>
      isSound({ condition }) &&
      (namedLists.isComplete || !factsIn(condition).some((id) => id.startsWith(LIST_PREFIX)));
    checkWorlds(rules.filter(isTold), conditions.filter(isTold), logic, problems);
    checkCopies(conditions, problems);
    checkOverlap(inForce.filter(isTold).map(whereItCounts), logic, problems);
    checkCare(rules, context, now);
    checkListEntries(rules, context, now);
    // Only without errors: a test or use that seems missing may stand in a part that could not be read.
    if (!problems.hasErrors) {
      // A rule that has not started yet needs tests too.
      checkTested(
        live.filter((rule) => !isExpired(rule, now)),
        tests,
        problems,
      );
      checkConstantsUsed([...rules, ...conditions], context);
      checkConditionsUsed(conditions, rules, problems);
      checkReach(
        {
          rules: inForce.map(whereItCounts),
          groups,
          placeOf: (section) => decision?.placeOf(section) ?? start,
        },
        logic,
        problems,
      );
    }
  }
  const found = problems.sorted();
  const definitions = {
    groups,
    rules,
    thresholds: thresholds.values(),
    conditions,
    signals,
    lists,
    namedLists: namedLists.values(),
    tests,
  };
  return {
    problems: onlyErrors ? found.filter(({ severity }) => severity === 'error') : found,
    definitions: problems.hasErrors ? undefined : definitions,
  };
}

const DECISION = 'decision.yaml';

/** Documents by path, without named lists. A file that is no YAML is kept as undefined, so that it is not reported as missing too. */
function readDocuments({ dir, files }: RuleSources, problems: ProblemList): Map<string, Located | undefined> {
  const sorted = Object.entries(files)
    .filter(([path]) => !isNamedListFile(path))
    .sort(compareKeys);
  return new Map(sorted.map(([path, text]) => [path, readYaml({ file: join(dir, path), text }, problems)]));
}

/**
 * Applies every safe fix: one that removes its problem and adds no error (see `isBetter`). A fix that would break something else (a name
 * that is taken, a value that does not fit) is left to a person. Only the characters that a fix names change. `fixed`: the mended
 * problems, as they were found. Pure.
 */
export function applyFixes(
  sources: RuleSources,
  catalogue: FactCatalogue,
  { now }: { readonly now: number },
) {
  const lint = (files: RuleSources) => lintRules(files, catalogue, { now, mostOfList: Infinity }).problems;
  const fixed: Problem[] = [];
  const tried = new Set<string>();
  let problems = lint(sources);
  /** All at once where that is safe, since a list may have a thousand and lint takes its time; else in halves, down to single fixes. */
  const attempt = (some: readonly Problem[]): void => {
    const mended = replaceTexts(sources, some);
    const after = lint(mended);
    if (isBetter(problems, after, some)) {
      sources = mended;
      problems = after;
      fixed.push(...some);
    } else if (some.length > 1) {
      const middle = Math.ceil(some.length / 2);
      attempt(some.slice(0, middle));
      attempt(some.slice(middle));
    }
  };
  for (;;) {
    const untried = problems.filter(
      (found) => found.replacement !== undefined && !tried.has(placedKey(found)),
    );
    // One at each place, from the last to the first: a fix does not move what stands before it.
    const byPlace = new Map(untried.map((found) => [describePlace(found), found]));
    const unreadable = untried.find(({ code }) => code === 'yaml_syntax');
    const some = unreadable ? [unreadable] : [...byPlace.values()].reverse();
    if (some.length === 0) return { sources, fixed };
    for (const problem of some) tried.add(placedKey(problem));
    attempt(some);
  }
}

/**
 * Whether these problems are gone and no error is new. New warnings are allowed, and after a YAML fix new errors too: a file or rule that
 * can now be read is judged further.
 */
function isBetter(before: readonly Problem[], after: readonly Problem[], fixed: readonly Problem[]): boolean {
  const had = Map.groupBy(before, lineKey);
  const has = Map.groupBy(after, lineKey);
  const countIn = (problems: typeof had, key: string) => problems.get(key)?.length ?? 0;
  for (const [key, { length }] of Map.groupBy(fixed, lineKey)) {
    if (countIn(has, key) > countIn(had, key) - length) return false;
  }
  if (fixed.some(({ code }) => code === 'yaml_syntax')) return true;
  return after.every((problem) => problem.severity === 'warning' || had.has(lineKey(problem)));
}

/** A fix stays within its line, so lines are comparable before and after it. */
function lineKey({ file, line, code, message }: Problem): string {
  return `${file}:${line} ${code} ${message}`;
}

function placedKey(problem: Problem): string {
  return `${lineKey(problem)} ${problem.column}`;
}

/** Those of one line must come from the last to the first. */
function replaceTexts(sources: RuleSources, problems: readonly Problem[]): RuleSources {
  const byFile = Map.groupBy(problems, ({ file }) => file);
  const files = Object.entries(sources.files).map(([path, text]) => {
    const lines = text.split('\n');
    for (const problem of byFile.get(join(sources.dir, path)) ?? []) {
      const { line, column, endColumn = column, replacement = '' } = problem;
      const before = lines[line - 1] ?? '';
      lines[line - 1] = before.slice(0, column - 1) + replacement + before.slice(endColumn - 1);
    }
    return [path, lines.join('\n')];
  });
  return { ...sources, files: Object.fromEntries(files) };
}
