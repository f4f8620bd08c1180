import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededFailure } from './campaign.ts';
import type { Listener, Step } from './fuzz-case.ts';

/** A failed case on the disk: every byte that was sent on its connection, and all else it takes to send them again. */
export interface SavedFailure {
  readonly seed: number;
  readonly numbers: readonly number[];
  readonly name: string;
  readonly listener: Listener;
  readonly faults: readonly string[];
  readonly received: string;
  /** The live and the test key; they stand in the bytes. */
  readonly keys: readonly string[];
  readonly steps: readonly (
    | { readonly base64: string; readonly text: string }
    | { readonly pause_ms: number }
  )[];
}

/** Writes one JSON file; returns its path. */
export function saveFailure(failure: SeededFailure, directory: string): string {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `seed-${failure.seed}-case-${failure.numbers[0]}.json`);
  const steps = failure.steps.map((step) =>
    'send' in step
      ? { base64: step.send.toString('base64'), text: step.send.toString('latin1') }
      : { pause_ms: step.pauseMs },
  );
  const saved: SavedFailure = { ...failure, steps };
  writeFileSync(file, `${JSON.stringify(saved, null, 2)}\n`);
  return file;
}

/** What was saved, with the keys of a service that is gone exchanged for others of the same length. */
export function loadFailure(
  file: string,
  keys: readonly string[],
): { listener: Listener; steps: readonly Step[] } {
  const saved: SavedFailure = JSON.parse(readFileSync(file, 'utf8'));
  const steps = saved.steps.map((step): Step => {
    if ('pause_ms' in step) return { pauseMs: step.pause_ms };
    const bytes = Buffer.from(step.base64, 'base64').toString('latin1');
    return { send: Buffer.from(exchangeKeys(bytes, saved.keys, keys), 'latin1') };
  });
  return { listener: saved.listener, steps };
}

function exchangeKeys(bytes: string, from: readonly string[], to: readonly string[]): string {
  return from.reduce((text, key, nth) => text.replaceAll(key, to[nth] ?? key), bytes);
}
