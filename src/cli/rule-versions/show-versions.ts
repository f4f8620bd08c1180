import {
  describeReason,
  type OpenedVersion,
  openVersion,
  presentVersion,
} from '../../rule-lab/versions/rule-versions.ts';
import { describeChanges, unifiedDiff } from '../../rules/compare-files.ts';
import type { StorageSession } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { printable } from '../render/printable.ts';
import { type Cell, printTable } from '../render/table.ts';
import { CannotRun, NotThere, type Shell, type Style } from '../shell.ts';
import { chooseVersion } from './status-and-rollback.ts';

export interface HistoryOptions extends CommonOptions {
  readonly limit: number;
}

export async function showHistory(
  shell: Shell,
  { storage: { ruleVersions } }: StorageSession,
  options: HistoryOptions,
): Promise<void> {
  const list = await ruleVersions.list();
  const shown: OpenedVersion[] = [];
  for (const version of list.slice(0, options.limit)) {
    shown.push(await openVersion(ruleVersions, list, version));
  }
  shell.answer(options, { versions: shown.map(presentVersion) }, () => {
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

export interface ShowOptions extends CommonOptions {
  readonly file?: string;
  readonly diff?: boolean;
}

const STYLES: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '@': 'cyan' };

export async function showVersion(
  shell: Shell,
  { storage: { ruleVersions } }: StorageSession,
  word: string,
  options: ShowOptions,
): Promise<void> {
  const { file } = options;
  if (file !== undefined && options.diff) throw new CannotRun('--file and --diff are two questions');
  const list = await ruleVersions.list();
  const opened = await openVersion(ruleVersions, list, await chooseVersion(list, word));
  const { version, files, filesBefore } = opened;
  if (file !== undefined && !Object.hasOwn(files, file)) {
    throw new NotThere(`version ${version} has no file "${file}": ${Object.keys(files).join(', ')}`);
  }
  const shown = file === undefined ? files : { [file]: files[file] };
  const diff = options.diff ? unifiedDiff(filesBefore, files) : undefined;
  shell.answer(options, { ...presentVersion(opened), files: shown, diff }, () => {
    if (file !== undefined) shell.writeRaw('stdout', files[file] ?? '');
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

function printDiff(shell: Shell, diff: string): void {
  if (!shell.hasColours) {
    // Unchanged, so that `patch` takes it.
    shell.writeRaw('stdout', diff);
    return;
  }
  for (const line of diff.split('\n').slice(0, -1)) {
    shell.print(shell.paint(STYLES[line[0] ?? ''], printable(line)));
  }
}
