import type { Goal, Section } from '../report/section.ts';
import { number, table } from '../report/table.ts';
import { alternate, averaged, joined, medianOf, medianRatio, type Stretches } from './alternate.ts';
import { CONNECTIONS } from './load.ts';
import { TestBed } from './test-bed.ts';

/**
 * Each of both servers: what V8 makes of the first thousands of requests stays with a process, and two starts of one program
 * differ by a twentieth and more.
 */
const STARTS = 5;
/** An alternation is three short turns of each, for a machine may be half as fast from one second to the next. */
const TURNS = 3;
const SECONDS = 2;
/** The more there are, the more share the steps of a turn and a commit. */
const CONNECTION_COUNTS = [CONNECTIONS, 2 * CONNECTIONS, 4 * CONNECTIONS];
const [POSTERN, BARE] = ['Postern, `/v1/`, everything on', 'bare Koa echo'] as const;

export const againstKoa: Section = {
  title: 'HTTP: `/v1/` against bare Koa',
  async measure(note) {
    const starts: (readonly Stretches[])[] = [];
    for (let start = 1; start <= STARTS; start += 1) {
      note(`start ${start}`);
      starts.push(await measureStart(note));
    }
    const tables: string[] = [];
    const goals: Goal[] = [];
    for (const [index, connections] of CONNECTION_COUNTS.entries()) {
      const stretches = joined(starts.flatMap((start) => start[index] ?? []));
      tables.push(`With ${connections} connections:`, '', comparison(stretches), '');
      goals.push({
        what: `\`/v1/\` over bare Koa, requests/s, ${connections} connections`,
        measured: medianRatio(stretches, [POSTERN, BARE], 'requestsPerSecond'),
        unit: '×',
        floor: 0.45,
        aim: 0.7,
      });
    }
    const markdown = [
      `Median of ${STARTS} alternations, each of newly started servers that take turns of ${SECONDS} s, ${TURNS} each, whose mean counts; keep-alive`,
      'connections over TLS with one request under way on each, one certificate, the same requests, answers with bodies of',
      'the same length. The load generator (autocannon) runs on the same cores, so that requests per second and latencies depend on how the two share them; CPU',
      'time per request, from the kernel, hardly does, and is the figure to trust. "Event loop" is the part of it on the',
      'thread that everybody waits for. "Client busy" near 1 would mean that the client, not the server, was at its end.',
      'Postern answers when a check is on the disk, and those that wait share a commit: the fewer there are, the more of the',
      'time it waits. The slowest and the fastest start are in brackets.',
      '',
      ...tables,
    ]
      .join('\n')
      .trimEnd();
    return { markdown, goals };
  },
};

/** One start of each, one alternation for each number of connections. */
async function measureStart(note: (text: string) => void): Promise<readonly Stretches[]> {
  const bed = new TestBed();
  try {
    const postern = await bed.postern({ name: 'full' });
    const bare = await bed.bareKoa(postern);
    const { key } = postern;
    const contestants = [
      { name: POSTERN, server: postern, key },
      { name: BARE, server: bare, key },
    ];
    const stretches: Stretches[] = [];
    for (const connections of CONNECTION_COUNTS) {
      const turns = await alternate({ contestants, rounds: TURNS, seconds: SECONDS, connections, note });
      stretches.push(averaged(turns));
    }
    return stretches;
  } finally {
    await bed.close();
  }
}

function comparison(stretches: Stretches): string {
  const columns = ['requestsPerSecond', 'p50Ms', 'p99Ms', 'cpuUs', 'mainUs', 'clientBusy'] as const;
  const row = (name: string) => {
    const [rate = '', ...others] = columns.map((pick) => number(medianOf(stretches, name, pick)));
    return [name, `${rate} (${range(stretches, name)})`, ...others];
  };
  const ratios = columns.map((pick) => number(medianRatio(stretches, [POSTERN, BARE], pick)));
  return table(
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'of it event loop', 'client busy'],
    [row(POSTERN), row(BARE), ['ratio (median of the pairs)', ...ratios]],
  );
}

/** Of requests per second. */
function range(stretches: Stretches, name: string): string {
  const rates = (stretches.get(name) ?? []).map(({ requestsPerSecond }) => requestsPerSecond);
  return `${number(Math.min(...rates))} to ${number(Math.max(...rates))}`;
}
