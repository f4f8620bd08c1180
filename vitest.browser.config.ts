import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { resolve } from './vitest.config.ts';

/** What takes a browser: `npm run test:browser`. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/browser/**/*.scenario.ts'],
    // What they import is much of the service, which is imported once in each worker.
    isolate: false,
    // Each has a browser and a service, which wait for one another for a third of the time.
    maxWorkers: availableParallelism() + 1,
    // What a page shows within a second may take many on a busy machine: these end only what would never end.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
