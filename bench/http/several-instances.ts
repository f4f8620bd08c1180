import { join } from 'node:path';
import type { Section } from '../report/section.ts';
import { number, table } from '../report/table.ts';
import { startLoopbackDns } from '../support/loopback-dns.ts';
import { quantile } from '../support/median.ts';
import { workDirectory } from '../support/paths.ts';
import { authorityOf, type Postern, startPostern } from '../support/postern.ts';
import { openSharedStores, type SharedStores } from '../support/shared-stores.ts';
import { type Figure, measureRound, type Traffic } from './arrivals.ts';
import { LoadGenerator } from './load-generator.ts';
import { Rounds } from './rounds.ts';
import { type Contestant, warmUp } from './test-bed.ts';

const ROUNDS = 3;
const TRAFFIC: readonly Traffic[] = [
  { rate: 200, seconds: 10, connections: 64, hasGoals: false },
  { rate: 500, seconds: 8, connections: 128, hasGoals: false },
];
const LOOP = { connections: 32, seconds: 4 };

const EMBEDDED = 'SQLite, one process';
const ONE = 'PostgreSQL and Valkey, one instance';
const TWO = 'PostgreSQL and Valkey, two instances';
const NAMES = [EMBEDDED, ONE, TWO] as const;

type Shared = Figure | 'storesUs' | 'requestsPerSecond';
const ARRIVALS = ['p50Ms', 'p99Ms', 'cpuUs', 'storesUs', 'lateMs'] as const;
const CLOSED = ['requestsPerSecond', 'p50Ms', 'p99Ms', 'cpuUs', 'storesUs'] as const;

export const severalInstances: Section = {
  title: 'HTTP: SQLite, and PostgreSQL with Valkey',
  async measure(note, { rounds = ROUNDS, rates }) {
    const stores = await openSharedStores();
    if (!stores) {
      return {
        markdown: 'Not measured: POSTERN_TEST_POSTGRES_URL and POSTERN_TEST_VALKEY_URL name no servers.',
        goals: [],
      };
    }
    const traffics = TRAFFIC.filter(({ rate }) => rates === undefined || rates.includes(rate));
    const random = traffics.map((traffic) => ({ traffic, measured: new Rounds<Shared>() }));
    const closed = new Rounds<Shared>();
    try {
      for (let round = 1; round <= rounds; round += 1) {
        const bed = await openBed(stores);
        try {
          for (const contestant of bed.contestants) {
            const { generator } = bed;
            for (const { traffic, measured } of random) {
              const own = new Rounds<Figure>();
              const before = stores.cpuUs();
              await measureRound({ contestants: [contestant], generator }, traffic, round, own, note);
              const [figures] = own.of(contestant.name);
              // The warm-up's requests, a second's worth, are included.
              const storesUs = (stores.cpuUs() - before) / (traffic.rate * (traffic.seconds + 1));
              if (figures)
                measured.add(contestant.name, { ...figures, storesUs, requestsPerSecond: traffic.rate });
            }
            closed.add(contestant.name, await loop(contestant, generator, stores, note));
          }
        } finally {
          await bed.close();
        }
      }
    } finally {
      await stores.close();
    }
    const markdown = [
      'The same service on its embedded store, and as one and as two instances that share PostgreSQL 15 and Redis 7, all of them on the',
      'two cores of one machine with the load generator: a second instance adds no core here, and what PostgreSQL and Redis take is taken',
      `from the instances. Connections are spread evenly over the two. Medians of ${rounds} round(s) of newly started services in turns.`,
      '"Stores" is the CPU time of all processes of both servers for one check.',
      '',
      ...random.flatMap(({ traffic, measured }) => [
        `${traffic.rate} random arrivals a second:`,
        '',
        rows(measured, ARRIVALS, [
          'p50 ms',
          'p99 ms',
          'CPU µs/check',
          'stores µs/check',
          'sent late, p99 ms',
        ]),
        '',
      ]),
      `As fast as it answers, ${LOOP.connections} connections:`,
      '',
      rows(closed, CLOSED, ['checks/s', 'p50 ms', 'p99 ms', 'CPU µs/check', 'stores µs/check']),
    ].join('\n');
    return { markdown, goals: [] };
  },
};

function rows(measured: Rounds<Shared>, figures: readonly Shared[], titles: readonly string[]): string {
  return table(
    ['', ...titles],
    NAMES.map((name) => [
      name,
      ...figures.map((figure) =>
        figure === 'storesUs' && name === EMBEDDED ? '–' : number(measured.median(name, figure)),
      ),
    ]),
  );
}

async function loop(
  { name, ...servers }: Contestant,
  generator: LoadGenerator,
  stores: SharedStores,
  note: (text: string) => void,
): Promise<Record<Shared, number>> {
  const before = stores.cpuUs();
  const measured = await generator.run({
    ...{ ...servers, ...LOOP },
    firstAddress: 1_000_000,
    amount: Number.POSITIVE_INFINITY,
  });
  const { latencyMs, cpuUs, mainUs, requestsPerSecond } = measured;
  note(`${name}: ${number(requestsPerSecond)}/s, ${number(cpuUs)} µs CPU`);
  return {
    ...{ cpuUs, mainUs, requestsPerSecond, lateMs: Number.NaN, p999Ms: Number.NaN },
    p50Ms: quantile(latencyMs, 0.5),
    p99Ms: quantile(latencyMs, 0.99),
    storesUs: (stores.cpuUs() - before) / latencyMs.length,
  };
}

async function openBed(stores: SharedStores) {
  const closings: (() => unknown)[] = [];
  const close = async () => {
    for (const closing of closings.reverse()) await closing();
  };
  try {
    const directory = workDirectory('instances');
    const dns = await startLoopbackDns();
    closings.push(() => dns.close());
    const start = async (name: string, config?: SharedStores['config'], key?: string) => {
      const postern = await startPostern({
        dataDir: join(directory, name),
        dns: dns.address,
        ...(config && { config }),
        ...(key !== undefined && { key }),
      });
      closings.push(() => postern.stop());
      return postern;
    };
    const embedded = await start('sqlite');
    const one = await start('one', stores.config, firstKey);
    firstKey = one.key;
    const other = await start('two', stores.config, one.key);
    const contestants: readonly Contestant[] = [
      { name: EMBEDDED, targets: [targetOf(embedded)], pids: [embedded.pid] },
      { name: ONE, targets: [targetOf(one)], pids: [one.pid] },
      { name: TWO, targets: [targetOf(one), targetOf(other)], pids: [one.pid, other.pid] },
    ];
    const generator = new LoadGenerator();
    closings.push(() => generator.stop());
    await warmUp(contestants, generator);
    return { contestants, generator, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Key of the shared database: only the very first start prints it. */
let firstKey: string | undefined;

function targetOf(postern: Postern) {
  return { port: postern.port, ca: authorityOf(postern), key: postern.key };
}
