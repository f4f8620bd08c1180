import { join } from 'node:path';
import type { Section } from '../report/section.ts';
import { number, table } from '../report/table.ts';
import { median } from '../support/median.ts';
import { root, workDirectory } from '../support/paths.ts';
import { residentMb } from '../support/process-cost.ts';
import { startServer } from '../support/server-process.ts';

const TIMES = 5;

interface Start {
  readonly readyMs: number;
  readonly residentMb: number;
}

export const startUp: Section = {
  title: 'Start-up',
  async measure(note) {
    const first: Start[] = [];
    const later: Start[] = [];
    const bare: Start[] = [];
    const parent = workDirectory('start');
    for (let time = 0; time < TIMES; time += 1) {
      const dataDir = join(parent, String(time));
      const start = async (starts: Start[], args: readonly string[]) => {
        const taken = await startOnce(args, parent);
        starts.push(taken);
        return `${number(taken.readyMs)} ms`;
      };
      const one = await start(first, posternIn(dataDir));
      const again = await start(later, posternIn(dataDir));
      note(`start ${time + 1}: ${one}, again ${again}, bare Koa ${await start(bare, bareKoaIn(dataDir))}`);
    }
    const bareMs = median(bare.map(({ readyMs }) => readyMs));
    const row = (name: string, starts: readonly Start[]) => {
      const ready = starts.map(({ readyMs }) => readyMs);
      return [
        name,
        number(median(ready)),
        number(median(ready) / bareMs),
        number(Math.max(...ready)),
        number(median(starts.map((start) => start.residentMb))),
      ];
    };
    const markdown = [
      `From the spawn of \`bin/postern.js serve\` in a built tree to its \`ready\` line; median and slowest of ${TIMES}.`,
      'A first start also makes certificates, the database and a key. RSS is the resident memory when ready. Bare Koa,',
      'with its router and body parser on the same certificate, starts after each pair: how quick the machine is just then.',
      '',
      table(
        ['', 'ready, ms', '×', 'slowest, ms', 'RSS MB'],
        [row('first start, empty data', first), row('later start', later), row('bare Koa', bare)],
      ),
    ].join('\n');
    return { markdown, goals: [] };
  },
};

const posternIn = (dataDir: string): readonly string[] => [
  join(root, 'bin/postern.js'),
  ...['serve', '--port', '0', '--data-dir', dataDir],
];

/** Bare Koa with the certificate of the first start. It gets no requests, so its answers' length is 0. */
const bareKoaIn = (dataDir: string): readonly string[] => [
  join(root, 'bench/http/bare-koa.ts'),
  ...[join(dataDir, 'tls/cert.pem'), join(dataDir, 'tls/key.pem'), '0'],
];

async function startOnce(args: readonly string[], parent: string): Promise<Start> {
  const server = await startServer({ args, logFile: join(parent, 'log.jsonl') });
  const start = { readyMs: server.readyMs, residentMb: residentMb(server.pid) };
  await server.stop();
  return start;
}
