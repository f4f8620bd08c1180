import { type Command, InvalidArgumentError } from 'commander';
import { readInstant } from '../lib/dates.ts';

/** What every command takes. */
export interface CommonOptions {
  readonly config?: readonly string[];
  readonly dataDir?: string;
  readonly json?: boolean;
}

/** A command that only holds others; without one of them it prints its help. */
export function addGroup(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).helpCommand(false);
}

export function withCommonOptions(command: Command): Command {
  return command
    .option('--config <file>', 'overlay a configuration file; may be repeated, the last one wins', collect)
    .option(
      '--data-dir <dir>',
      'where keys, certificates and records lie (POSTERN_DATA_DIR; ./data)',
      parseDirectory,
    )
    .option('--json', 'print JSON for machines');
}

/** Complains of the first of these options that is given although no `--file` is: it would count for nothing, without a word. */
export function refuseWithoutFile(command: Command, ofFiles: readonly string[]): void {
  if (command.getOptionValue('file') !== undefined) return;
  const stray = ofFiles.find((name) => command.getOptionValue(name) !== undefined);
  const flag = command.options.find((option) => option.attributeName() === stray)?.long;
  if (flag) command.error(`error: ${flag} goes with --file`);
}

/** Nothing, as a variable that is not set leaves, would be the directory one happens to be in. */
function parseDirectory(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  return text;
}

/** For an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

const DAY_MS = 86_400_000;
const UNITS_MS = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', DAY_MS],
]);
/** What is longer is no grace any more: two keys, made one by one, say so. */
const LONGEST_GRACE_MS = 90 * DAY_MS;

/** `30m`, `24h`, `7d`, or `0`; in ms. */
export function parseGrace(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = text === '0' ? 0 : Number(amount) * (UNITS_MS.get(unit) ?? Number.NaN);
  if (!(ms <= LONGEST_GRACE_MS)) throw new InvalidArgumentError('It is 30m, 24h or 7d, at most 90d, or 0.');
  return ms;
}

/** 0 takes a free port. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It is a number from 0 to 65535.');
  return port;
}

/** `2026-11-01`, which is its first moment in UTC, or a time of day with its offset; ISO 8601 in UTC. */
export function parseInstant(text: string): string {
  const instant = readInstant(text);
  if (instant === null) {
    throw new InvalidArgumentError(
      'It is a day, 2026-11-01, or a time with its offset, 2026-11-01T08:00:00Z.',
    );
  }
  return instant;
}

export function parseDays(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('It is a number of days from 1 to 99999.');
  return Number(text);
}

/** More than 1 weighs a good signup turned away heavier than a bad one let in. */
export function parseCostRatio(text: string): number {
  const ratio = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || !(ratio > 0)) throw new InvalidArgumentError('It is a number above 0.');
  return ratio;
}

export function parseExamples(text: string): number {
  // Why a case flips is read off an example.
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('It is a number from 1 to 999.');
  return Number(text);
}

/** `fraud, chargeback`: what stands between commas. */
export function listOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

export function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It is a number from 1 to 999999.');
  return Number(text);
}
