// `npm run demo`: builds what is stale, then serves thirty days of made-up traffic, by default from a directory that is removed at the end.
import { buildIfStale } from './build.js';

await buildIfStale();

await import('../dist/demo/main.js');
