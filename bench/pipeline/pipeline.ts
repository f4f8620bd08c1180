import type { Assessor, World } from '../../dist/src/checks/assessor.js';
import type { Section } from '../report/section.ts';
import { number, table } from '../report/table.ts';
import { addressAt } from '../support/addresses.ts';
import { counted } from '../support/counted.ts';
import { startLoopbackDns } from '../support/loopback-dns.ts';
import { openBuiltPipeline } from '../support/open-pipeline.ts';
import { timeSideBySide } from '../support/stopwatch.ts';
import { arcjet, deepEmailValidator, type LoadPeer, mailchecker, type Peer } from './peers.ts';

const ADDRESSES = Array.from({ length: 2000 }, (_, n) => addressAt(n));
const PEERS: Readonly<Record<string, LoadPeer>> = {
  mailchecker,
  'deep-email-validator': deepEmailValidator,
  '@arcjet/analyze-wasm': arcjet,
};
const FULL = 'Postern, MX answers in its cache';
const COUNTED = 'Postern, the same and counted, as in the service';

export const pipeline: Section = {
  title: 'The pipeline in process',
  async measure(note) {
    const dns = await startLoopbackDns();
    try {
      const { assessor, policies } = await openBuiltPipeline(dns.address);
      const { peers, absent } = await loadPeers();
      const providers = policies.current.providers.byId.size;
      const full = postern(assessor, 'live', providers);
      const contestants = [
        full,
        { ...full, name: COUNTED, does: `${full.does}, counts`, look: counted(assessor) },
        postern(assessor, 'local', providers),
        ...peers,
      ];
      const timings = await timeSideBySide({
        subjects: contestants.map(({ name, look }) => ({ name, run: look })),
        inputs: ADDRESSES,
        millisecondsEach: 500,
        rounds: 5,
      });
      policies.close();
      const us = (name: string) => timings.get(name) ?? Number.NaN;
      for (const [name, taken] of timings) note(`${name}: ${number(taken)} µs`);
      const rows: string[][] = [];
      for (const { name, does, refuses } of contestants) {
        const refused = await Promise.all(ADDRESSES.map(refuses));
        rows.push([
          name,
          does,
          number(us(name)),
          number(us(name) / us(FULL)),
          String(refused.filter(Boolean).length),
        ]);
      }
      for (const [name, why] of absent) rows.push([name, `not run here: ${why}`, '–', '–', '–']);
      const markdown = [
        `µs for one of ${ADDRESSES.length} addresses in turn, one at a time: free mail, firms, throw-away domains, two domains that do not`,
        'exist. The contestants do different things: the second column says what. Nobody uses a network; "turns away" counts',
        'the addresses that each would refuse.',
        '',
        table(['', 'looks at', 'µs/address', '×', 'turns away'], rows),
      ].join('\n');
      return { markdown, goals: [] };
    } finally {
      await dns.close();
    }
  },
};

function postern(assessor: Assessor, world: World, providers: number): Peer {
  return {
    name: world === 'live' ? FULL : 'Postern, offline',
    does: `form with places, canonical form, ${providers} providers, rules, ledger`,
    look: (email) => assessor.assess(email, world),
    refuses: async (email) => (await assessor.assess(email, world)).decision.action === 'BLOCK',
  };
}

/** Loads the peers that can run here, and says why the others cannot. */
async function loadPeers(): Promise<{ peers: readonly Peer[]; absent: ReadonlyMap<string, string> }> {
  const peers: Peer[] = [];
  const absent = new Map<string, string>();
  for (const [name, loadPeer] of Object.entries(PEERS)) {
    try {
      peers.push(await loadPeer());
    } catch (error) {
      absent.set(name, whyOf(error));
    }
  }
  return { peers, absent };
}

function whyOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
