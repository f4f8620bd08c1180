import { Command } from 'commander';
import { readVersion } from '../lib/paths.ts';
import { addCheckCommand } from './check.ts';
import { addCommand, addGroup, type CommonOptions, numberFrom } from './options.ts';
import type { Shell } from './shell.ts';

type LoadGroup = () => Promise<{ readonly addCommands: (group: Command, shell: Shell) => void }>;

/** Groups of commands, each loaded when it is named: `--help` and `--version` load the parser alone. */
const GROUPS: Readonly<Record<string, { readonly description: string; readonly load: LoadGroup }>> = {
  checks: { description: 'what the service has recorded', load: () => import('./checks.ts') },
  accounts: { description: 'who holds keys', load: () => import('./accounts.ts') },
  keys: { description: 'API keys', load: () => import('./keys.ts') },
  people: { description: 'who may sign in to the dashboard', load: () => import('./people.ts') },
  rules: { description: "the analyst's tools", load: () => import('./rules.ts') },
  labels: { description: 'what became of signups: good or bad', load: () => import('./labels.ts') },
  lists: { description: "domain lists, the operator's own among them", load: () => import('./lists.ts') },
  providers: { description: 'where signals come from', load: () => import('./providers.ts') },
  config: { description: 'the effective configuration', load: () => import('./config.ts') },
};

/** Adds the commands of a group; nothing for a command that is no group. */
export async function loadCommands(group: Command, shell: Shell): Promise<void> {
  const module = await GROUPS[group.name()]?.load();
  module?.addCommands(group, shell);
}

/** Every command; those of a group are added when one of them is parsed. */
export function createProgram(shell: Shell): Command {
  // Settings come first: a subcommand copies them when it is made.
  const program = new Command('postern')
    .description('Self-hosted signup risk scoring for email addresses.')
    .version(readVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.writeRaw('stdout', text),
      writeErr: (text) => shell.writeRaw('stderr', text),
      getOutHasColors: () => shell.hasColours,
    })
    .configureHelp({ styleTitle: (title) => shell.paint('bold', title), showGlobalOptions: false })
    .showHelpAfterError('(--help shows how)')
    .hook('preSubcommand', (_program, command) => loadCommands(command, shell));

  addCommand(program, 'serve', 'run the service')
    .option('--port <n>', 'HTTPS port; 0 takes free ports for both listeners', numberFrom(0, 65_535))
    .addHelpText(
      'after',
      '\nSIGTERM and SIGINT finish what is under way and end with 0; a second one ends at once with 1.\n' +
        'SIGHUP loads certificates, rules and lists again. Faults of configuration, rules or providers\n' +
        'are all listed and end with 78.',
    )
    .action(async (options: CommonOptions & { readonly port?: number }) => {
      const { serve } = await import('./serve.ts');
      await serve(shell, options);
    });

  addCheckCommand(program, shell);
  for (const [name, { description }] of Object.entries(GROUPS)) addGroup(program, name, description);
  return program;
}
