import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type RunningService, startService } from '../src/app/main.ts';
import { withProgress } from '../src/cli/render/progress.ts';
import { superviseService } from '../src/cli/serve.ts';
import type { Shell } from '../src/cli/shell.ts';
import { whole } from '../src/lib/statistics.ts';
import { systemClock } from '../src/lib/time.ts';
import { createLogger } from '../src/observability/logger.ts';
import { announceDemo } from './announce-demo.ts';
import { loadDemoConfig } from './demo-config.ts';
import type { DemoOptions } from './demo-options.ts';
import { type Seeded, seedDemo } from './seed/seed.ts';
import { startLoopbackDns } from './world/loopback-dns.ts';

const USUAL_PORT = 8443;
const CANNOT_RUN = 2;
/** 128 and the number of SIGINT, as shells have it. */
const INTERRUPTED = 130;

/** Makes the thirty days, serves them until a signal comes, and clears up. Resolves with the exit code. */
export async function runDemo(shell: Shell, options: DemoOptions): Promise<number> {
  const port = options.port ?? ((await isFree(USUAL_PORT)) ? USUAL_PORT : 0);
  if (!(await isFree(port))) {
    shell.note(`another process listens on port ${port}; --port 0 takes a free one`);
    return CANNOT_RUN;
  }
  const dataDir = options.dataDir === undefined ? temporaryDirectory() : resolve(shell.cwd, options.dataDir);
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    shell.note(`${dataDir} is not empty: the demo begins with an empty directory`);
    return CANNOT_RUN;
  }
  const clearUp = () => {
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  const forgetSignals = onSignals(shell, () => {
    clearUp();
    shell.process.exit(INTERRUPTED);
  });
  const dns = await startLoopbackDns();
  try {
    const loaded = await loadDemoConfig({ dataDir, dns: dns.address, port, checks: options.checks });
    const seeded = await seed(shell, loaded, options);
    const log = createLogger(loaded.config.log.level);
    forgetSignals();
    return await superviseService({
      start: () => startService(loaded, log),
      onReady: (service: RunningService) => announceDemo(shell, service, seeded, options.dataDir ?? null),
      host: shell.process,
      log,
    });
  } finally {
    forgetSignals();
    await dns.close();
    clearUp();
  }
}

async function seed(
  shell: Shell,
  loaded: Awaited<ReturnType<typeof loadDemoConfig>>,
  { checks, seed }: DemoOptions,
): Promise<Seeded> {
  const begun = systemClock.now();
  shell.note('DEMO: making thirty days of signups that never were …');
  const seeded = await withProgress(shell, 'making checks', checks, (progress) =>
    seedDemo({
      loaded,
      until: begun,
      checks,
      seed,
      onProgress: (made, rowsMore) => progress.advance(made, rowsMore),
    }),
  );
  const seconds = ((systemClock.now() - begun) / 1000).toFixed(1);
  shell.note(`DEMO: ${whole(seeded.checks)} checks and ${whole(seeded.labels)} labels in ${seconds} s`);
  return seeded;
}

/** Handles signals while the data is made; the service handles its own. */
function onSignals({ process: host }: Shell, giveUp: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) host.on(signal, giveUp);
  return () => {
    for (const signal of signals) host.off(signal, giveUp);
  };
}

function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'postern-demo-'));
}

/** Checked before the data is made, which takes a while. */
function isFree(port: number): Promise<boolean> {
  return new Promise((tell) => {
    const probe = createServer();
    probe.once('error', () => tell(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => tell(true)));
  });
}
