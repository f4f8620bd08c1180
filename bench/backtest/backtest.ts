import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Section } from '../report/section.ts';
import { number, table } from '../report/table.ts';
import { root, workDirectory } from '../support/paths.ts';
import { recordChecks, repeatChecks } from './record-checks.ts';

const CHECKS = 1_000_000;
/** Number of different addresses; each is recorded CHECKS / ADDRESSES times. */
const ADDRESSES = 50_000;
/** Pins the command to one core. Used on Linux alone; elsewhere the command may use any core. */
const ONE_CORE = ['taskset', '--cpu-list', '0'] as const;

export const backtest: Section = {
  title: 'A backtest',
  async measure(note) {
    const directory = workDirectory('backtest');
    try {
      await recordChecks(directory, ADDRESSES);
      repeatChecks(directory, CHECKS / ADDRESSES - 1);
      const gigabytes = statSync(join(directory, 'postern.db')).size / 1e9;
      note(`recorded, ${number(gigabytes)} GB`);
      const draft = draftOf(join(directory, 'draft'));
      // In the first run the database may not be in the system's page cache.
      const runs = [await replay(directory, draft), await replay(directory, draft)];
      for (const run of runs)
        note(`${number(run.seconds)} s, ${number(run.cpuSeconds)} s CPU, ${number(run.mb)} MB`);
      const best = runs.reduce((a, b) => (a.seconds < b.seconds ? a : b));
      const markdown = [
        `\`postern rules backtest\` of the shipped rules against a copy with another threshold, on ${CHECKS.toLocaleString('en')} recorded checks`,
        `(${number(gigabytes)} GB on the disk; what the pipeline answers for ${ADDRESSES.toLocaleString('en')} different addresses, counted and recorded as in`,
        'the service, each recorded twenty times). The built command on one core, from its start to its end.',
        '',
        table(
          ['', 'seconds', 'of it CPU', 'µs per check', 'highest RSS MB', 'flips found'],
          runs.map((run, index) => [
            index === 0 ? 'first run' : 'once more',
            number(run.seconds),
            number(run.cpuSeconds),
            number((run.seconds * 1e6) / CHECKS),
            number(run.mb),
            String(run.flips),
          ]),
        ),
      ].join('\n');
      return {
        markdown,
        goals: [
          {
            what: 'a backtest of a million recorded checks, both sets, on one core',
            measured: best.seconds,
            unit: ' s',
            limit: 10,
          },
        ],
      };
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

function draftOf(draft: string): string {
  cpSync(join(root, 'rules'), draft, { recursive: true });
  const file = join(draft, 'decision.yaml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('block_score: { value: 70', 'block_score: { value: 60'),
  );
  return draft;
}

interface Replay {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly mb: number;
  readonly flips: number;
}

/** A module that writes the process's resource usage to standard error when the process exits. */
const TELL_USAGE = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process.stderr.write('usage ' + JSON.stringify(process.resourceUsage()) + '\\n'))",
)}`;

async function replay(directory: string, draft: string): Promise<Replay> {
  const [answer, remarks] = [join(directory, 'answer.json'), join(directory, 'remarks.txt')];
  const command = [process.execPath, '--import', TELL_USAGE, join(root, 'bin/postern.js')];
  const argv = [...command, 'rules', 'backtest', draft, '--data-dir', directory, '--json', '--examples', '1'];
  const [program, ...rest] = process.platform === 'linux' ? [...ONE_CORE, ...argv] : argv;
  const started = performance.now();
  const child = spawn(program ?? '', rest, {
    stdio: ['ignore', openSync(answer, 'w'), openSync(remarks, 'w')],
  });
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - started) / 1000;
  const told = readFileSync(remarks, 'utf8');
  if (code !== 0) throw new Error(`postern rules backtest ended with ${code}: ${told}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(told.slice(told.indexOf('usage ') + 6));
  const { cases, flips } = JSON.parse(readFileSync(answer, 'utf8'));
  if (cases.total !== CHECKS || cases.replayed.same !== CHECKS)
    throw new Error(`replayed ${JSON.stringify(cases)}`);
  return {
    seconds,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    mb: (maxRSS * 1024) / 1e6,
    flips: flips.to_block.counts.unlabelled + flips.to_allow.counts.unlabelled,
  };
}
