import { openCollector } from '../../app/compose/pipeline.ts';
import type { LoadedConfig } from '../../app/config/load-config.ts';
import { faultsOf, InProcessJudge } from '../../checks/rule-judge.ts';
import { RulesNotWritten } from '../../checks/rule-source.ts';
import { RulesDirectory } from '../../checks/rules-directory.ts';
import { isoTime } from '../../lib/dates.ts';
import { shortPath } from '../../lib/paths.ts';
import { systemClock } from '../../lib/system-clock.ts';
import { type AssessedRules, prepareRestoring, publishRules } from '../../rule-lab/versions/publish-rules.ts';
import { AmbiguousVersion, describeReason, findVersion } from '../../rule-lab/versions/rule-versions.ts';
import { changesBetween, describeChanges, type FileChange } from '../../rules/compare-files.ts';
import { compileRuleSet } from '../../rules/compile.ts';
import { digestOf, type RuleFiles } from '../../rules/rule-files.ts';
import type { RuleComplaint, RuleVersion } from '../../storage/rule-ports.ts';
import { quietLog, type StorageSession } from '../open-session.ts';
import { type CommonOptions, loginName } from '../options.ts';
import { printable } from '../render/printable.ts';
import { CannotRun, NotThere, orCannotRun, type Shell } from '../shell.ts';

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
    in_force: inForce ? presentInForce(inForce) : null,
    on_disk: { dir, ...onDisk },
    complaint: complaint ? { kind: complaint.kind, at: complaint.at, faults: complaint.faults } : null,
  };
}

function presentInForce({ version, hash, at, author, reason, restores }: RuleVersion) {
  return { version, ruleset: hash, since: at, author, reason, restores };
}

function print(shell: Shell, { inForce, dir, onDisk, complaint }: Status): void {
  const shown = shortPath(dir, shell.cwd);
  shell.print(`in force: ${inForce ? printable(describeInForce(inForce)) : NOTHING_IN_FORCE}`);
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

/** Lints and tests as the service would now, with the providers of this configuration. */
async function judgeAsService(
  shell: Shell,
  loaded: LoadedConfig,
): Promise<(files: RuleFiles) => Promise<AssessedRules>> {
  const opened = await openCollector(loaded, quietLog(shell), systemClock);
  const { collector, options: providerOptions } = opened;
  const judge = new InProcessJudge({ collector, providerOptions });
  return async (files) => {
    const now = systemClock.now();
    const judgement = await judge.judge({ dir: loaded.config.rules.dir, files }, now);
    const { definitions } = judgement;
    const hash = definitions ? compileRuleSet(definitions, collector.catalogue, now).hash : null;
    return { faults: faultsOf(judgement), hash };
  };
}

export interface RollbackOptions extends CommonOptions {
  readonly author?: string;
  readonly keepLists?: boolean;
}

export async function rollBack(
  shell: Shell,
  { loaded, storage: { ruleVersions: versions } }: StorageSession,
  word: string,
  options: RollbackOptions,
): Promise<void> {
  const { author = loginName() ?? shell.env.USER ?? 'unknown', keepLists = false } = options;
  const { dir, watch } = loaded.config.rules;
  const shown = shortPath(dir, shell.cwd);
  const found = await chooseVersion(await versions.list(), word);
  const assess = await judgeAsService(shell, loaded);
  const now = () => isoTime(systemClock.now());
  const source = new RulesDirectory(dir);
  const restored = await prepareRestoring(found, keepLists, { source, versions, assess, now });
  if (restored.is === 'unreadable') {
    throw new CannotRun(
      [`${shown} cannot be read, so what lies there cannot be kept:`, ...restored.faults].join('\n'),
    );
  }
  if (restored.is === 'refused') {
    shell.note(`version ${found.version} would be refused now; nothing is written:`);
    for (const fault of restored.faults) shell.note(`  ${fault.replaceAll(dir, shown)}`);
    shell.exitCode = 1;
    return;
  }
  const { before, after, changes, draft } = restored;
  if (changes.length > 0) {
    const publication = { before, after, author, restores: found.version };
    await orCannotRun(() => publishRules(source, versions, publication), RulesNotWritten);
  }
  const isLast = (await versions.last())?.digest === digestOf(after);
  shell.answer(options, { restored: found.version, ruleset: found.hash, changes, draft }, () => {
    if (changes.length === 0) {
      shell.print(`${shown} holds version ${found.version} already.`);
      return;
    }
    if (draft !== null) {
      shell.print(`What lay in ${shown} was never in force: it is kept as version ${draft}.`);
    }
    const what = `${shown} is what it was in version ${found.version}: ${describeChanges(changes)}.`;
    shell.print(printable(what));
    if (isLast) shell.print('That is what was put in force last.');
    else shell.print(`A running service takes it ${watch ? WITHIN_SECONDS : 'at SIGHUP, as a new version.'}`);
  });
}

const WITHIN_SECONDS = 'within seconds, as a new version; "postern rules status" says when it has.';

/** Throws NotThere, or CannotRun where several versions may be meant. */
export async function chooseVersion(list: readonly RuleVersion[], word: string): Promise<RuleVersion> {
  const found = await orCannotRun(() => findVersion(list, word), AmbiguousVersion);
  if (!found) throw new NotThere(`there is no version "${word}"`);
  return found;
}
