import { join } from 'node:path';
import { compareKeys } from '../../lib/text.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import { isExpired, type RuleDefinitions } from '../definitions.ts';
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
  const documents = readDocuments(sources, problems);
  const take = (name: string): Located | undefined => {
    const document = documents.get(name);
    documents.delete(name);
    return document;
  };
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
  const thresholds = readThresholds([...groupFiles, ...(decision ? [decision] : [])], problems);
  const context: LintContext = {
    catalogue,
    facts: readableFacts(catalogue, thresholds.values()),
    groups: new Declared('group'),
    rules: new Declared('rule'),
    thresholds,
    problems,
  };
  thresholds.isComplete = groupFiles.length + (decision ? 1 : 0) === all.length;
  context.rules.isComplete = thresholds.isComplete;
  const read = groupFiles.map((fields) => readGroup(fields, context));
  const groups = read.flatMap(({ group }) => group ?? []);
  const rules = [...read.flatMap((file) => file.rules), ...(decision ? readDecision(decision, context) : [])];
  const logic = new Logic(context.facts, thresholds.values());
  checkUnknown(rules, context);
  checkAbsorption(rules, context);
  checkScoreOrder(rules, logic, problems);
  const tests = testDocuments.flatMap((document) => (document ? readTestFile(document, context) : []));
  if (!onlyErrors) {
    const inForce = rules.filter((rule) => rule.mode === 'live' && !isExpired(rule, now));
    checkWorlds(rules, logic, problems);
    checkOverlap(inForce, logic, problems);
    checkCare(rules, context, now);
    // What seems to be missing may stand in what could not be read.
    if (!problems.hasErrors) {
      checkTested(inForce, tests, problems);
      checkThresholdsUsed(rules, context);
      checkReach(
        { rules: inForce, groups, levelsPlace: decision?.placeOf('levels') ?? start },
        logic,
        problems,
      );
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

/** By path; undefined for a file that is no YAML, so that it is not reported as missing too. */
function readDocuments({ dir, files }: RuleSources, problems: ProblemList): Map<string, Located | undefined> {
  const sorted = Object.entries(files).sort(compareKeys);
  return new Map(sorted.map(([path, text]) => [path, readYaml({ file: join(dir, path), text }, problems)]));
}
