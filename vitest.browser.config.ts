import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { resolve } from './vitest.config.ts';

/** Tests that need a browser: `npm run test:browser`. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/browser/**/*.scenario.ts'],
    // The tests import much of the service: without isolation each worker imports it once.
    isolate: false,
    // Each test has a browser and a service, which wait for each other much of the time.
    maxWorkers: availableParallelism() + 2,
    // A page that takes a second may take many on a busy machine: these limits only end a test that would never end.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
