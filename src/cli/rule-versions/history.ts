import {
  describeReason,
  type OpenedVersion,
  openVersion,
  presentVersion,
} from '../../rule-lab/versions/rule-versions.ts';
import { describeChanges } from '../../rules/compare-files.ts';
import { withStorage } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { renderTable } from '../render/table.ts';
import type { Shell } from '../shell.ts';

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
