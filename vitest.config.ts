import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// What node has compiled and stripped of its types is kept for the next worker, thread and process.
process.env.NODE_COMPILE_CACHE ??= path('./node_modules/.cache/postern-tests');

export default defineConfig({
  resolve: { alias: { 'postern/provider-kit': path('./src/provider-kit/index.ts') } },
  test: {
    include: ['test/**/*.test.ts', 'providers/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Many tests wait for sockets, disks and clocks: with a worker for each core, as by default less one, cores stand idle.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 20_000,
    // Most start a whole service; with two cores and many at once that takes a while.
    hookTimeout: 40_000,
  },
});
