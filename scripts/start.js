// `npm start`: builds what is stale, then serves in this very process, so that signals reach the service.
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build.js';

await buildIfStale();

const postern = new URL('../bin/postern.js', import.meta.url);
process.argv = [argv[0], fileURLToPath(postern), 'serve', ...argv.slice(2)];
await import(postern.href);
