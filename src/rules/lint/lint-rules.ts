import { join } from 'node:path';
import { compareKeys } from '../../lib/text.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import { isExpired, type Rule, type RuleDefinitions, type RuleGroup } from '../definitions.ts';
import { checkLists, readListFile } from '../list-entries.ts';
import { type Place, type Problem, ProblemList } from '../problem.ts';
import type { RuleSources } from '../rule-files.ts';
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
import { Declared, type LintContext, readableFacts } from './context.ts';
import { openMap } from './fields.ts';
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
  /** The moment that expiries are judged at, in ms since the epoch. */
  readonly now: number;
  /** Where warnings are not read, which take most of the time: whether a rule can ever fire is one. */
  readonly onlyErrors?: boolean;
}

/** Reads and judges a rules directory: the one validator of start-up, reload and `rules lint`. */
export function lintRules(
  sources: RuleSources,
  catalogue: FactCatalogue,
  { now, onlyErrors = false }: LintOptions,
): LintResult {
  const problems = new ProblemList();
  for (const file of sources.ignored ?? []) {
    problems.report('ignored_file', { file, line: 1, column: 1 }, 'this file is not read: name it .yaml');
  }
  const documents = readDocuments(sources, isRuleFile, problems);
  const take = (name: string): Located | undefined => {
    const document = documents.get(name);
    documents.delete(name);
    return document;
  };
  let levelsPlace: Place = { file: join(sources.dir, DECISION), line: 1, column: 1 };
  if (!documents.has(DECISION)) {
    const message =
      'there is no decision.yaml: it holds levels, actions and forced actions; copy the one that Postern ships';
    problems.report('missing_file', levelsPlace, message);
  }
  const signals = readSignalsFile(take('signals.yaml'), catalogue.thresholds, problems);
  const lists = {
    allow: readListFile(take('allow.yaml'), problems),
    deny: readListFile(take('deny.yaml'), problems),
  };
  checkLists(lists.allow, lists.deny, now, problems);

  const files = [...documents].flatMap(([name, document]) => {
    const isDecision = name === DECISION;
    const fields = document && openMap(document, isDecision ? DECISION_FILE : GROUP_FILE, problems);
    return fields ? [{ isDecision, fields }] : [];
  });
  const thresholds = readThresholds(
    files.map(({ fields }) => fields),
    problems,
  );
  const context: LintContext = {
    catalogue,
    facts: readableFacts(catalogue, thresholds.values()),
    groups: new Declared('group'),
    rules: new Declared('rule'),
    thresholds,
    problems,
  };
  thresholds.isComplete = files.length === documents.size;
  context.rules.isComplete = thresholds.isComplete;
  const groups: RuleGroup[] = [];
  const rules: Rule[] = [];
  for (const { isDecision, fields } of files) {
    if (isDecision) levelsPlace = fields.placeOf('levels');
    const read = isDecision ? readDecision(fields, context) : readGroup(fields, context);
    groups.push(...read.groups);
    rules.push(...read.rules);
  }
  const logic = new Logic(context.facts, thresholds.values());
  checkUnknown(rules, context);
  checkAbsorption(rules, context);
  checkScoreOrder(rules, logic, problems);
  const documentsOfTests = [...readDocuments(sources, isTestFile, problems).values()];
  const tests = documentsOfTests.flatMap((document) => (document ? readTestFile(document, context) : []));
  if (!onlyErrors) {
    const inForce = rules.filter((rule) => rule.mode === 'live' && !isExpired(rule, now));
    checkWorlds(rules, logic, problems);
    checkOverlap(inForce, logic, problems);
    checkCare(rules, context, now);
    // What seems to be missing may stand in what could not be read.
    if (!problems.hasErrors) {
      checkTested(inForce, tests, problems);
      checkThresholdsUsed(rules, context);
      checkReach({ rules: inForce, groups, levelsPlace }, logic, problems);
    }
  }
  const found = problems.sorted();
  const definitions = { groups, rules, thresholds: thresholds.values(), signals, lists, tests };
  return {
    problems: onlyErrors ? found.filter(({ severity }) => severity === 'error') : found,
    definitions: problems.hasErrors ? undefined : definitions,
  };
}

const DECISION = 'decision.yaml';

const isTestFile = (path: string) => path.startsWith('tests/');
const isRuleFile = (path: string) => !isTestFile(path);

/** By path; undefined for a file that is no YAML, so that it is not reported as missing too. */
function readDocuments(
  { dir, files }: RuleSources,
  isWanted: (path: string) => boolean,
  problems: ProblemList,
): Map<string, Located | undefined> {
  const wanted = Object.entries(files).filter(([path]) => isWanted(path));
  return new Map(
    wanted
      .sort(compareKeys)
      .map(([path, text]) => [path, readYaml({ file: join(dir, path), text }, problems)]),
  );
}
