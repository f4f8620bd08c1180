import { userInfo } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FORMATS } from '../lib/row-file.ts';
import { DAY_MS, HOUR_MS, readInstant } from '../lib/time.ts';

/** A command that groups others; alone it prints its help. */
export function addGroup(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).helpCommand(false);
}

/** Adds a command with the options of every command. */
export function addCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--config <file>', 'overlay a configuration file; may be repeated, the last one wins', collect)
    .option(
      '--data-dir <dir>',
      'where keys, certificates and records lie (POSTERN_DATA_DIR; ./data)',
      notEmpty,
    )
    .option('--json', 'print JSON for machines');
}

/** Refuses the first of these options that is given without `--file`: it would have no effect. */
export function refuseWithoutFile<Name extends string>(command: Command, ofFiles: readonly Name[]): void {
  if (command.getOptionValue('file') !== undefined) return;
  const stray = ofFiles.find((name) => command.getOptionValue(name) !== undefined);
  const flag = command.options.find((option) => option.attributeName() === stray)?.long;
  if (flag) command.error(`error: ${flag} goes with --file`);
}

/** Adds the options for a file of rows: `--format` where its name does not tell, `--delimiter` and `--columns` where its lines do not. */
export function addInputOptions(command: Command, columns: string, format?: Option): Command {
  const ofFile = new Option('--format <format>', 'of the file, where its name does not tell').choices(
    FORMATS,
  );
  return command
    .addOption(format ?? ofFile)
    .option(
      '--delimiter <character>',
      'between the cells of CSV, where the lines do not tell: a character, or tab',
      parseDelimiter,
    )
    .option('--columns <names>', columns, listOf);
}

function parseDelimiter(text: string): string {
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text;
  if (/^[^\p{L}\p{N}"@\r\n]$/u.test(delimiter)) return delimiter;
  throw new InvalidArgumentError('It is one character such as | or ;, or tab.');
}

/** Refuses empty text, which an unset shell variable leaves: as a path it would mean the working directory. */
export function notEmpty(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  return text;
}

/** For an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, notEmpty(value)];
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: DAY_MS };
/** The longest grace of a rotated key. For a longer overlap, make two keys. */
const LONGEST_GRACE_MS = 90 * DAY_MS;

/** `30m`, `24h`, `7d`, or `0`; in ms. */
export function parseGrace(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = text === '0' ? 0 : Number(amount) * (UNITS_MS[unit] ?? Number.NaN);
  if (!(ms <= LONGEST_GRACE_MS)) throw new InvalidArgumentError('It is 30m, 24h or 7d, at most 90d, or 0.');
  return ms;
}

/** A parser of whole numbers. */
export function numberFrom(least: number, most: number, what = 'a number'): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It is ${what} from ${least} to ${most}.`);
  };
}

/** `2026-11-01`, which is its first moment in UTC, or a time of day with its offset; ISO 8601 in UTC. */
function parseInstant(text: string): string {
  const instant = readInstant(text);
  if (instant === null) {
    throw new InvalidArgumentError(
      'It is a day, 2026-11-01, or a time with its offset, 2026-11-01T08:00:00Z.',
    );
  }
  return instant;
}

/** Which recorded checks; cannot be used with a file. */
export interface SelectionOptions {
  readonly since?: string;
  readonly until?: string;
  readonly account?: string;
}

export function addSelectionOptions(command: Command): Command {
  const since = new Option('--since <time>', 'only checks from then on: 2026-11-01, or with a time of day');
  const until = new Option('--until <time>', 'only checks before then');
  const account = new Option('--account <account>', 'only checks of this account: an id or a name');
  return command
    .addOption(since.argParser(parseInstant).conflicts('file'))
    .addOption(until.argParser(parseInstant).conflicts('file'))
    .addOption(account.conflicts('file'));
}

/** More than 1 weighs a good signup turned away heavier than a bad one let in. */
export function parseCostRatio(text: string): number {
  const ratio = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || !(ratio > 0)) throw new InvalidArgumentError('It is a number above 0.');
  return ratio;
}

/** `fraud, chargeback`: what stands between commas. */
export function listOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

/** The author of a change unless an option names another; null where the system has no name for the user, as in some containers. */
export function loginName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
