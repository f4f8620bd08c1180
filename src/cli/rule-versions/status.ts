import { openCollector } from '../../app/compose/pipeline.ts';
import type { LoadedConfig } from '../../app/config/load-config.ts';
import { faultsOf, InProcessJudge } from '../../checks/rule-judge.ts';
import { RulesDirectory } from '../../checks/rules-directory.ts';
import { shortPath } from '../../lib/paths.ts';
import { systemClock } from '../../lib/system-clock.ts';
import type { AssessedRules } from '../../rule-lab/versions/publish-rules.ts';
import { describeReason } from '../../rule-lab/versions/rule-versions.ts';
import { changesBetween, describeChanges, type FileChange } from '../../rules/compare-files.ts';
import { compileRuleSet } from '../../rules/compile.ts';
import { type RuleFiles, sourcesOf } from '../../rules/rule-files.ts';
import type { RuleComplaint, RuleVersion } from '../../storage/rule-ports.ts';
import { quietLog, type StorageSession } from '../open-session.ts';
import type { CommonOptions } from '../options.ts';
import { printable } from '../render/printable.ts';
import type { Shell } from '../shell.ts';

interface Status {
  readonly inForce: RuleVersion | undefined;
  readonly dir: string;
  readonly onDisk: {
    readonly state: 'same' | 'differs' | 'unreadable';
    /** Compared with the rules in force. */
    readonly changes: readonly FileChange[];
    /** Why the service would refuse it. */
    readonly faults: readonly string[];
  };
  /** The service's last complaint, as long as it holds. */
  readonly complaint: RuleComplaint | undefined;
}

export async function showStatus(
  shell: Shell,
  { loaded, storage: { ruleVersions } }: StorageSession,
  options: CommonOptions,
): Promise<void> {
  const { dir } = loaded.config.rules;
  const inForce = await ruleVersions.last();
  const before = inForce ? ((await ruleVersions.filesOf(inForce.version)) ?? {}) : {};
  const disk = await new RulesDirectory(dir).read();
  const assess = await judgeAsService(shell, loaded);
  const onDisk: Status['onDisk'] = disk.files
    ? {
        state: disk.digest === inForce?.digest ? 'same' : 'differs',
        changes: changesBetween(before, disk.files),
        faults: (await assess(disk.files)).faults,
      }
    : { state: 'unreadable', changes: [], faults: disk.faults };
  const status = { inForce, dir, onDisk, complaint: await ruleVersions.complaint() };
  if (onDisk.faults.length > 0 || status.complaint) shell.exitCode = 1;
  shell.answer(options, present(status), () => print(shell, status));
}

function present({ inForce, dir, onDisk, complaint }: Status) {
  return {
    in_force: inForce
      ? {
          version: inForce.version,
          ruleset: inForce.hash,
          since: inForce.at,
          author: inForce.author,
          reason: inForce.reason,
          restores: inForce.restores,
        }
      : null,
    on_disk: { dir, ...onDisk },
    complaint: complaint ? { kind: complaint.kind, at: complaint.at, faults: complaint.faults } : null,
  };
}

function print(shell: Shell, { inForce, dir, onDisk, complaint }: Status): void {
  const shown = shortPath(dir, shell.cwd);
  shell.print(
    inForce
      ? printable(
          `in force: ${inForce.hash}, version ${inForce.version} since ${inForce.at} (${describeReason(inForce)})${inForce.author === null ? '' : `, by ${inForce.author}`}`,
        )
      : 'in force: nothing yet; the first start puts the rules directory in force',
  );
  const colour = onDisk.faults.length > 0 ? 'red' : onDisk.state === 'same' ? 'green' : 'yellow';
  shell.print(`${shown}: ${shell.paint(colour, describeDisk(onDisk))}`);
  const printFault = (fault: string) => shell.print(printable(`  ${fault.replaceAll(dir, shown)}`));
  onDisk.faults.forEach(printFault);
  if (!complaint) return;
  const what =
    complaint.kind === 'refused'
      ? `refused by the service at ${complaint.at}; it goes on with what is in force`
      : `in force, though its tests failed at ${complaint.at}`;
  shell.print(shell.paint('red', what));
  // Those that are printed above are not repeated.
  complaint.faults.filter((fault) => !onDisk.faults.includes(fault)).forEach(printFault);
}

function describeDisk({ state, changes, faults }: Status['onDisk']): string {
  if (state === 'unreadable') return 'cannot be read';
  const what = state === 'same' ? 'the same' : describeChanges(changes) || 'the same files';
  const verdict = faults.length > 0 ? 'would be refused' : state === 'same' ? '' : 'would be taken';
  return [what, verdict].filter(Boolean).join('; ');
}

/** Lints and tests as the service would now, with the providers of this configuration. */
export async function judgeAsService(
  shell: Shell,
  loaded: LoadedConfig,
): Promise<(files: RuleFiles) => Promise<AssessedRules>> {
  const opened = await openCollector(loaded, quietLog(shell), systemClock);
  const { collector, options: providerOptions } = opened;
  const judge = new InProcessJudge({ collector, providerOptions });
  return async (files) => {
    const now = systemClock.now();
    const judgement = await judge.judge(sourcesOf(loaded.config.rules.dir, files), now);
    const { definitions } = judgement;
    const hash = definitions ? compileRuleSet(definitions, collector.catalogue, now).hash : null;
    return { faults: faultsOf(judgement), hash };
  };
}
