import { versionsOf } from '../report/versions.ts';
import { canonical } from './canonical.ts';
import { type Cost, costTable } from './cost.ts';
import { decisionTables } from './decision.ts';
import { disposable } from './disposable.ts';
import { entropy } from './entropy.ts';
import { freeProvider } from './free-provider.ts';
import { gibberish } from './gibberish.ts';
import type { MeasuringData } from './measuring-data.ts';
import type { Metric } from './metric.ts';
import { otherCosts } from './other-costs.ts';
import { openPostern } from './postern.ts';
import { resultTable } from './result-table.ts';
import { roleAccount } from './role-account.ts';
import type { SignalName } from './signal-files.ts';
import type { SignalQuality } from './signal-quality.ts';
import { syntax } from './syntax.ts';
import { tld } from './tld.ts';

const SIGNALS: Readonly<Record<Exclude<SignalName, 'decision'>, SignalQuality>> = {
  syntax,
  canonical,
  disposable,
  free: freeProvider,
  role: roleAccount,
  entropy,
  gibberish,
  tld,
};

/** Measures the wanted signals and returns the tables, below the date and the versions. */
export async function quality(wanted: readonly SignalName[], data: MeasuringData): Promise<string> {
  const names = wanted.filter((name) => name !== 'decision');
  const costs = new Map<string, readonly Cost[]>();
  for (const name of names) costs.set(name, (await SIGNALS[name].costs?.(data)) ?? []);
  // Only in a whole run: these costs belong to no signal that can be named.
  if (names.length === Object.keys(SIGNALS).length) {
    for (const [signal, taken] of await otherCosts(data)) costs.set(signal, taken);
  }
  const postern = await openPostern();
  const measured = new Map<string, readonly Metric[]>();
  let decisions = '';
  try {
    for (const name of names) {
      console.error(`${name} …`);
      measured.set(name, await SIGNALS[name].measure(data, postern));
    }
    if (wanted.includes('decision')) decisions = await decisionTables(data, postern);
  } finally {
    postern.close();
  }
  const date = new Date().toISOString().slice(0, 10);
  const peers = [...new Set(names.flatMap((name) => SIGNALS[name].peers))].sort();
  const versions = peers.length === 0 ? '' : ` Versions: ${versionsOf(peers)}.`;
  const signals = measured.size === 0 ? '' : resultTable(measured);
  const tables = [signals, costTable(costs), decisions].filter((table) => table !== '');
  return [`Run of ${date}.${versions}`, ...tables].join('\n\n');
}
