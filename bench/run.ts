// `npm run bench`: measures everything and writes docs/benchmarks.md.
// `npm run bench -- pipeline decision`: measures these, prints them, and writes nothing.
// `npm run bench -- arrivals --rate 200 --rounds 1`: one rate, once.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installPeers } from './install-peers.ts';

const { positionals: sections, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, rate: { type: 'string', multiple: true } },
});
installPeers();
const { benchmark } = await import('./benchmark.ts');
try {
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  await benchmark(sections, { rounds, rates: values.rate?.map(Number) });
} finally {
  rmSync(fileURLToPath(new URL('data', import.meta.url)), { recursive: true, force: true });
}
// Some peers keep threads of their own.
process.exit();
