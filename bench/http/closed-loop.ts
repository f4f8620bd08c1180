import type { Section } from '../report/section.ts';
import { number, table } from '../report/table.ts';
import { quantile } from '../support/median.ts';
import { Rounds } from './rounds.ts';
import { BARE_KOA, openTestBed, POSTERN } from './test-bed.ts';

const ROUNDS = 3;
const SECONDS = 4;
const CONNECTIONS = 32;
const FIGURES = ['requestsPerSecond', 'p50Ms', 'p99Ms', 'cpuUs', 'clientBusy'] as const;

export const closedLoop: Section = {
  title: 'HTTP: as fast as it answers',
  async measure(note, { rounds = ROUNDS }) {
    const measured = new Rounds<(typeof FIGURES)[number]>();
    const bed = await openTestBed();
    try {
      for (let round = 1; round <= rounds; round += 1) {
        for (const { name, ...server } of bed.contestants) {
          const { latencyMs, ...figures } = await bed.generator.run({
            ...server,
            connections: CONNECTIONS,
            firstAddress: 0,
            amount: Number.POSITIVE_INFINITY,
            seconds: SECONDS,
          });
          measured.add(name, {
            ...figures,
            p50Ms: quantile(latencyMs, 0.5),
            p99Ms: quantile(latencyMs, 0.99),
          });
          note(
            `round ${round}: ${name}: ${number(figures.requestsPerSecond)}/s, ${number(figures.cpuUs)} µs CPU`,
          );
        }
      }
    } finally {
      await bed.close();
    }
    const row = (name: string) => [name, ...FIGURES.map((figure) => number(measured.median(name, figure)))];
    const markdown = [
      `${CONNECTIONS} connections that ask again the moment they are answered, which no callers of a service do; the most that it can`,
      `do, and no goal. Medians of ${rounds} rounds of ${SECONDS} s in turns; the load generator shares the cores, and "client busy" near 1`,
      'would mean that it, not the server, was at its end.',
      '',
      table(
        ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request', 'client busy'],
        [
          row(POSTERN),
          row(BARE_KOA),
          [
            'ratio (median of the rounds)',
            ...FIGURES.map((figure) => number(measured.ratio(figure, POSTERN, BARE_KOA))),
          ],
        ],
      ),
    ].join('\n');
    return { markdown, goals: [] };
  },
};
