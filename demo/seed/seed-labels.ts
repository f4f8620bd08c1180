import type { NewLabel } from '../../src/storage/label-ports.ts';
import type { Storage } from '../../src/storage/ports.ts';
import type { Random } from '../traffic/random.ts';
import { isoOf } from './moments.ts';

/** A recorded check, with what became known only later. */
export interface ToldLater {
  readonly checkId: string;
  readonly accountId: string;
  readonly at: number;
  readonly isBad: boolean;
}

const DAY_MS = 86_400_000;
/** Shares of the checks that are labelled: bad ones by complaints, good ones as a sample. */
const TOLD_OF_BAD = 0.4;
const TOLD_OF_GOOD = 0.13;
/** The share of labels that are wrong. */
const MISTAKEN = 0.03;

/** Labels a part of the signups, 0.3 to 2.8 days after the check. Labels that would come after `until` are left out. */
export async function seedLabels(
  { labels }: Storage,
  checks: readonly ToldLater[],
  until: number,
  random: Random,
): Promise<number> {
  const byAccount = new Map<string, NewLabel[]>();
  for (const check of checks) {
    const label = labelOf(check, random);
    if (label === null || Date.parse(label.labelledAt) > until) continue;
    const list = byAccount.get(check.accountId) ?? [];
    list.push(label);
    byAccount.set(check.accountId, list);
  }
  let told = 0;
  for (const [accountId, list] of byAccount) {
    told += (await labels.put(accountId, list, isoOf(until))).added;
  }
  return told;
}

function labelOf({ checkId, at, isBad }: ToldLater, random: Random): NewLabel | null {
  if (!random.isOnce(isBad ? TOLD_OF_BAD : TOLD_OF_GOOD)) return null;
  const isCalledBad = isBad !== random.isOnce(MISTAKEN);
  const [source, author] = isCalledBad
    ? random.pick([
        ['abuse-desk.csv', 'Tomas Reyes'],
        ['chargebacks.csv', null],
      ] as const)
    : (['paid-invoices.csv', null] as const);
  return {
    subject: { checkId },
    label: isCalledBad ? 'bad' : 'good',
    source,
    author,
    labelledAt: isoOf(at + Math.round((0.3 + 2.5 * random.next()) * DAY_MS)),
  };
}
