import { type Command, InvalidArgumentError, Option } from 'commander';
import { FORMATS } from '../lib/row-file.ts';
import { MEASURES } from '../rule-lab/backtest/fail-on.ts';
import { onStorage } from './open-session.ts';
import {
  addCommand,
  addInputOptions,
  addSelectionOptions,
  collect,
  listOf,
  notEmpty,
  numberFrom,
  parseCostRatio,
  refuseWithoutFile,
} from './options.ts';
import { addRuleVersionCommands } from './rule-versions.ts';
import { type BacktestOptions, backtest, type CaseOptions, type ReplayOptions } from './rules/backtest.ts';
import { diff } from './rules/diff.ts';
import { type ExplainOptions, explain } from './rules/explain.ts';
import { showFacts, writeSchema } from './rules/facts-and-schemas.ts';
import { type LintOptions, lint } from './rules/lint.ts';
import { exportRules, noteOffer, publishDirectory, upgrade } from './rules/publish.ts';
import { type ShadowOptions, shadow } from './rules/shadow.ts';
import { testRules } from './rules/test-rules.ts';
import type { Shell } from './shell.ts';

export function addCommands(rules: Command, shell: Shell): void {
  addCommand(rules, 'facts', 'list what rules may read: every fact, its type and its operators').action(() =>
    showFacts(shell),
  );

  addRulesCommand(rules, 'lint', 'list every mistake in the rules directory, with line and column')
    .addOption(
      new Option('--format <form>', 'text with the source under each message, json, or github: annotations')
        .choices(['text', 'json', 'github'])
        .conflicts('json'),
    )
    .option('--fix', 'first write what can be mended safely; comments stay')
    .addHelpText('after', '\nEnds with 1 when there is an error; warnings alone end with 0.')
    .action((options: LintOptions) => lint(shell, options));

  addRulesCommand(rules, 'schema', 'write the schemas by which editors complete and check rule files')
    .option('--check', 'write nothing, and say what is not up to date')
    .addHelpText('after', '\nEnds with 1 when --check finds a file that is not up to date.')
    .action((options) => writeSchema(shell, options));

  addRulesCommand(rules, 'test', 'run the tests of the rules directory')
    .option('--coverage', 'list what no test has seen true, or false')
    .addHelpText('after', '\nEnds with 1 when a test fails.')
    .action((options) => testRules(shell, options));

  addRulesCommand(rules, 'explain', 'explain a decision, and show which facts would have changed it')
    .argument('[what]', 'an address, or the id of a check: chk_…')
    .option('--facts <file>', 'facts to decide on, YAML or JSON; those left out are ordinary', notEmpty)
    .option('--offline', 'make no look-up; what one would tell is unknown')
    .action((what: string | undefined, options: ExplainOptions) => explain(shell, what, options));

  const ofBacktest = new Option(
    '--format <format>',
    'markdown: tables for a pull request; csv, jsonl: of the file, where its name does not tell',
  ).argParser(parseFormats);
  const backtesting = addRulesCommand(
    rules,
    'backtest',
    'show what a candidate would have done to recorded traffic, beside the rules in force',
  );
  withCaseOptions(backtesting.hook('preAction', splitFormats), 3, ofBacktest)
    .option(
      '--cost-ratio <n>',
      'so many bad signups let in cost as much as one good one turned away',
      parseCostRatio,
      1,
    )
    .option('--fail-on <condition>', 'end with 1 when it holds; may be repeated', collect)
    .addHelpText(
      'after',
      `\nConditions compare a measure of the candidate with a number: --fail-on 'false_positives > 0' --fail-on 'recall < 60%'.\nMeasures: ${MEASURES.join(', ')}.`,
    )
    .action((candidate: string, options: BacktestOptions) => backtest(shell, candidate, options));

  const diffing = addRulesCommand(
    rules,
    'diff',
    'show how the meaning of a candidate differs, then what that changes for recorded traffic',
  );
  withCaseOptions(diffing, 1)
    .addHelpText('after', '\nEnds with 1 when a decision can be another.')
    .action((candidate: string, options: ReplayOptions) => diff(shell, candidate, options));

  addRuleVersionCommands(rules, shell);

  addCommand(rules, 'export', 'write the rules that are published into a new directory')
    .argument('<directory>', 'a new one, or an empty one', notEmpty)
    .action(onStorage(shell, exportRules));

  addCommand(
    rules,
    'publish',
    'lint and test the rules of a directory, and publish them in place of the published ones',
  )
    .argument('<directory>', 'a rules directory', notEmpty)
    .option('--author <name>', 'who does it, for the history; the user of this shell unless given', notEmpty)
    .addHelpText(
      'after',
      '\nIts files take the place of all that are published. Of an exported directory it is not done where others were\n' +
        'published since. Ends with 1 when the service would refuse them; nothing is written then.',
    )
    .action(onStorage(shell, publishDirectory));

  addCommand(rules, 'upgrade', 'show what has changed in the shipped rules, merge it into yours, and publish')
    .option('--publish', 'write the merged rules; else they are only shown')
    .option('--own <file>', 'leave your text of this file as it is; may be repeated', collect)
    .option('--shipped <file>', 'take the shipped text of this file; may be repeated', collect)
    .option('--author <name>', 'who does it, for the history; the user of this shell unless given', notEmpty)
    .addHelpText(
      'after',
      '\nOf rules in the data directory, which the first start has filled. Ends with 1 when something is offered and not\n' +
        'published: for want of --publish, for a conflict, or because the service would refuse it.',
    )
    .action(onStorage(shell, upgrade));
  rules.hook('postAction', (_rules, command) =>
    command.name() === 'upgrade' ? undefined : noteOffer(shell),
  );

  const shadowing = addRulesCommand(
    rules,
    'shadow',
    'report how shadow rules and the challenger did on live traffic, and whether they may be promoted',
  );
  addSelectionOptions(shadowing)
    .argument('[what]', 'a shadow rule, challenger, or the hash of one; all of them unless given')
    .addOption(
      new Option('--days <n>', 'only checks of the last n days, in place of --since')
        .argParser(numberFrom(1, 99_999, 'a number of days'))
        .conflicts('since'),
    )
    .option('--examples <n>', 'flips shown of each kind', numberFrom(1, 999), 3)
    .option('--check', 'end with 1 when a criterion does not hold')
    .addHelpText(
      'after',
      '\nThe criteria are rules.promotion.* of the configuration. With --check it ends with 2 when it cannot be told whether they hold.',
    )
    .action((what: string | undefined, options: ShadowOptions) => shadow(shell, what, options));
}

