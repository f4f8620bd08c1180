import type { Command } from 'commander';
import { isoTime, systemClock } from '../lib/time.ts';
import {
  describeReason,
  type OpenedVersion,
  openVersion,
  prepareRestoring,
  presentVersion,
  publishRules,
  versionsMeant,
} from '../rule-lab/versions/rule-versions.ts';
import { changesBetween, describeChanges, unifiedDiff } from '../rules/compare-files.ts';
import { digestOf } from '../rules/rule-files.ts';
import type { RuleVersion } from '../storage/rule-ports.ts';
import { onStorage, type StorageSession } from './open-session.ts';
import { addCommand, loginName, notEmpty, numberFrom } from './options.ts';
import { type Cell, printTable } from './render/table.ts';
import { judgeAsService, ownRulesOf } from './rules/open-rules.ts';
import { CannotRun, NotThere, printable, type Shell, type Style } from './shell.ts';

const WHICH = 'its number, or its hash (Postern-Ruleset) or the beginning of it: the last version with it';

export function addRuleVersionCommands(rules: Command, shell: Shell): void {
  addCommand(
    rules,
    'status',
    'say what is in force, since when and by whom, and what lies in the rules directory',
  )
    .addHelpText('after', '\nEnds with 1 when what lies there would be refused, or was.')
    .action(onStorage(shell, showStatus));

  addCommand(
    rules,
    'history',
    'list the rule sets that were in force, the newest first, and what each changed',
  )
    .option('--limit <n>', 'so many at most', numberFrom(1, 9_999_999), 20)
    .action(onStorage(shell, showHistory));

  addCommand(rules, 'show', 'show one version: its files, and what it changed')
    .argument('<version>', WHICH)
    .option('--file <file>', 'print this file as it was: domain.yaml, tests/domain.yaml')
    .option('--diff', 'print what it changed, as a patch')
    .addHelpText('after', '\nEnds with 1 when there is no such version, or no such file in it.')
    .action(onStorage(shell, showVersion));

  addCommand(rules, 'rollback', 'write the files of an earlier version back into the rules directory')
    .argument('<version>', WHICH)
    .option('--author <name>', 'who does it, for the history; the user of this shell unless given', notEmpty)
    .option('--keep-lists', 'leave allow.yaml and deny.yaml as they are')
    .addHelpText(
      'after',
      '\nWhat lies there and was never in force is kept as a draft. Ends with 1 when there is no such version, or the\n' +
        'service would refuse it now; nothing is written then.',
    )
    .action(onStorage(shell, rollBack));
}

async function showStatus(session: StorageSession): Promise<void> {
  const { shell } = session;
  const status = await readStatus(session);
  if (status.onDisk.faults.length > 0 || status.complaint) shell.exitCode = 1;
  shell.answer(presentStatus(status), () => printStatus(shell, status));
}

/** Compares the directory, or what is published, with the rules in force. `onDisk.faults` says why the service would refuse it. */
async function readStatus(session: StorageSession) {
  const { shell, loaded } = session;
  const { dir } = loaded.config.rules;
  const { source, versions, shown } = ownRulesOf(session);
  const inForce = await versions.last();
  // The service's last complaint, as long as it holds.
  const complaint = await versions.complaint();
  const status = { inForce, dir, isInDatabase: source.isTransactional, shown, complaint };
  const disk = await source.read();
  if (!disk.files) {
    const { faults } = disk;
    return { ...status, onDisk: { state: 'unreadable' as const, changes: [], faults, dates: [] } };
  }
  const before = inForce && (await versions.filesOf(inForce.version));
  const assess = await judgeAsService(shell, loaded);
  const { faults, dates } = await assess(disk.files);
  const state = disk.digest === inForce?.digest ? ('same' as const) : ('differs' as const);
  const changes = changesBetween(before ?? {}, disk.files);
  return { ...status, onDisk: { state, changes, faults, dates } };
}

type Status = Awaited<ReturnType<typeof readStatus>>;

