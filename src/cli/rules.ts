import { type Command, Option } from 'commander';
import { addGroup, type CommonOptions, withCommonOptions } from './options.ts';
import type { ExplainOptions } from './rules/explain.ts';
import type { LintOptions } from './rules/lint.ts';
import type { TestOptions } from './rules/test-rules.ts';
import type { SchemaOptions } from './rules/write-schema.ts';
import type { Shell } from './shell.ts';

export function addRuleCommands(program: Command, shell: Shell): void {
  const rules = addGroup(program, 'rules', "the analyst's tools");

  withCommonOptions(rules.command('facts'))
    .description('list what rules may read: every fact, its type and its operators')
    .action(async (options: CommonOptions) => {
      const { showFacts } = await import('./rules/show-facts.ts');
      await showFacts(shell, options);
    });

  withDir(rules.command('lint'))
    .description('list every mistake in the rules directory, with line and column')
    .addOption(
      new Option('--format <form>', 'text with the source under each message, json, or github: annotations')
        .choices(['text', 'json', 'github'])
        .conflicts('json'),
    )
    .option('--fix', 'first write what can be mended safely; comments stay')
    .addHelpText('after', '\nEnds with 1 when there is an error; warnings alone end with 0.')
    .action(async (options: LintOptions) => {
      const { lint } = await import('./rules/lint.ts');
      await lint(shell, options);
    });

  withDir(rules.command('schema'))
    .description('write the schemas by which editors complete and check rule files')
    .option('--check', 'write nothing, and say what is not up to date')
    .addHelpText('after', '\nEnds with 1 when --check finds a file that is not up to date.')
    .action(async (options: SchemaOptions) => {
      const { writeSchema } = await import('./rules/write-schema.ts');
      await writeSchema(shell, options);
    });

  withDir(rules.command('test'))
    .description('run the tests of the rules directory')
    .option('--coverage', 'list what no test has seen true, or false')
    .addHelpText('after', '\nEnds with 1 when a test fails.')
    .action(async (options: TestOptions) => {
      const { testRules } = await import('./rules/test-rules.ts');
      await testRules(shell, options);
    });

  withDir(rules.command('explain'))
    .description('say why a decision fell, and which facts would have turned it')
    .argument('[what]', 'an address, or the id of a check: chk_…')
    .option('--facts <file>', 'facts to decide on, YAML or JSON; those left out are ordinary')
    .option('--offline', 'ask nobody; what a look-up would tell is unknown')
    .action(async (what: string | undefined, options: ExplainOptions) => {
      const { explain } = await import('./rules/explain.ts');
      await explain(shell, what, options);
    });
}

function withDir(command: Command): Command {
  return withCommonOptions(command).option('--dir <dir>', 'this rules directory instead of rules.dir');
}
