import type { Decision } from '../../dist/src/rules/decision.js';
import { wilson } from '../../src/lib/statistics.ts';
import { table } from '../report/table.ts';
import { abusedDomains } from './abused-domains.ts';
import { localParts } from './local-parts.ts';
import type { MeasuringData } from './measuring-data.ts';
import { notDisposable } from './not-disposable.ts';
import type { Postern } from './postern.ts';

/** The most addresses of each kind. */
const MOST = 2_000;
const ROLES = ['info', 'contact', 'sales', 'support', 'office', 'hello', 'admin', 'billing'];

interface Stratum {
  readonly what: string;
  readonly label: 'good' | 'bad';
  readonly addresses: readonly string[];
}

interface Scored extends Stratum {
  readonly scores: readonly number[];
  readonly blocked: number;
  readonly medium: number;
}

/** Tables of the shipped rules' decisions on labelled addresses, without a network: by kind, and by score threshold. */
export async function decisionTables(data: MeasuringData, postern: Postern): Promise<string> {
  const scored: Scored[] = [];
  for (const stratum of strataOf(data)) scored.push(await score(stratum, postern));
  const scoresOf = (label: Stratum['label']) =>
    scored.filter((stratum) => stratum.label === label).flatMap(({ scores }) => scores);
  const good = scoresOf('good');
  const bad = scoresOf('bad');
  const kinds = scored.map(({ what, label, scores, blocked, medium }) => [
    `${label}: ${what}`,
    String(scores.length),
    share(blocked, scores.length),
    share(medium, scores.length),
    (scores.reduce((sum, one) => sum + one, 0) / scores.length).toFixed(1),
    label === 'good' ? '' : auc(good, scores).toFixed(3),
  ]);
  const thresholds = Array.from({ length: 19 }, (_, index) => 10 + 5 * index).map((threshold) => {
    const from = (scores: readonly number[]) => scores.filter((one) => one >= threshold).length;
    return [
      String(threshold),
      String(from(good)),
      interval(from(good), good.length),
      String(from(bad)),
      interval(from(bad), bad.length),
    ];
  });
  return [
    table(['addresses', 'rows', 'blocked %', 'medium or high %', 'mean score', 'AUC'], kinds),
    `All ${good.length} good ones against all ${bad.length} bad ones: AUC ${auc(good, bad).toFixed(3)}.`,
    table(['score from', 'good', '% (95 % interval)', 'bad', '% (95 % interval)'], thresholds),
  ].join('\n\n');
}

function strataOf(data: MeasuringData): readonly Stratum[] {
  const people = localParts(data, 'name');
  const free = data.column('free-top.txt');
  const { ordinary, relays } = notDisposable(data);
  const abused = abusedDomains(data);
  const last = abused.filter(({ days }) => days === 0).map(({ domain }) => domain);
  const before = abused.filter(({ days }) => days > 0).map(({ domain }) => domain);
  const tagged = people.map((local) => `${local}+news`);
  return [
    { what: 'people at big free providers', label: 'good', addresses: at(people, free) },
    { what: 'people with a tag at big free providers', label: 'good', addresses: at(tagged, free) },
    { what: 'people at domains called not disposable', label: 'good', addresses: at(people, ordinary) },
    { what: 'people at relays', label: 'good', addresses: at(people, relays) },
    { what: 'functions at domains called not disposable', label: 'good', addresses: at(ROLES, ordinary) },
    { what: 'names at domains abused on the last day known', label: 'bad', addresses: at(people, last) },
    { what: 'names at domains abused before', label: 'bad', addresses: at(people, before) },
    ...(['random', 'pronounceable', 'templated'] as const).flatMap((kind): Stratum[] => {
      const made = localParts(data, kind);
      return [
        {
          what: `${kind} ones at domains abused on the last day known`,
          label: 'bad',
          addresses: at(made, last),
        },
        { what: `${kind} ones at big free providers`, label: 'bad', addresses: at(made, free) },
      ];
    }),
  ];
}

/** Pairs local parts with domains; a longer list is sampled evenly, a shorter one repeats. */
function at(locals: readonly string[], domains: readonly string[]): readonly string[] {
  const rows = Math.min(MOST, Math.max(locals.length, domains.length));
  const pick = (from: readonly string[], index: number) =>
    from.length < rows ? from[index % from.length] : from[Math.floor((index * from.length) / rows)];
  return Array.from({ length: rows }, (_, index) => `${pick(locals, index)}@${pick(domains, index)}`);
}

async function score(stratum: Stratum, postern: Postern): Promise<Scored> {
  const decisions: Decision[] = [];
  for (const address of stratum.addresses) {
    const assessment = await postern.assess(address);
    if (assessment !== null) decisions.push(assessment.decision);
  }
  return {
    ...stratum,
    scores: decisions.map(({ score: points }) => points),
    blocked: decisions.filter(({ action }) => action === 'BLOCK').length,
    medium: decisions.filter(({ level }) => level !== 'low').length,
  };
}

/** The share of pairs in which the bad address scores higher than the good one; a tie counts half. */
export function auc(good: readonly number[], bad: readonly number[]): number {
  const ofGood = Map.groupBy(good, (one) => one);
  const ofBad = Map.groupBy(bad, (one) => one);
  let wins = 0;
  for (const [high, { length }] of ofBad) {
    for (const [low, { length: others }] of ofGood) {
      if (high > low) wins += length * others;
      else if (high === low) wins += (length * others) / 2;
    }
  }
  return wins / (good.length * bad.length);
}

function share(count: number, of: number): string {
  return ((100 * count) / of).toFixed(1);
}

function interval(count: number, of: number): string {
  const [low, high] = wilson(count, of);
  return `${share(count, of)} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;
}