function presentStatus({ inForce, dir, isInDatabase, onDisk, complaint }: Status) {
  const { version, hash: ruleset, at: since, author, reason, restores } = inForce ?? {};
  return {
    in_force: inForce ? { version, ruleset, since, author, reason, restores } : null,
    on_disk: {
      dir: isInDatabase ? null : dir,
      ...onDisk,
      dates: onDisk.dates.map(({ at, ...date }) => ({ ...date, at: isoTime(at) })),
    },
    complaint: complaint ? { kind: complaint.kind, at: complaint.at, faults: complaint.faults } : null,
  };
}

function printStatus(shell: Shell, { inForce, dir, shown, onDisk, complaint }: Status): void {
  shell.print(`in force: ${inForce ? printable(describeInForce(inForce)) : NOTHING_IN_FORCE}`);
  const colour = onDisk.faults.length > 0 ? 'red' : onDisk.state === 'same' ? 'green' : 'yellow';
  shell.print(`${shown}: ${shell.paint(colour, describeDisk(onDisk))}`);
  const printFault = (fault: string) => shell.print(printable(`  ${fault.replaceAll(dir, shown)}`));
  onDisk.faults.forEach(printFault);
  for (const { id, change, at } of onDisk.dates) {
    shell.print(`  ${id} ${change === 'starts' ? 'starts' : 'ends'} at ${isoTime(at)}`);
  }
  if (!complaint) return;
  const what =
    complaint.kind === 'refused'
      ? `refused by the service at ${complaint.at}; it goes on with what is in force`
      : `in force, though its tests failed at ${complaint.at}`;
  shell.print(shell.paint('red', what));
  // Those that are printed above are not repeated.
  complaint.faults.filter((fault) => !onDisk.faults.includes(fault)).forEach(printFault);
}

const NOTHING_IN_FORCE = 'nothing yet; the first start puts the rules directory in force';

function describeInForce(version: RuleVersion): string {
  const author = version.author === null ? '' : `, by ${version.author}`;
  return `${version.hash}, version ${version.version} since ${version.at} (${describeReason(version)})${author}`;
}

function describeDisk({ state, changes, faults }: Status['onDisk']): string {
  if (state === 'unreadable') return 'cannot be read';
  const what = state === 'same' ? 'the same' : describeChanges(changes) || 'the same files';
  const verdict = faults.length > 0 ? 'would be refused' : state === 'same' ? '' : 'would be taken';
  return [what, verdict].filter(Boolean).join('; ');
}

async function rollBack(
  session: StorageSession,
  word: string,
  options: { readonly author?: string; readonly keepLists?: boolean },
): Promise<void> {
  const { shell, loaded } = session;
  const { author = userOf(shell), keepLists = false } = options;
  const { dir } = loaded.config.rules;
  const { source, versions, shown, taken } = ownRulesOf(session);
  const found = chooseVersion(await versions.list(), word);
  const assess = await judgeAsService(shell, loaded);
  const now = () => isoTime(systemClock.now());
  const restored = await prepareRestoring(found, keepLists, { source, versions, assess, now });
  if (restored.is === 'unreadable') {
    throw new CannotRun(
      [`${shown} cannot be read, so what lies there cannot be kept:`, ...restored.faults].join('\n'),
    );
  }
  if (restored.is === 'refused') {
    const { faults } = restored;
    shell.exitCode = 1;
    shell.answer({ restored: null, ruleset: null, changes: [], draft: null, faults }, () => {
      shell.note(`version ${found.version} would be refused now; nothing is written:`);
      for (const fault of faults) shell.note(`  ${fault.replaceAll(dir, shown)}`);
    });
    return;
  }
  const { before, after, hash, changes, draft } = restored;
  const isLast = (await versions.last())?.digest === digestOf(after);
  if (changes.length > 0) {
    const publication = { before, after, hash, author, restores: found.version };
    await publishRules(source, versions, publication);
  }
  shell.answer({ restored: found.version, ruleset: found.hash, changes, draft, faults: [] }, () => {
    if (changes.length === 0) {
      shell.print(`${shown} holds version ${found.version} already.`);
      return;
    }
    if (draft !== null) {
      shell.print(`What lay in ${shown} was never in force: it is kept as version ${draft}.`);
    }
    const what = `${shown} is what it was in version ${found.version}: ${describeChanges(changes)}.`;
    shell.print(printable(what));
    shell.print(isLast ? 'That is what was put in force last.' : taken);
  });
}

