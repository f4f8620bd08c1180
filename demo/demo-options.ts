import { Command, InvalidArgumentError } from 'commander';
import { numberFrom } from '../src/cli/options.ts';

export interface DemoOptions {
  /** A directory that is kept; by default a temporary one, removed at the end. */
  readonly dataDir?: string;
  /** Undefined takes 8443 where it is free, and another port where it is not. */
  readonly port?: number;
  readonly checks: number;
  readonly seed: string;
}

/** Built in some ten seconds on two slow cores, and enough for every figure to mean something. */
const CHECKS = 24_000;

export function readDemoOptions(argv: readonly string[]): DemoOptions {
  return new Command('npm run demo --')
    .description(
      'serve thirty days of made-up signups, to look at the dashboard; no packet leaves this machine',
    )
    .option(
      '--data-dir <dir>',
      'make the data there and keep it, instead of a directory that goes at the end',
    )
    .option(
      '--port <n>',
      'HTTPS port; 0 takes a free one (default: 8443 if it is free)',
      numberFrom(0, 65_535),
    )
    .option('--checks <n>', 'about how many checks the thirty days have', parseCount, CHECKS)
    .option('--seed <text>', 'another seed makes other people', 'postern')
    .parse([...argv])
    .opts<DemoOptions>();
}

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('a whole number above 0 is wanted.');
}
