import type { Goal, Section } from '../report/section.ts';
import { number, table } from '../report/table.ts';
import { tailQuantile } from '../support/median.ts';
import { randomFrom } from '../support/random.ts';
import type { Measured } from './load-generator.ts';
import { poissonArrivals } from './poisson.ts';
import { Rounds } from './rounds.ts';
import { BARE_KOA, openTestBed, POSTERN, type TestBed } from './test-bed.ts';

export interface Traffic {
  /** Arrivals a second. */
  readonly rate: number;
  readonly seconds: number;
  /** Enough that all are rarely busy at once; few enough that none stays idle for 5 s, when Node closes it. */
  readonly connections: number;
  readonly hasGoals: boolean;
}

const TRAFFIC: readonly Traffic[] = [
  { rate: 20, seconds: 20, connections: 32, hasGoals: false },
  { rate: 200, seconds: 15, connections: 64, hasGoals: true },
  { rate: 1000, seconds: 8, connections: 128, hasGoals: true },
];
const WARM_UP_SECONDS = 1;
const ROUNDS = 3;
export const FIGURES = ['p50Ms', 'p99Ms', 'p999Ms', 'cpuUs', 'mainUs', 'lateMs'] as const;

export type Figure = (typeof FIGURES)[number];

export const arrivals: Section = {
  title: 'HTTP: random arrivals',
  async measure(note, { rounds = ROUNDS, rates }) {
    const traffics = TRAFFIC.filter(({ rate }) => rates === undefined || rates.includes(rate));
    if (traffics.length === 0) throw new Error(`rates are ${TRAFFIC.map(({ rate }) => rate).join(', ')}`);
    const results = traffics.map((traffic) => ({ traffic, measured: new Rounds<Figure>() }));
    for (let round = 1; round <= rounds; round += 1) {
      // V8 optimizes for the first thousands of requests and keeps the result, so each round starts new processes.
      const bed = await openTestBed();
      try {
        for (const { traffic, measured } of results) await measureRound(bed, traffic, round, measured, note);
      } finally {
        await bed.close();
      }
    }
    const markdown = [
      `Requests that arrive at random (Poisson), whether or not others are answered, over kept TLS connections. Latency counts from when a`,
      'request was due, not from when it was sent. Medians of',
      `${rounds} rounds, each of newly started and warmed servers that take turns under one certificate, with the same arrivals, the same`,
      'requests (no address twice) and answers with bodies of the same length. CPU time is that of all threads of the',
      'server, from the kernel, which counts in ticks of 10 ms: at 20 a second it is good to some 50 µs. "Event loop" is the part of it on',
      'the thread that runs the event loop. The load generator is a process of its own on the same cores; how late it was to',
      'send a request ("sent late") is part of the latency of both servers. A dash stands where fewer than three requests lie beyond a percentile.',
      '',
      ...results.flatMap(({ traffic, measured }) => [comparison(traffic, measured), '']),
    ]
      .join('\n')
      .trimEnd();
    return { markdown, goals: results.flatMap(({ traffic, measured }) => goals(traffic, measured)) };
  },
};

export async function measureRound(
  { contestants, generator }: Pick<TestBed, 'contestants' | 'generator'>,
  { rate, seconds, connections }: Traffic,
  round: number,
  rounds: Rounds<Figure>,
  note: (text: string) => void,
): Promise<void> {
  const random = randomFrom(round * 10_000 + rate);
  const warmUpDueMs = poissonArrivals(rate, rate * WARM_UP_SECONDS, random);
  const dueMs = poissonArrivals(rate, rate * seconds, random);
  // Addresses differ from those of the warm-up, and between rates.
  const firstAddress = 100_000 + rate * 100;
  for (const { name, ...server } of contestants) {
    const figures = figuresOf(
      await generator.run({ ...server, connections, firstAddress, warmUpDueMs, dueMs }),
    );
    rounds.add(name, figures);
    const { p50Ms, p99Ms, cpuUs } = figures;
    note(
      `round ${round}, ${rate}/s: ${name}: p50 ${number(p50Ms)} ms, p99 ${number(p99Ms)} ms, ${number(cpuUs)} µs CPU`,
    );
  }
}

function figuresOf({ latencyMs, lateMs, cpuUs, mainUs }: Measured): Record<Figure, number> {
  const [p50Ms, p99Ms, p999Ms] = [0.5, 0.99, 0.999].map((share) => tailQuantile(latencyMs, share));
  return {
    p50Ms: p50Ms ?? Number.NaN,
    p99Ms: p99Ms ?? Number.NaN,
    p999Ms: p999Ms ?? Number.NaN,
    cpuUs,
    mainUs,
    lateMs: tailQuantile(lateMs, 0.99),
  };
}

function comparison({ rate, seconds }: Traffic, rounds: Rounds<Figure>): string {
  const row = (name: string) => [name, ...FIGURES.map((figure) => number(rounds.median(name, figure)))];
  return [
    `${rate.toLocaleString('en')} a second, ${(rate * seconds).toLocaleString('en')} requests a round:`,
    '',
    table(
      ['', 'p50 ms', 'p99 ms', 'p99.9 ms', 'CPU µs/request', 'of it event loop', 'sent late, p99 ms'],
      [
        row(POSTERN),
        row(BARE_KOA),
        [
          'ratio (median of the rounds)',
          ...FIGURES.map((figure) => number(rounds.ratio(figure, POSTERN, BARE_KOA))),
        ],
      ],
    ),
  ].join('\n');
}

function goals({ rate, hasGoals }: Traffic, rounds: Rounds<Figure>): readonly Goal[] {
  if (!hasGoals) return [];
  const at = `over bare Koa, ${rate.toLocaleString('en')} random arrivals a second`;
  return [
    { what: `p99 ${at}`, measured: rounds.ratio('p99Ms', POSTERN, BARE_KOA), unit: '×', goal: 2, limit: 3 },
    {
      what: `CPU time per check ${at}`,
      measured: rounds.ratio('cpuUs', POSTERN, BARE_KOA),
      unit: '×',
      goal: 2.5,
      limit: 3.5,
    },
  ];
}