/** For the history, unless an option names another. */
export function userOf(shell: Shell): string {
  return loginName() ?? shell.env.USER ?? 'unknown';
}

/** Throws NotThere, or CannotRun where the word is the beginning of several hashes. */
function chooseVersion(list: readonly RuleVersion[], word: string): RuleVersion {
  const [found, ...others] = versionsMeant(list, word);
  if (found && others.length > 0) {
    const hashes = [found, ...others].map(({ hash }) => hash).join(', ');
    throw new CannotRun(`"${word.toLowerCase()}" is the beginning of several: ${hashes}`);
  }
  if (!found) throw new NotThere(`there is no version "${word}"`);
  return found;
}

async function showHistory(session: StorageSession, { limit }: { readonly limit: number }): Promise<void> {
  const { shell } = session;
  const { versions: ruleVersions } = ownRulesOf(session);
  const list = await ruleVersions.list();
  const shown: OpenedVersion[] = [];
  for (const version of list.slice(0, limit)) {
    shown.push(await openVersion(ruleVersions, list, version));
  }
  shell.answer({ versions: shown.map(presentVersion) }, () => {
    const rows = shown.map((version): Cell[] => [
      { text: String(version.version), style: version.isInForce ? 'bold' : undefined },
      version.hash ?? 'not compiled',
      version.reason === 'draft' ? `saved ${version.at}` : version.at,
      version.author,
      describeReason(version),
      describe(version),
    ]);
    printTable(shell, ['>version', 'ruleset', 'since', 'author', 'by', 'changed'], rows);
    const older = list.length - shown.length;
    if (older > 0) shell.note(`${older} older ones: --limit shows more`);
  });
}

function describe({ version, changes, filesBefore }: OpenedVersion): string {
  if (version === 1 || Object.keys(filesBefore).length === 0) return `${changes.length} files`;
  return describeChanges(changes) || 'no file';
}

const STYLES: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '@': 'cyan' };

async function showVersion(
  session: StorageSession,
  word: string,
  { file, diff: isDiff }: { readonly file?: string; readonly diff?: boolean },
): Promise<void> {
  const { shell } = session;
  if (file !== undefined && isDiff) throw new CannotRun('--file and --diff are two questions');
  const { versions: ruleVersions } = ownRulesOf(session);
  const list = await ruleVersions.list();
  const opened = await openVersion(ruleVersions, list, chooseVersion(list, word));
  const { version, files, filesBefore } = opened;
  if (file !== undefined && !Object.hasOwn(files, file)) {
    throw new NotThere(`version ${version} has no file "${file}": ${Object.keys(files).join(', ')}`);
  }
  const shown = file === undefined ? files : { [file]: files[file] };
  const diff = isDiff ? unifiedDiff(filesBefore, files) : undefined;
  shell.answer({ ...presentVersion(opened), files: shown, diff }, () => {
    if (file !== undefined) shell.stdout.write(files[file] ?? '');
    else if (diff !== undefined) printDiff(shell, diff);
    else printVersion(shell, opened);
  });
}

function printVersion(shell: Shell, version: OpenedVersion): void {
  const state = version.isInForce ? ', the last in force' : '';
  printTable(
    shell,
    ['version', `${version.version}${state}`],
    [
      ['ruleset', version.hash ?? 'not compiled'],
      [version.reason === 'draft' ? 'saved' : 'since', version.at],
      ['author', version.author ?? 'unknown'],
      ['by', describeReason(version)],
      ['changed', describeChanges(version.changes) || 'no file'],
    ],
  );
  shell.print();
  const lines = (text: string) => text.split('\n').length - Number(text.endsWith('\n') || text === '');
  const files = Object.entries(version.files).map(([path, text]) => [path, lines(text)]);
  printTable(shell, ['file', '>lines'], files);
}

export function printDiff(shell: Shell, diff: string): void {
  if (!shell.hasColours) {
    // Unchanged, so that `patch` takes it.
    shell.stdout.write(diff);
    return;
  }
  for (const line of diff.split('\n').slice(0, -1)) {
    shell.print(shell.paint(STYLES[line[0] ?? ''], printable(line)));
  }
}
