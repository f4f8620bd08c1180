import {
  describeReason,
  type OpenedVersion,
  openVersion,
  presentVersion,
} from '../../rule-lab/versions/rule-versions.ts';
import { describeChanges, unifiedDiff } from '../../rules/compare-files.ts';
import { withStorage } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { printable } from '../render/printable.ts';
import { renderTable } from '../render/table.ts';
import { CannotRun, type Shell, type Style } from '../shell.ts';
import { versionOf } from './roll-back.ts';

export interface HistoryOptions extends CommonOptions {
  readonly limit: number;
}

export async function showHistory(shell: Shell, options: HistoryOptions): Promise<void> {
  await withStorage(shell, options, { create: false }, async ({ storage: { ruleVersions } }) => {
    const list = await ruleVersions.list();
    const shown: OpenedVersion[] = [];
    for (const version of list.slice(0, options.limit))
      shown.push(await openVersion(ruleVersions, list, version));
    if (options.json) {
      shell.json({ versions: shown.map(presentVersion) });
      return;
    }
    shell.print(
      renderTable(
        shell,
        ['>version', 'ruleset', 'since', 'author', 'by', 'changed'],
        shown.map((version) => [
          { text: String(version.version), ...(version.isInForce && { style: 'bold' as const }) },
          version.hash ?? 'not compiled',
          version.reason === 'draft' ? `saved ${version.at}` : version.at,
          version.author,
          describeReason(version),
          describe(version),
        ]),
      ),
    );
    if (list.length > shown.length)
      shell.note(`${list.length - shown.length} older ones: --limit shows more`);
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

export async function showVersion(shell: Shell, word: string, options: ShowOptions): Promise<void> {
  if (options.file !== undefined && options.diff) throw new CannotRun('--file and --diff are two questions');
  await withStorage(shell, options, { create: false }, async ({ storage: { ruleVersions } }) => {
    const list = await ruleVersions.list();
    const found = versionOf(shell, list, word);
    if (!found) return;
    const opened = await openVersion(ruleVersions, list, found);
    const { files, filesBefore } = opened;
    const { file } = options;
    if (file !== undefined && !Object.hasOwn(files, file)) {
      shell.note(`version ${opened.version} has no file "${file}": ${Object.keys(files).join(', ')}`);
      shell.exitCode = 1;
      return;
    }
    const diff = options.diff ? unifiedDiff(filesBefore, files) : '';
    if (options.json) {
      const shown = file === undefined ? files : { [file]: files[file] };
      shell.json({ ...presentVersion(opened), files: shown, ...(options.diff && { diff }) });
    } else if (file !== undefined) shell.writeRaw('stdout', files[file] ?? '');
    else if (options.diff) printDiff(shell, diff);
    else printVersion(shell, opened);
  });
}

function printVersion(shell: Shell, version: OpenedVersion): void {
  const rows: [string, string][] = [
    ['ruleset', version.hash ?? 'not compiled'],
    [version.reason === 'draft' ? 'saved' : 'since', version.at],
    ['author', version.author ?? 'unknown'],
    ['by', describeReason(version)],
    ['changed', describeChanges(version.changes) || 'no file'],
  ];
  const state = version.isInForce ? ', the last in force' : '';
  shell.print(renderTable(shell, ['version', `${version.version}${state}`], rows));
  shell.print();
  const lines = (text: string) => text.split('\n').length - Number(text.endsWith('\n') || text === '');
  shell.print(
    renderTable(
      shell,
      ['file', '>lines'],
      Object.entries(version.files).map(([path, text]) => [path, lines(text)]),
    ),
  );
}

function printDiff(shell: Shell, diff: string): void {
  if (!shell.hasColours) {
    // As it is, so that `patch` takes it.
    shell.writeRaw('stdout', diff);
    return;
  }
  for (const line of diff.split('\n').slice(0, -1)) {
    shell.print(shell.paint(STYLES[line[0] ?? ''], printable(line)));
  }
}
