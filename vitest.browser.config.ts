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
    // A second, as by default, is short for what a page shows on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
