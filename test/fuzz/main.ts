// npm run fuzz: the fuzz test with as many cases, or for as long, as one likes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exit, stderr } from 'node:process';
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.ts';
import { saveFailure } from './failure-file.ts';
import { replay } from './replay.ts';
import { summarize } from './summary.ts';

const HELP = `npm run fuzz -- [--seed N] [--count N] [--minutes N] [--save DIR]
npm run fuzz -- --replay FILE

  --seed N     what the cases are drawn from; another one at each run unless given
  --count N    cases to run (1000000)
  --minutes N  end after this time, whatever the count
  --save DIR   where failed cases go (${join(tmpdir(), 'postern-fuzz')})
  --replay F   send the bytes of a failed case to a fresh service and print what comes back
`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    count: { type: 'string', default: '1000000' },
    minutes: { type: 'string' },
    save: { type: 'string', default: join(tmpdir(), 'postern-fuzz') },
    replay: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

function numberOf(name: string, text: string, least: number): number {
  const number = Number(text);
  if (Number.isFinite(number) && number >= least) return number;
  console.error(`--${name}: "${text}" is not a number from ${least} on`);
  exit(2);
}

async function fuzz(directory: string): Promise<boolean> {
  const seed = Math.floor(numberOf('seed', values.seed, 0));
  const count = Math.floor(numberOf('count', values.count, 1));
  const minutes = values.minutes === undefined ? undefined : numberOf('minutes', values.minutes, 0);
  console.log(`seed ${seed}`);
  let done = 0;
  const onProgress = (cases: number) => {
    done += cases;
    if (done % 10_000 === 0) stderr.write(`${done} cases\n`);
  };
  const report = await runCampaign({
    seed,
    count,
    directory,
    onProgress,
    ...(minutes !== undefined && { seconds: minutes * 60 }),
  });
  const files = report.failures.map((failure) => saveFailure(failure, values.save));
  console.log(summarize(seed, report, files));
  return report.failures.length + report.faults.length === 0;
}

if (values.help) {
  console.log(HELP);
  exit(0);
}
const directory = mkdtempSync(join(tmpdir(), 'postern-fuzz-'));
try {
  if (values.replay === undefined) process.exitCode = (await fuzz(directory)) ? 0 : 1;
  else {
    const { received, log } = await replay(values.replay, directory);
    console.log(`${received}\n\n${log}`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