/** Options that have a meaning only with `--file`. */
const OF_FILES: readonly (keyof CaseOptions)[] = ['format', 'delimiter', 'columns', 'good', 'bad', 'live'];

const MARKDOWN = 'markdown';

/** `--format` names the format of the file, that of the report, or both: their words differ. */
function parseFormats(word: string, before: readonly string[] = []): readonly string[] {
  const known = [...FORMATS, MARKDOWN];
  if (!known.includes(word)) throw new InvalidArgumentError(`Allowed choices are ${known.join(', ')}.`);
  return [...before, word];
}

function splitFormats(command: Command): void {
  const words: readonly string[] = command.getOptionValue('format') ?? [];
  const isMarkdown = words.includes(MARKDOWN);
  if (isMarkdown && command.getOptionValue('json')) {
    command.error("error: option '--format markdown' cannot be used with option '--json'");
  }
  command.setOptionValue('markdown', isMarkdown);
  command.setOptionValue(
    'format',
    words.findLast((word) => word !== MARKDOWN),
  );
}

/** A candidate, and the cases by which it is compared. */
function withCaseOptions(command: Command, examples: number, format?: Option): Command {
  const withFile = addSelectionOptions(command)
    .argument('<candidate>', 'a rules directory', notEmpty)
    .option(
      '--file <file>',
      'the signups of a file in place of recorded checks; - is standard input',
      notEmpty,
    );
  const columns = "of the file: the address's and the label's, where names do not tell";
  const shown = 'cases shown with their ledgers for each reason of a flip';
  return addInputOptions(withFile, columns, format)
    .option('--examples <n>', shown, numberFrom(1, 999), examples)
    .option('--good <words>', 'words of the file that mean good, besides good', listOf)
    .option('--bad <words>', 'words of the file that mean bad, besides bad', listOf)
    .option('--live', "make the look-ups that a file's addresses need; without it these facts are unknown")
    .hook('preAction', (given) => refuseWithoutFile(given, OF_FILES));
}

/** A command on the rules of a directory. */
function addRulesCommand(rules: Command, name: string, description: string): Command {
  return addCommand(rules, name, description).option(
    '--dir <dir>',
    'this rules directory instead of rules.dir',
    notEmpty,
  );
}
