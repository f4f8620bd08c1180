import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { runCampaign } from './campaign.ts';
import { saveFailure } from './failure-file.ts';
import { summarize } from './summary.ts';

/**
 * The same cases each time, so that a failing run is a regression; `npm run fuzz` draws other and more cases. Each variant
 * is among them.
 */
const SEED = 20_261_120;
const COUNT = 15_000;
/** Far more than they need on a slow and busy machine: half a minute on two cores. */
const TIMEOUT_MS = 15 * 60_000;

it('malformed bodies, headers, paths and half-open sockets cause no 5xx, no hang, no leak, and no secret in the log', {
  timeout: TIMEOUT_MS,
}, async () => {
  const directory = temporaryDirectory();
  const report = await runCampaign({ seed: SEED, count: COUNT, directory });
  const files = report.failures.map((failure) => saveFailure(failure, join(tmpdir(), 'postern-fuzz')));
  const summary = summarize(SEED, report, files);
  console.log(summary);
  expect(report.failures.length + report.faults.length, summary).toBe(0);
  expect(report.cases).toBe(COUNT);
});
