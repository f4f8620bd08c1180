import type { Section } from '../report/section.ts';
import { number, table } from '../report/table.ts';
import { alternate, medianOf, medianRatio, type Stretches } from './alternate.ts';
import { CONNECTIONS } from './load.ts';
import { TestBed } from './test-bed.ts';

const ROUNDS = 5;
const SECONDS = 6;
/** More of them share the steps of a turn and a commit. */
const MORE_CONNECTIONS = [2 * CONNECTIONS, 4 * CONNECTIONS];
const [POSTERN, BARE] = ['Postern, `/v1/`, everything on', 'bare Koa echo'] as const;

export const againstKoa: Section = {
  title: 'HTTP: `/v1/` against bare Koa',
  async measure(note) {
    const bed = new TestBed();
    try {
      const postern = await bed.postern({ name: 'full' });
      const bare = await bed.bareKoa(postern);
      const { key } = postern;
      const contestants = [
        { name: POSTERN, server: postern, key },
        { name: BARE, server: bare, key },
      ];
      const load = { contestants, rounds: ROUNDS, seconds: SECONDS, note };
      const stretches = await alternate(load);
      const more: string[] = [];
      for (const connections of MORE_CONNECTIONS) {
        const table = comparison(await alternate({ ...load, connections }));
        more.push('', `The same with ${connections} connections:`, '', table);
      }
      const markdown = [
        `Median of ${ROUNDS} alternations of ${SECONDS} s, ${CONNECTIONS} keep-alive connections over TLS, one certificate, the same`,
        'requests, answers with bodies of the same length. The load generator (autocannon) runs on the same cores, so that',
        'requests per second and latencies depend on how the two share them; CPU time per request, from the kernel,',
        'hardly does, and is the figure to trust. "Event loop" is the part of it on the thread that everybody waits for.',
        '"Client busy" near 1 would mean that the client, not the server, was at its end.',
        '',
        comparison(stretches),
        ...more,
      ].join('\n');
      const goals = [
        {
          what: '`/v1/` over bare Koa, requests/s',
          measured: medianRatio(stretches, [POSTERN, BARE], 'requestsPerSecond'),
          unit: '×',
          floor: 0.45,
          aim: 0.7,
        },
      ];
      return { markdown, goals };
    } finally {
      await bed.close();
    }
  },
};

function comparison(stretches: Stretches): string {
  const columns = ['requestsPerSecond', 'p50Ms', 'p99Ms', 'cpuUs', 'mainUs', 'clientBusy'] as const;
  const row = (name: string) => [name, ...columns.map((pick) => number(medianOf(stretches, name, pick)))];
  const ratios = columns.map((pick) => number(medianRatio(stretches, [POSTERN, BARE], pick)));
  return table(
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'of it event loop', 'client busy'],
    [row(POSTERN), row(BARE), ['ratio (median of the pairs)', ...ratios]],
  );
}
