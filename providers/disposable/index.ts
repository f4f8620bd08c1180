import { type DataList, defineProvider, type FactValue, type Findings, unknown } from 'postern/provider-kit';
import { snapshotOf } from './download.ts';
import { BASES, type Grounds, type Judgement, judge } from './evidence.ts';
import {
  loadEstablished,
  loadExemptions,
  loadFreeProviders,
  loadRegistries,
  loadShipped,
  loadTellingNames,
} from './load.ts';
import { Operator } from './operator.ts';
import type { ListSnapshot, ListSource } from './snapshot.ts';
import { readWeights, THRESHOLDS_SCHEMA } from './thresholds.ts';
import { newestDate, weighSnapshot } from './weigh-snapshot.ts';

export default defineProvider<Grounds>({
  id: 'disposable',
  apiVersion: 1,
  description: 'Whether the domain is a known throw-away mail service, by graded evidence.',
  stage: 'local',
  needs: ['disposable_mx.shares_backend'],
  facts: [
    {
      id: 'domain.is_known_disposable',
      slot: 'domain.is_known_disposable',
      type: 'boolean',
      description:
        'Lists, neighbours, the mail host and the name give as many points of evidence for a throw-away mail service as the threshold asks.',
      example: false,
    },
    {
      id: 'disposable.points',
      type: 'integer',
      description: 'Points of evidence for a throw-away mail service; 0 for none.',
      example: 0,
    },
    {
      id: 'disposable.basis',
      type: 'string',
      values: BASES,
      description:
        'What the evidence for a throw-away mail service mostly rests on; none where there is too little even for a suspicion.',
      example: 'none',
    },
    {
      id: 'disposable.listed_siblings',
      type: 'integer',
      description:
        'How many listed domains share the host that gave out this subdomain; 0 for a domain of its own.',
      example: 0,
    },
  ],
  never: [
    [
      { fact: 'domain.is_known_disposable', operator: 'equal', value: true },
      { fact: 'disposable.basis', operator: 'equal', value: 'none' },
    ],
    [
      { fact: 'domain.is_known_disposable', operator: 'equal', value: true },
      { fact: 'disposable.points', operator: 'lessThan', value: 1 },
    ],
    [
      { fact: 'disposable.basis', operator: 'notEqual', value: 'none' },
      { fact: 'disposable.points', operator: 'lessThan', value: 1 },
    ],
  ],
  thresholds: THRESHOLDS_SCHEMA,
  prepare: async ({ thresholds, lists: operatorLists, downloads }) => {
    const weights = readWeights(thresholds);
    const shipped = loadShipped();
    const snapshots = [shipped];
    for (const list of await downloads()) snapshots.push(await snapshotOf(list));
    const newest = newestDate(snapshots);
    const exemptions = loadExemptions();
    const established = loadEstablished();
    const names = loadTellingNames();
    const registries = loadRegistries();
    return {
      state: {
        operator: new Operator(operatorLists),
        exemptions,
        registries,
        established,
        freeProviders: loadFreeProviders(),
        names,
        // A download tells what is abused now: a domain that it no longer names was not withdrawn, so the ordinary half-life holds.
        lists: snapshots.map((snapshot) =>
          weighSnapshot(snapshot, weights, newest, snapshot === shipped ? undefined : weights.halfLifeDays),
        ),
        weights,
      },
      source: snapshots.flatMap(({ sources }) => sources.map(({ version }) => version)).join(' '),
      lists: [
        ...shipped.sources.map((source) => describeSource(source, shipped)),
        { name: 'data/established.txt', entries: established.size },
        { name: 'data/exempt.yaml', entries: exemptions.size },
        { name: 'data/names.yaml', entries: names.size },
        { name: 'data/registries.yaml', entries: registries.size },
      ],
    };
  },
  check: ({ canonical, domainKind }, { state, needs }) => {
    // Under an address literal or a domain without a dot there is nothing to know.
    const domain = domainKind === 'name' ? canonical.domain : '';
    const sharesBackend = needs['disposable_mx.shares_backend'];
    const judgement = judge(domain, sharesBackend === true, state);
    const { evidence } = judgement;
    const facts = factsOf(judgement, state);
    if (typeof sharesBackend === 'boolean') return { facts, evidence };
    const otherwise = factsOf(judge(domain, true, state), state);
    return { facts: whereBothAgree(facts, otherwise), evidence };
  },
});

function factsOf(
  { points, basis, listedSiblings }: Judgement,
  { weights }: Grounds,
): Readonly<Record<string, FactValue>> {
  return {
    'domain.is_known_disposable': points >= weights.knownAt,
    'disposable.points': points,
    'disposable.basis': basis,
    'disposable.listed_siblings': listedSiblings,
  };
}

/** A fact that the look-up could change is unknown without the look-up: docs/decisions/0023. */
function whereBothAgree(
  facts: Readonly<Record<string, FactValue>>,
  otherwise: Readonly<Record<string, FactValue>>,
): Findings['facts'] {
  const agreed = Object.entries(facts).map(
    ([id, value]) => [id, value === otherwise[id] ? value : unknown('not_run')] as const,
  );
  return Object.fromEntries(agreed);
}

/** For `postern lists status`: a list with what it names now, and what it once did. */
function describeSource({ id, version, date }: ListSource, { ballots, sizes }: ListSnapshot): DataList {
  const at = version.lastIndexOf('@');
  const entries = ballots.reduce(
    (sum, votes, ballot) => sum + (votes.some(({ source }) => source === id) ? (sizes[ballot] ?? 0) : 0),
    0,
  );
  return { name: version.slice(0, at), version: version.slice(at + 1), date, entries };
}
