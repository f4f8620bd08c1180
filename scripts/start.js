// `npm start`: builds what is stale, then serves in this very process, so that signals reach the service.
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';
import { build, findCompiler, isStale } from './build.js';

if (isStale()) {
  const compiler = findCompiler();
  if (compiler === null)
    console.error('Sources are newer than the build and there is no compiler here: going on with the build.');
  else if (!(await build(compiler))) exit(2);
}

const postern = new URL('../bin/postern.js', import.meta.url);
process.argv = [argv[0], fileURLToPath(postern), 'serve', ...argv.slice(2)];
await import(postern.href);
