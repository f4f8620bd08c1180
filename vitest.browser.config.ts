import { defineConfig } from 'vitest/config';
import { resolve } from './vitest.config.ts';

/** What takes a browser: `npm run test:browser`. */
export default defineConfig({
  resolve,
  test: {
    include: ['test/browser/**/*.scenario.ts'],
    // One browser and one service at a time: they share two cores with each other already.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
