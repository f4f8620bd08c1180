import { globSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4e9;

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// Node caches the code that it has compiled and stripped of types; the next worker, thread and process reuse it.
process.env.NODE_COMPILE_CACHE ??= path('./node_modules/.cache/postern-tests');

// Test databases are synced to the disk at each commit and deleted a moment later. Temporary folders lie in memory instead, where
// tmpfs has room and lets programs start from it (no `noexec`).
if (process.env.TMPDIR === undefined && hasRoomInMemory()) process.env.TMPDIR = MEMORY;

/** Test files that change or inspect their process. All others share processes, which saves a fifth of the total time or more. */
export const ALONE = [
  // Replace modules, or Node's own HTTP client (nock).
  'test/lists/update-in-process.test.ts',
  'test/net/http-download.test.ts',
  'test/net/json-client.test.ts',
  'test/net/resolver-over-https.test.ts',
  // Counts the threads of the process.
  'test/app/failing-start.test.ts',
];

/** Their clients time out after a second, and the tests mostly wait: they run after order 0, on an idle machine. */
const WAITING = [
  'test/examples/examples.test.ts',
  'test/examples/python.test.ts',
  'test/e2e/dns-in-trouble.test.ts',
];
/** Packs the program and installs it: `npm run test:release`. */
const RELEASE = ['test/release.test.ts'];
/** Several instances with their own PostgreSQL and Valkey, behind a balancer: `npm run test:cluster`. */
const CLUSTER = ['test/cluster/**/*.test.ts'];

/** Tests that start a whole service. They run a second time over PostgreSQL and Valkey where the environment names both. */
const SHARED = globSync(['test/http/**/*.test.ts', 'test/privacy/*.test.ts'], { cwd: path('.') }).filter(
  (file) => /\b(startTestService|startDashboard)\b/.test(readFileSync(path(file), 'utf8')),
);
const OVER_SERVERS = { env: { POSTERN_TEST_STORAGE: 'postgres' } };
const hasServers = Boolean(process.env.POSTERN_TEST_POSTGRES_URL && process.env.POSTERN_TEST_VALKEY_URL);

/** The `exports` of package.json, pointed at the TypeScript sources. */
export const resolve = {
  alias: [
    { find: /^@?postern\/provider-kit$/, replacement: path('./src/provider-kit/index.ts') },
    { find: /^@?postern\/provider-kit\/testing$/, replacement: path('./src/provider-kit/testing/index.ts') },
    { find: /^@?postern\/provider-kit\/vitest$/, replacement: path('./src/provider-kit/vitest.ts') },
  ],
};

/** Most tests wait for sockets, disks and clocks: the default, one worker fewer than cores, leaves cores idle. */
const MANY = availableParallelism() + 1;

/** Tests of ten seconds or more start first: started last, one would leave all other cores idle. Otherwise the largest files start first. */
const LONGEST = [
  'test/examples/analysts-day.test.ts',
  'test/e2e/kill-under-load.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/e2e/backup.test.ts',
  'test/e2e/first-start.test.ts',
  'test/e2e/hours-are-counted.test.ts',
  'test/e2e/traces.test.ts',
  'test/demo/demo.test.ts',
  'test/e2e/rules-under-load.test.ts',
  'test/checks/reload-torture.test.ts',
  'test/rules/memoized-decider.test.ts',
  'test/rules/decide.property.test.ts',
  'test/rules/lint/claims.property.test.ts',
  'test/rules/rollout.test.ts',
  'test/email/fold-case.test.ts',
];
class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const groupOf = ({ project }: (typeof files)[number]) => project.config.sequence.groupOrder;
    const isLong = ({ moduleId }: (typeof files)[number]) =>
      Number(LONGEST.some((file) => moduleId === path(file)));
    return (await super.sort(files)).toSorted((a, b) => groupOf(a) - groupOf(b) || isLong(b) - isLong(a));
  }
}

export default defineConfig({
  resolve,
  test: {
    // Import packages as Node does: by default each name read from a package goes through a proxy, a fifth of the time to read rules.
    deps: { interopDefault: false },
    // Milliseconds become seconds on a busy machine: these limits only end a test that would never end.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    globalSetup: path('./test/support/services.ts'),
    sequence: { sequencer: LongestFirst },
    projects: [
      project('alone', ALONE, 0, MANY),
      ...(hasServers ? [project('shared', SHARED, 0, MANY, { isolate: false, ...OVER_SERVERS })] : []),
      project('together', ['test/**/*.test.ts', 'providers/**/*.test.ts'], 0, MANY, {
        isolate: false,
        exclude: [...ALONE, ...WAITING, ...RELEASE, ...CLUSTER],
      }),
      project('waiting', WAITING, 1, MANY, { isolate: false }),
      project('release', RELEASE, 2, 1),
      project('cluster', CLUSTER, 3, 1),
    ],
  },
});

/** A project starts when all projects of a lower order have ended, and shares the workers with projects of the same order. */
function project(name: string, include: string[], groupOrder: number, maxWorkers: number, more = {}) {
  return {
    extends: true as const,
    test: { name, include, maxWorkers, sequence: { groupOrder }, ...more },
  };
}

function hasRoomInMemory(): boolean {
  if (process.platform !== 'linux') return false;
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, place]) => place === MEMORY);
  if (mounted?.[2] !== 'tmpfs' || mounted[3]?.split(',').includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM_BYTES;
}
