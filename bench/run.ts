// `npm run bench`: measures everything and writes docs/benchmarks.md.
// `npm run bench -- pipeline decision`: measures these, prints them, and writes nothing.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installPeers } from './install-peers.ts';

installPeers();
const { benchmark } = await import('./benchmark.ts');
try {
  await benchmark(process.argv.slice(2));
} finally {
  rmSync(fileURLToPath(new URL('data', import.meta.url)), { recursive: true, force: true });
}
// Some peers keep threads of their own.
process.exit();
