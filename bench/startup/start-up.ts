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
    const parent = workDirectory('start');
    for (let time = 0; time < TIMES; time += 1) {
      const dataDir = join(parent, String(time));
      first.push(await startOnce(dataDir, parent));
      later.push(await startOnce(dataDir, parent));
      note(
        `start ${time + 1}: ${number(first.at(-1)?.readyMs ?? Number.NaN)} ms, again ${number(later.at(-1)?.readyMs ?? Number.NaN)} ms`,
      );
    }
    const row = (name: string, starts: readonly Start[]) => {
      const ready = starts.map(({ readyMs }) => readyMs);
      return [
        name,
        number(median(ready)),
        number(Math.max(...ready)),
        number(median(starts.map((start) => start.residentMb))),
      ];
    };
    const markdown = [
      `From the spawn of \`bin/postern.js serve\` in a built tree to its \`ready\` line; median and slowest of ${TIMES}.`,
      'A first start also makes certificates, the database and a key. RSS is the resident memory when ready.',
      '',
      table(
        ['', 'ready, ms', 'slowest, ms', 'RSS MB'],
        [row('first start, empty data', first), row('later start', later)],
      ),
    ].join('\n');
    const worst = Math.max(...[first, later].map((starts) => median(starts.map(({ readyMs }) => readyMs))));
    return {
      markdown,
      goals: [
        {
          what: 'ready after the start of a built tree',
          measured: worst / 1000,
          unit: ' s',
          floor: 1.5,
          isCeiling: true,
        },
      ],
    };
  },
};

async function startOnce(dataDir: string, parent: string): Promise<Start> {
  const server = await startServer({
    args: [join(root, 'bin/postern.js'), 'serve', '--port', '0', '--data-dir', dataDir],
    logFile: join(parent, 'log.jsonl'),
  });
  const start = { readyMs: server.readyMs, residentMb: residentMb(server.pid) };
  await server.stop();
  return start;
}
