import { defineConfig } from 'vitest/config';
import { resolve } from './vitest.config.ts';

/** What takes a browser: `npm run test:browser`. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/browser/**/*.scenario.ts'],
    // What they import is much of the service, which is imported once in each worker.
    isolate: false,
    // One browser and one service at a time: they share two cores with each other already.
    maxWorkers: 2,
    // What a page shows within a second may take many on a busy machine: these end only what would never end.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
