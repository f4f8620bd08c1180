import { CounterBook } from '../../dist/src/shared-state/counters/counter-book.js';
import { type Cost, measureCosts } from './cost.ts';
import { localParts } from './local-parts.ts';
import { addressOf, loneProvider } from './lone-provider.ts';
import type { MeasuringData } from './measuring-data.ts';

const KEY = { accountId: 'acc_bench', environment: 'live', family: 'key_bench' } as const;
/** As the configuration has it where nothing is set: no mail host is asked, the table alone answers. */
const CATCH_ALL = { mode: 'cached', helo_name: null, daily_probes: 1000, daily_probes_per_domain: 4 };

/** Of the signals that no labelled rows are there for: what an answer of theirs takes. */
export async function otherCosts(data: MeasuringData): Promise<ReadonlyMap<string, readonly Cost[]>> {
  const domains = data.column('free-top.txt');
  const names = localParts(data, 'name').map((text) => text.toLowerCase());
  return new Map([
    ['catch-all', await measureCosts({ 'Postern, catch_all, from its table': catchAll }, domains)],
    ['velocity', await measureCosts({ 'Postern, velocity, each address new': velocity }, names)],
  ]);
}

async function catchAll(): Promise<(domain: string) => unknown> {
  const check = await loneProvider('catch-all', CATCH_ALL);
  return (domain) => check(addressOf('x', domain));
}

async function velocity(): Promise<(localPart: string) => unknown> {
  const check = await loneProvider('velocity');
  const book = new CounterBook({ key: new Int32Array([1, 2, 3, 4]), keep: () => undefined });
  const needs = { 'mx.provider': 'other' };
  let serial = 0;
  return (localPart) => {
    const address = addressOf(`${localPart}${serial++}`, 'example.com');
    const counters = book.begin(KEY, Date.now()).about(address.canonical.address);
    const answer = check(address, { needs, counters });
    counters.settle();
    return answer;
  };
}
