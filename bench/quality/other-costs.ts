import { spellingOf } from '../../dist/src/provider-kit/index.js';
import { BENCH_CHECK, benchCounters } from '../support/counted.ts';
import { type Cost, measureCosts } from './cost.ts';
import { localParts } from './local-parts.ts';
import { addressOf, loneCounts, loneProvider } from './lone-provider.ts';
import type { MeasuringData } from './measuring-data.ts';

/** The default configuration: no mail host is asked, the table alone answers. */
const CATCH_ALL = { mode: 'cached', helo_name: null, daily_probes: 1000, daily_probes_per_domain: 4 };

/** Costs of the signals for which there are no labelled rows. */
export async function otherCosts(data: MeasuringData): Promise<ReadonlyMap<string, readonly Cost[]>> {
  const domains = data.column('free-top.txt');
  const names = localParts(data, 'name').map((text) => text.toLowerCase());
  return new Map([
    ['address', await measureCosts({ 'Postern, address': domainOf }, domains)],
    ['catch-all', await measureCosts({ 'Postern, catch_all, from its table': catchAll }, domains)],
    ['velocity', await measureCosts({ 'Postern, velocity, each address new': velocity }, names)],
  ]);
}

async function domainOf(): Promise<(domain: string) => unknown> {
  const check = await loneProvider('address');
  return (domain) => check(addressOf('x', domain));
}

async function catchAll(): Promise<(domain: string) => unknown> {
  const check = await loneProvider('catch-all', CATCH_ALL);
  return (domain) => check(addressOf('x', domain));
}

async function velocity(): Promise<(localPart: string) => unknown> {
  const counts = await loneCounts('velocity');
  const counters = benchCounters();
  const needs = { 'mx.provider': 'other' };
  let serial = 0;
  return async (localPart) => {
    const address = addressOf(`${localPart}${serial++}`, 'example.com');
    const check = { ...BENCH_CHECK, spelling: spellingOf(address), at: Date.now() };
    const receipt = await counters.count(check, counts(address, needs));
    await receipt.settle();
    return receipt.numbers;
  };
}
