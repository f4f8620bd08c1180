import { Command, CommanderError } from 'commander';
import { AppError, ExplainedError, reasonOf, StartupError } from '../errors.ts';
import { readVersion } from '../lib/paths.ts';
import { codeOf, messageOf } from '../lib/thrown.ts';
import { addCheckCommand } from './check.ts';
import { addCommand, addGroup, notEmpty, numberFrom } from './options.ts';
import { NotThere, Shell, type Surroundings } from './shell.ts';

/** Runs one command line, without `node` and the script. Resolves with the exit code and never rejects. */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const shell = new Shell(surroundings);
  try {
    // `postern help rules lint`, as many programs have it.
    const [first, ...others] = argv;
    const words = first === 'help' ? [...others, '--help'] : argv;
    await createProgram(shell).parseAsync(words, { from: 'user' });
    return shell.exitCode;
  } catch (error) {
    return explain(error, shell);
  }
}

/** Says why the command ended early, and returns its exit code. */
function explain(error: unknown, shell: Shell): number {
  if (error instanceof CommanderError) {
    // commander has printed it; asking for help or the version is no mistake.
    return error.exitCode === 0 ? 0 : 2;
  }
  if (error instanceof NotThere) {
    shell.note(error.message);
    return 1;
  }
  if (error instanceof StartupError) {
    for (const fault of error.faults) shell.note(fault);
  } else if (error instanceof ExplainedError) {
    shell.note(`postern: ${error.message}`);
  } else if (error instanceof AppError && error.code !== 'unavailable') {
    shell.note(`postern: ${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`);
  } else if (shell.env.POSTERN_DEBUG === '1' && error instanceof Error) {
    shell.note(`postern: internal error: ${error.stack ?? error.message}`);
  } else if (error instanceof AppError || codeOf(error) === 'ERR_SQLITE_ERROR') {
    shell.note(
      `postern: what is stored cannot be used: ${reasonOf(error)}; "postern doctor" looks for the reason`,
    );
  } else {
    const message = messageOf(error);
    shell.note(`postern: internal error: ${message.split('\n', 1)[0]} (POSTERN_DEBUG=1 shows where)`);
  }
  return 2;
}

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
  storage: { description: 'the database', load: () => import('./storage.ts') },
  retention: { description: 'records past their days', load: () => import('./retention.ts') },
  providers: { description: 'where signals come from', load: () => import('./providers.ts') },
  secrets: { description: 'keys of this installation', load: () => import('./secrets.ts') },
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
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(text),
      getOutHasColors: () => shell.hasColours,
    })
    .configureHelp({ styleTitle: (title) => shell.paint('bold', title), showGlobalOptions: false })
    .showHelpAfterError('(--help shows how)')
    .hook('preSubcommand', (_program, command) => loadCommands(command, shell))
    .hook('preAction', (_program, command) => {
      shell.options = command.opts();
    });

  addCommand(program, 'serve', 'run the service')
    .option('--port <n>', 'HTTPS port; 0 takes free ports for both listeners', numberFrom(0, 65_535))
    .addHelpText(
      'after',
      '\nSIGTERM and SIGINT finish what is under way and end with 0; a second one ends at once with 1.\n' +
        'SIGHUP loads certificates, rules and lists again. Faults of configuration, rules or providers\n' +
        'are all listed and end with 78.',
    )
    .action(async ({ port }) => (await import('./serve.ts')).serve(shell, port));

  addCommand(program, 'migrate', "bring the database to this version's schema, as a start does").action(
    async () => (await import('./storage.ts')).migrate(shell),
  );

  addCommand(program, 'health', 'ask the running service whether it is ready')
    .option('--port <n>', 'its HTTPS port, where http.port does not tell', numberFrom(1, 65_535))
    .addHelpText('after', '\nEnds with 1 when it is not ready, or not there.')
    .action(async ({ port }) => (await import('./health.ts')).health(shell, port));

  addCommand(
    program,
    'doctor',
    'examine installation and machine, each finding with its remedy; changes nothing',
  )
    .addHelpText('after', '\nEnds with 1 when something is wrong.')
    .action(async () => (await import('./doctor.ts')).doctor(shell));

  addCheckCommand(program, shell);

  addCommand(program, 'backup', 'write the database into one file, beside a running service too')
    .argument('<file>', 'to be made', notEmpty)
    .option(
      '--with-secrets',
      'with the keys of this installation, without which no record can be found by its address',
    )
    .option('--overwrite', 'replace the file if it exists')
    .option(
      '--max-log <mb>',
      'give up where the write-ahead log, which cannot be emptied meanwhile, has more',
      numberFrom(1, 999_999),
      1_000,
    )
    .action(async (file: string, options) => (await import('./backup.ts')).backUp(shell, file, options));

  addCommand(program, 'restore', 'replace the database by a backup, and revoke again what was revoked since')
    .argument('<file>', 'that "postern backup" has made, or a database that was kept', notEmpty)
    .option('--yes', 'do not ask')
    .option('--overwrite', 'replace a database that exists; it is kept under another name')
    .option('--with-secrets', 'with the keys that the backup holds')
    .option('--without-key', 'although hmac.key is lost, without which no record can be found by its address')
    .action(async (file: string, options) => (await import('./backup.ts')).restore(shell, file, options));

  addCommand(program, 'verify', 'check whether all stored data is intact, beside a running service too')
    .addHelpText('after', '\nChanges nothing. Ends with 1 where there is a fault, and says what to do.')
    .action(async () => (await import('./verify.ts')).verify(shell));
  for (const [name, { description }] of Object.entries(GROUPS)) addGroup(program, name, description);
  return program;
}
